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
/** How a cell is marked: a ring for a doubtful dot, a cross for one that the picture lacks or a mistake in play; one that the board lacks is drawn. */
type Ring = [key: Key, kind: "doubtful" | "missing" | "extra" | "wrong"];
/** What is drawn on a board. `lit`: outlined, `missing`: dots with colours, `cut`: sides, as in `SIDES`; `marks`: of the dots in a picture. */
type Drawn = {
  lines?: Line[];
  lit?: Key[];
  rings?: Ring[];
  missing?: [Key, string][];
  signs?: Map<Key, string>;
  cut?: number[];
  letters?: boolean;
  marks?: boolean;
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
/** A state of the history. */
type Doc = typeof import("./state.js").NOTHING & { id: number };
type Opened = Doc & { board: Board };

/** `todo`: what to do, always in sight; `act`: name and arguments of the action of a button; `main`: the primary one. */
type Verdict = {
  kind: "" | "good" | "good won" | "warn" | "bad";
  words: string;
  todo: string;
  more: string;
  buttons: { text: string; act: [name: string, ...given: any[]]; main?: boolean }[];
};

/** What a verdict goes by. `isRead`: the board is as it was read; `isDrawn`: the solution is shown; `why`, `more`: of the server. */
type Facts = { doc: Doc; board: Board; answer: Answer | undefined; isRead: boolean; isDrawn: boolean; why: string; more: string };

/** Shown on this board: `steps` of a hidden solution, outlined cells, the words of a hint. `ink`: colour of the flow they name. */
type Seen = { of: Board | null; steps: Line[]; lit: Key[]; why: string; tone: string; ink: string; show: Show | null };
/** An animation from step 0 to `last`. `cellAt`, `inkAt`: cell and colour of a step. */
type Show = {
  at: number;
  last: number;
  words: (at: number) => string;
  linesAt: (at: number) => Line[];
  cellAt: (at: number) => Key[];
  inkAt: (at: number) => string;
};
