// All that the page knows, in one place: a list of states to go back and forth in, and what is open beside it.

/** @type {Omit<Doc, "id">} */
export const NOTHING = {
  board: null,
  frame: null,
  picture: null,
  shown: null,
  rotate: 0,
  crop: null,
  reading: null,
  read: null,
  trust: "",
  pending: false,
  slow: false,
  stage: "",
  tried: {},
  turn: "",
  stages: [],
  played: [],
  entry: null,
  made: null,
  left: null,
  failed: null,
};

const UI = {
  tab: "Answer",
  tool: "dot",
  /** a colour, #rrggbb, or "seen": that of the picture */ brush: "seen",
  notice: "",
  whole: false,
  view: "board",
  letters: false,
  /** @type {number[]|null} the box that is being dragged; null: no crop */ crop: null,
  /** @type {Seen} */ shown: { mode: "all", steps: [], lit: [] },
  /** @type {{lines: any[], of: Board|null}|null} lines in place of the solution, on their board alone */ over: null,
  lost: false,
  locked: false,
  edited: false,
  mistakes: false,
  /** @type {{words: string, of: Board|null}} what a hint or a check says of its board */ why: { words: "", of: null },
  /** @type {Record<string, any>} what is to be made */ wishes: { cols: 7, rows: 7, tiling: "square" },
  fault: "",
  isMaking: false,
  isSided: false,
  form: "",
  /** @type {{url: string, of: Board|null}|null} */ result: null,
  /** the phone that is connected to this computer */ phone: "",
  timer: false,
  /** @type {Doc[]} the entries of the strip: pictures and puzzles of this visit, each as it was seen last */ visited: [],
  /** @type {any} what the server allows and offers */ about: { formats: [] },
};

export class Store {
  constructor() {
    this.count = 0;
    /** @type {Doc[]} */
    this.list = [{ id: 0, ...NOTHING }];
    this.at = 0;
    this.ui = { ...UI };
    /** @type {((now: Doc) => void)[]} */
    this.listeners = [];
    /** @type {{name: "board"|"reading", doc: Doc, stopper: AbortController}[]} */
    this.asked = [];
  }

  get now() {
    return this.list[this.at];
  }

  // The board of now, for what is only offered where there is one.
  get board() {
    const { board } = this.now;
    if (!board) throw new Error("there is no board");
    return board;
  }

  // A new state that can be undone; its number.
  push(/** @type {Partial<Doc>} */ part) {
    const made = { ...this.now, pending: false, failed: null, ...part, id: ++this.count };
    this.list = [...this.list.slice(0, this.at + 1), made];
    this.at++;
    this.changed();
    return made.id;
  }

  get(/** @type {number} */ id) {
    return this.list.find((doc) => doc.id === id);
  }

  // The same state, known better; nothing where it has gone.
  amend(/** @type {number} */ id, /** @type {Partial<Doc>} */ part) {
    const place = this.list.findIndex((doc) => doc.id === id);
    if (place < 0) return;
    this.list[place] = { ...this.list[place], ...part };
    this.changed();
  }

  // A state that came to nothing: there is no way back to it.
  drop(/** @type {number} */ id) {
    const place = this.list.findIndex((doc) => doc.id === id);
    if (place <= 0) return;
    this.list = this.list.filter((doc) => doc.id !== id);
    if (place <= this.at) this.at--;
    this.changed();
  }

  go(/** @type {number} */ by) {
    if (!this.can(by)) return;
    this.at = this.place(by);
    this.changed();
  }

  can(/** @type {number} */ by) {
    return !!this.list[this.place(by)];
  }

  // Where undo (-1) and redo (1) lead to: past empty pages, to which the logo leads.
  place(/** @type {number} */ by) {
    let at = this.at + by;
    while (this.list[at] && !this.list[at].entry) at += by;
    return at;
  }

  // What is open, chosen or said beside the states.
  set(/** @type {Partial<typeof UI>} */ part) {
    Object.assign(this.ui, part);
    this.changed();
  }

  // Ends what is asked for a board or a reading as soon as another one is seen, or waited for: that comes first.
  whileSeen(/** @type {"board"|"reading"} */ name) {
    const stopper = new AbortController();
    this.asked.push({ name, doc: this.now, stopper });
    return stopper.signal;
  }

  changed() {
    const { now } = this;
    this.asked = this.asked.filter(({ name, doc, stopper }) => {
      const isSeen = now[name] === doc[name] && (doc.pending || !now.pending);
      if (!isSeen) stopper.abort();
      return isSeen;
    });
    for (const listener of this.listeners) listener(this.now);
  }
}

export const store = new Store();
export const ui = store.ui;
export const MOST_ENTRIES = 20;

// A puzzle that came by itself, or is empty, and that nobody has touched.
const isIdle = (/** @type {Doc} */ { picture, board, entry, made, played }) =>
  !picture && board === entry && (!!made || !board?.dots.size) && !played.some(Boolean);

// A picture or a puzzle of this visit can be gone back to, as it was seen last; an idle puzzle until the next one comes.
/** @param {Doc} doc @param {Doc["left"]} left what is open beside it */
export function remember(doc, left = { tab: ui.tab, mode: ui.shown.mode }) {
  if (!doc.entry || doc.pending || !(doc.board || doc.failed)) return;
  const one = { ...doc, left };
  const place = ui.visited.findIndex(({ entry }) => entry === doc.entry);
  if (place < 0) ui.visited = [...ui.visited.filter((other) => !isIdle(other)), one].slice(-MOST_ENTRIES);
  else ui.visited[place] = one;
}

// Picture and board are compared where something may be wrong, and there is room; else one is seen, large.
export function viewOf(/** @type {any} */ reading) {
  const isRoomy = matchMedia("(min-width: 700px), (min-height: 760px)").matches;
  if (!reading || (reading.ok && !reading.doubtful)) return matchMedia("(min-width: 700px)").matches ? "picture" : "board";
  return isRoomy ? "both" : "board";
}

// What is open beside a state that one comes back to: as it was left where that is another entry.
export function comeTo(/** @type {Doc} */ { entry, made, reading }) {
  const unseen = made ? { tab: "Play", mode: "part" } : { tab: "Answer", mode: "all" };
  const left = ui.visited.find((one) => one.entry === entry)?.left ?? unseen;
  if (entry !== store.now.entry) Object.assign(ui, { tab: left.tab, view: viewOf(reading), brush: "seen", tool: "dot" });
  Object.assign(ui, { crop: null, over: null, shown: { mode: left.mode === "part" ? "part" : "all", steps: [], lit: [] } });
}
export const notice = (/** @type {string} */ words) => store.set({ notice: words });
// What is shown on the board is seen: also where the picture was, alone.
export const seeBoard = () => ui.view === "picture" && store.set({ view: "board" });
