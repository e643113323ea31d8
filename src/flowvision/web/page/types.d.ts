// What the page's scripts hand to one another; read by the type checker alone.

/** Of a cell: "row,column", or its number on a board without rows and columns. */
type Key = string;
/** A cell as the server names it: [row, column], or its number. */
type Place = number | number[];
/** Either: what the page has itself are keys. */
type Cellish = Place | Key;
type Flow = { rgb: string; letter: string };

/** `holes`, `bridges`: keys; `walls`, `warps`: pairs of keys as "a|b"; `dots`: key to number of its flow. */
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
  flows: Flow[];
};

/** In cell units: a cell is 1 wide, y grows downwards. `r`, `c`: none on a board without rows and columns. */
type Cell = { key: Key; r?: number; c?: number; hole?: boolean; centre: number[]; outline: number[][] };
/** Two cells, the ends of the line between them, and its middle. */
type Side = { a: Key; b: Key; line: number[][]; middle: number[] };
type Geometry = { cells: Cell[]; of: Map<Key, Cell>; sides: Map<string, Side>; beside: Map<Key, Side[]>; box: number[] };

/** A path of a flow; `grow`: milliseconds until it is drawn as one looks on. */
type Line = { flow: number; path: Cellish[]; grow?: number; };
/** Per flow the keys of its pipe in order, from one of its dots on. */
type Pipes = (Key[] | null)[];
/** What is drawn on a board; `lit`: cells outlined, `doubts`: cells ringed. */
type Drawn = { lines?: Line[]; lit?: Key[]; doubts?: Key[]; letters?: boolean };
/** Cell units to pixels of a picture: nine numbers, row by row; none: to the units of the board's own drawing. */
type Frame = number[] | null | undefined;

/** The dots of a repair lie elsewhere than they were read. */
type Repair = { text: string; changes: { flow: number; read: Place; meant: Place }[] };
/** What is known of a board's solutions, by the server's object or the page itself. `again`: more is to be asked for. */
type Answer = {
  status: "solved" | "unsolvable" | "incomplete" | "gave-up" | "failed" | string;
  paths?: Place[][];
  unique?: boolean | null;
  rules?: string;
  count?: number;
  count_complete?: boolean;
  second?: unknown;
  repairs?: Repair[];
  words?: string;
  reason?: string;
  message?: string;
  hint?: string;
  again?: boolean;
};

/** Why a picture was refused, as far as that was found out; `seen`: the facts behind the words. */
type Cause = { code: string; says: string; todo_without_options?: string; seen: any; advice: { option: string; value: string }[] };
/** Where a picture cuts a board. `n`: the row or column ("line") that it ends in; `isHere`: that is on the board. */
type Edge = { side: "top" | "bottom" | "left" | "right"; line: string; n: number; isHere: boolean; why: string; todo: string };
/** A hint of the server: steps, and why they follow. */
type Hint = { hint: { flow: number; cells: Place[] }[]; why: string };

type Picture = { blob: Blob; name: string };
/** A picture as the browser shows it. */
type Shown = { url: string; width: number; height: number; image: HTMLImageElement };

/**
 * One state. `reading`: the server's answer about the picture; `read`: the board as the reader saw it.
 * `pending`: a reading that began here has not answered; its answer comes here or nowhere.
 * `turn`: which of several pictures it is, as "picture 3 of 6".
 * `trust`: what a person has done about a refused board; "guessed": what a button offered, to be compared whatever else is done. `failed`: why there is no answer at all.
 * `entry`: what it began with, a picture or a board of its own: by it the states of one entry of the strip are known.
 * `left`, of an entry of the strip: what was open beside it when it was seen last.
 */
type Doc = {
  id: number;
  board: Board | null;
  frame: number[] | null;
  picture: Picture | null;
  shown: Shown | null;
  rotate: number;
  crop: number[] | null;
  reading: any;
  read: { board: Board; frame: number[] } | null;
  trust: "" | "guessed" | "mended" | "confirmed";
  pending: boolean;
  /** it is read for longer than usual */ slow: boolean;
  stage: string;
  /** the cells that are tried: rows and columns, where they lie */ tried: { size?: number[]; outline_px?: number[][] };
  turn: string;
  stages: import("./api.js").Stage[];
  played: Pipes;
  entry: Picture | Board | null;
  made: Made;
  left: { tab: string; mode: Seen["mode"] } | null;
  failed: { lost: boolean; message: string } | null;
};
/** What is kept of a reading where its picture is not: what the reader said, and what a person did about it. */
type Faith = Partial<Pick<Doc, "reading" | "trust">>;
/** How difficult a generated puzzle is, and its number. */
type Made = { grade: string | null; seed: number } | null;

/** `act`: what it does, by name, and with what; `main`: the one that most want. */
type Button = { text: string; act: [name: string, ...given: any[]]; main?: boolean };
/** What is said of a board in one line, more behind it, and what can be done. */
type Verdict = { kind: "" | "good" | "warn" | "bad"; words: string; more: string; buttons: Button[] };
/** What is open beside a state. `solved`: how many pictures of the visit are; `isHidden`: the solution is not to be seen. */
type View = { tab: string; canStop: boolean; canCopy: boolean; solved: number; isHidden: boolean; isOfPhone: boolean };

/** What is seen of the solution: all of it, or these `steps` ("part"; "one" of several). `of`: on this board alone. */
type Seen = { mode: "all" | "part" | "one"; steps: Line[]; lit: Key[]; of?: Board | null };
/** What can be chosen of the reader: a size (rows, columns), how many colours there are. */
type Wishes = { grid?: number[] | null; colours?: string | null };
