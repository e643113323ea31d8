// Data of the page's scripts, for the type checker. Parameters have their names: a `board` is a Board.

/** Of a cell: "row,column", or its number on a board without rows and columns. */
type Key = string;
/** A cell as the server names it: [row, column], or its number. */
type Place = number | number[];
type Flow = { rgb: string; letter: string; name: string };
/** A flow as it was read: its dots, their colours and doubts, the pipe that is drawn, and its path in the solution. */
type ReadFlow = Flow & { ends: Place[]; colours?: string[]; doubts?: number[]; drawn?: Place[]; path: Place[] };

/**
 * `holes`, `bridges`: keys; `walls`, `warps`: pairs of keys as "a|b"; `dots`: key to number of its flow;
 * `tints`: colours of dots in the picture, by "key flow".
 */
type Board = {
  tiling: string;
  rows: number;
  cols: number;
  free: { cells: { centre: number[]; outline: number[][] }[]; sides: number[][] } | null;
  holes: Set<Key>;
  walls: Set<string>;
  bridges: Set<Key>;
  warps: Set<string>;
  dots: Map<Key, number>;
  tints: Map<string, string>;
  flows: Flow[];
};

/** In cell units. `r`, `c`: none on a board without rows and columns. */
type Cell = { key: Key; r?: number; c?: number; centre: number[]; outline: number[][] };
/** Two cells, the ends of the line between them, and its middle. */
type Side = { a: Key; b: Key; line: number[][]; middle: number[] };
type Geometry = { cells: Cell[]; of: Map<Key, Cell>; sides: Map<string, Side>; beside: Map<Key, Side[]>; box: number[] };

type Line = { flow: number; path: (Place | Key)[] };
/** For each flow the keys of its pipe in order, starting at a dot. */
type Pipes = (Key[] | null)[];
/** How a cell is marked: a ring for a doubtful dot, a cross for one that the picture lacks or a mistake in play; a `missing` one is drawn, one that is `gone` from the board is drawn faint, with a cross. */
type Ring = [key: Key, kind: "doubtful" | "missing" | "extra" | "wrong" | "gone", rgb?: string];
/** What is drawn on a board. `ghost`: faint, the next pieces; `lit`: outlined, `missing`: dots with colours, `cut`: sides, as in `SIDES`; `marks`: of the dots in a picture, but for those that it lacks, `added`. */
type Drawn = {
  lines?: Line[];
  ghost?: Line[];
  lit?: Key[];
  rings?: Ring[];
  missing?: [Key, string][];
  signs?: Map<Key, string>;
  cut?: number[];
  letters?: boolean;
  marks?: boolean;
  added?: Key[];
  isPlayed?: boolean;
};
/** Cell units to pixels of a picture: nine numbers, row by row; none: to the units of the board's own drawing. */
type Frame = number[] | null | undefined;

/** What is known of a board's solutions. `again`: incomplete, ask again. `checking`: more is asked; `mends`, `others`: changes to offer. */
type Answer = {
  status: string;
  paths?: Place[][];
  unique?: boolean | null;
  rules?: string;
  count?: number;
  count_complete?: boolean;
  differs?: Place[];
  words?: string;
  message?: string;
  hint?: string;
  again?: boolean;
  checking?: boolean;
  mends?: Mend[];
  others?: Mend[];
};
/** A change that leaves exactly one solution. `why`: what speaks for it; `by`: cells by which the sides move outwards; `isGuess`: the picture may tell another story. */
type Mend = { text: string; why?: string; board: Board; by?: number[]; isGuess?: boolean };
/** A change by the solver: dots that may be in a wrong cell. `flow`: of the puzzle. */
type Repair = { changes: { flow: number; read: Place; meant: Place }[] };
/** What a cell of the picture shows: plain ground, a dot, or a cover; and its colour in the middle. */
type Look = { kind: "ground" | "dot" | "cover"; rgb: string };
/** The server's message about a reading, and its suggestions. `size`: rows and columns; `cut`: the sides at which the picture cuts the board; `covered`: something lies over it; `frame`, `walls`: its outline, or some of its walls, are in doubt; `warnings`: about an answer. Cells in words are marked. */
type Advice = {
  warnings: string[];
  says: string;
  more: string;
  places: Place[];
  put: { place: Place; letter: string }[];
  boards: { text: string; crop: number[] | null; grid: number[] | null; colours: number | null }[];
  cut: string[];
  covered: boolean;
  frame: boolean;
  walls: boolean;
};

/** The user's verdict on a doubtful board; "guessed": filled in by a button, still to be compared. */
type Trust = "" | "guessed" | "corrected" | "confirmed";
/**
 * What a state holds. `shown`: the picture as the browser shows it; `reading`: the server's answer about it; `read`: the board as the
 * reader saw it; `framed`: the outline was set or confirmed by hand; `pending`: the picture is being read; `made`: a puzzle whose
 * solution stays hidden, with its difficulty; `failed`: why there is no answer; `entry`: number of this picture or board among those
 * that are kept, and when it `changed`.
 */
type State = {
  board: Board | null; frame: number[] | null;
  picture: { blob: File; name: string } | null; shown: HTMLImageElement | null; crop: number[] | null;
  reading: any; read: { board: Board; frame: number[] } | null; failed: { lost: boolean; message: string } | null;
  trust: Trust; framed: boolean; pending: boolean;
  played: Pipes; made: { grade: string | null; of: Board; isToday?: boolean } | null;
  entry: number; changed: number;
};
/** A state of the history. */
type Doc = State & { id: number };
type Opened = Doc & { board: Board };
/** A state of an earlier visit, with the tab that was open. */
type Kept = Doc & { tab: string };

/** `todo`: what to do, always in sight; `act`: name and arguments of the action of a button; `main`: the primary one. */
type Verdict = {
  kind: "" | "good" | "good won" | "own" | "warn" | "bad";
  words: string;
  todo: string;
  more: string;
  buttons: { text: string; act: [name: string, ...given: any[]]; main?: boolean }[];
};

/** What a verdict goes by. `isRead`: the board is as it was read; `isDrawn`: the solution is shown; `why`, `more`: of the server. */
type Facts = { doc: Doc; board: Board; answer: Answer | undefined; isRead: boolean; isDrawn: boolean; why: string; more: string };

/** Shown on this board: `steps` of a hidden solution, the `ghost` of a hint in play, outlined cells, the words of a hint. `ink`: colour of the flow they name. */
type Seen = { of: Board | null; steps: Line[]; ghost: Line[]; lit: Key[]; why: string; tone: string; ink: string; show: Show | null };
/** A step of an animation: its words, what it draws, its cell and its colour. */
type Step = { words: string; lines: Line[]; cells: Key[]; ink: string };
/** An animation from step 0 to `last`. */
type Show = { at: number; last: number; stepAt: (at: number) => Step };

/**
 * What is open beside the state. `brush`: the letter of a flow, or "seen": the colour of the picture; `crop`: the box that is being
 * dragged, null without one; `isHidden`: the solution stays hidden, but for what is `seen` of it; `wishes`: what is to be made;
 * `about`: what this end of the page allows and offers; `making`: what is being made; `isSlow`: it takes long; `unfolded`: the extra
 * part of a panel that is open; `isZoomed`: the board is enlarged; `isOverview`: all pictures of this visit are shown; `kept`: boards
 * of earlier visits; `renew`: reload with a new version.
 */
type Ui = {
  tab: string; tool: string; brush: string; view: string; unfolded: string;
  notice: string; loading: string; making: string; isSlow: boolean;
  crop: number[] | null;
  isHidden: boolean; seen: Seen; letters: boolean; mistakes: boolean;
  lost: boolean; locked: boolean; isZoomed: boolean; isOverview: boolean;
  wishes: Record<string, any>;
  about: any;
  kept: Kept[];
  renew: (() => void) | null;
};
type Open = Partial<Ui>;

/**
 * What was done on a board in play, times in seconds: `best` is that of its kind before; `streak`: days on which the puzzle of the day
 * was solved.
 */
type Game = { moves: number; began: number; took: number; best: number; streak: number };
/**
 * A drag: where it began, and the cell it has reached. `at`: from events to places. `moves`: places to go to with the next frame.
 * `pipes`, `flow`: what it draws in play.
 */
type Drag = {
  board: Board; cell: Cell; to: Cell; point: number[];
  id: number; at: (event: MouseEvent) => number[]; moves: number[][]; box: DOMRect;
  pipes?: Pipes; flow?: number | null;
};
/** A move of the solver's search. */
type Move = [kind: string, flow: number, start: number, cell: number, why: string, way: string];

/**
 * An outline. `size`: columns and rows. `box`: what the corners mark, as x, y, width and height in pixels; null without a picture.
 * `isMarked`: the box was marked by hand, and keeps its place. `isLattice`: it has rows and columns that can be changed.
 */
type Outlined = { size: number[]; box: number[] | null; isMarked: boolean; isLattice: boolean };
/** What an outline calls: `moved` with the cells by which each side moves outwards, `marked` with a new box, `sized` with columns and rows as they are drawn, `chosen` on Enter. */
type Outlining = { moved: (by: number[]) => void; marked: (box: number[]) => void; sized: (size: string) => void; chosen: () => void };
