// The state of the page: a history to undo and redo, and what is open beside it.

/** @type {State} */
export const NOTHING = {
  board: null,
  frame: null,
  picture: null,
  shown: null,
  crop: null,
  reading: null,
  read: null,
  trust: "",
  framed: false,
  pending: false,
  played: [],
  made: null,
  failed: null,
  entry: 0,
  changed: 0,
};

/** @type {Seen} */
export const NONE = { of: null, steps: [], ghost: [], lit: [], why: "", tone: "", ink: "", show: null };

/** @type {Ui} */
const UI = {
  tab: "Answer",
  tool: "dot",
  brush: "seen",
  notice: "",
  view: "board",
  letters: false,
  crop: null,
  isHidden: false,
  seen: NONE,
  lost: false,
  locked: false,
  mistakes: false,
  wishes: { size: null, tiling: "square", difficulty: "" },
  about: { formats: [] },
  loading: "",
  making: "",
  isSlow: false,
  unfolded: "",
  isZoomed: false,
  isOverview: false,
  kept: [],
  renew: null,
};

/** @type {() => void} called when the page knows what it can do */
export let endStart;
/** Pictures that are given before wait for it. @type {Promise<void>} */
export const begun = new Promise((end) => (endStart = end));

const factsOf = (/** @type {File} */ { name, size, lastModified }) => [name, size, lastModified].join();

class Store {
  constructor() {
    this.count = 0;
    /** @type {Doc[]} */
    this.list = [{ id: 0, ...NOTHING }];
    this.at = 0;
    this.ui = { ...UI };
    /** @type {((now: Doc) => void)[]} */
    this.listeners = [];
    /** @type {Map<File, Doc>} the pictures of this visit by their files, each with its last state; some still wait */
    this.pictures = new Map();
  }

  get now() {
    return this.list[this.at];
  }

  // Add a state that can be undone; return its number.
  push(/** @type {Partial<Doc>} */ part, /** @type {Open} */ open = {}) {
    Object.assign(this.ui, open);
    const doc = { ...this.now, pending: false, failed: null, ...part, id: ++this.count };
    this.list = [...this.list.slice(0, this.at + 1), doc];
    this.at++;
    this.remember(doc);
    this.changed();
    return doc.id;
  }

  // Enter a state among the pictures of this visit, in place of that of the same file.
  enter(/** @type {Doc} */ doc) {
    const { blob } = /** @type {{blob: File}} */ (doc.picture);
    for (const one of this.pictures.keys()) if (one !== blob && factsOf(one) === factsOf(blob)) this.pictures.delete(one);
    this.pictures.set(blob, doc);
  }
  // Add pictures that wait to be read; return their numbers.
  line(/** @type {File[]} */ files) {
    return files.map((blob) => {
      this.enter({ ...NOTHING, picture: { blob, name: blob.name }, pending: true, id: ++this.count });
      return this.count;
    });
  }

  get(/** @type {number} */ id) {
    return [...this.list, ...this.pictures.values()].find((doc) => doc.id === id);
  }
  isListed(/** @type {number} */ id) {
    return this.list.some((doc) => doc.id === id);
  }

  // Change a state in place, unless it is gone.
  amend(/** @type {number} */ id, /** @type {Partial<Doc>} */ part, /** @type {Open} */ open = {}) {
    Object.assign(this.ui, open);
    const before = this.get(id);
    if (!before) return;
    const made = { ...before, ...part };
    this.list = this.list.map((doc) => (doc.id === id ? made : doc));
    if (this.isListed(id)) this.remember(made);
    else this.enter(made);
    this.changed();
  }

  drop(/** @type {number} */ id) {
    for (const [blob, doc] of this.pictures) if (doc.id === id) this.pictures.delete(blob);
    const place = this.list.findIndex((doc) => doc.id === id);
    if (place <= 0) return this.changed();
    this.list = this.list.filter((doc) => doc.id !== id);
    if (place <= this.at) this.at--;
    this.changed();
  }

  go(/** @type {number} */ by) {
    Object.assign(this.ui, openFor(this.list[this.place(by)]));
    this.at = this.place(by);
    this.remember(this.now);
    this.changed();
  }

  // Return the index that undo (-1) or redo (1) leads to, skipping empty pages; outside the list at its ends.
  place(/** @type {number} */ by) {
    let at = this.at + by;
    while (this.list[at] && !this.list[at].picture && !this.list[at].board) at += by;
    return at;
  }
  can(/** @type {number} */ by) {
    return !!this.list[this.place(by)];
  }

  remember(/** @type {Doc} */ doc) {
    if (doc.picture && !doc.pending && (doc.reading || doc.failed)) this.enter(doc);
  }

  set(/** @type {Open} */ open) {
    Object.assign(this.ui, open);
    this.changed();
  }

  changed() {
    for (const listener of this.listeners) listener(this.now);
  }
}

export const store = new Store();
export const ui = store.ui;
const SLOW_MS = 10_000;
// Show that work has begun, and that it takes long; return what ends that.
export function begin(/** @type {Open} */ open) {
  store.set({ ...open, isSlow: false });
  const timer = window.setTimeout(() => store.set({ isSlow: true }), SLOW_MS);
  return () => {
    clearTimeout(timer);
    store.set({ making: "", isSlow: false });
  };
}

export const notice = (/** @type {string} */ words) => store.set({ notice: words });

// Choose the view: the picture, or both where they must be compared and there is room.
export const viewOf = (/** @type {any} */ reading) =>
  !reading || (reading.ok ? !reading.doubtful : reading.advice?.covered || !reading.seen?.board?.flows.length) || innerWidth < 700
    ? "picture"
    : "both";

// Return what is open beside a restored state; a generated puzzle keeps its solution hidden.
export function openFor(/** @type {Doc} */ { picture, made, reading }, tab = made ? "Play" : "Answer") {
  const isOther = picture?.blob !== store.now.picture?.blob || made !== store.now.made;
  const isHidden = !!made || ui.isHidden;
  return {
    crop: null,
    seen: NONE,
    isHidden,
    isOverview: false,
    ...(isOther && { tab, view: viewOf(reading), brush: "seen", tool: "dot" }),
  };
}

// A failed request. `code`: from the end that answers, or "lost" without an answer.
export class Refused extends Error {
  constructor(/** @type {number} */ status, /** @type {{code?: string, message?: string, hint?: string}} */ { code, message, hint }) {
    super(message ?? "No answer.");
    this.status = status;
    this.code = code ?? "odd";
    this.hint = hint ?? "";
  }
}
