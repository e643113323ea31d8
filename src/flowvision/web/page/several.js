// The overview of the pictures of this visit, the way from one to the next, and all of them in a file or on paper.

import { goTo, solutionLines } from "./actions.js";
import { download, drawn, nameOf } from "./answer.js";
import { faultWords } from "./api.js";
import { geometry, linesOf, puzzleOf, withPlaces } from "./board.js";
import { $, button, draw, el, icon, iconButton, plural, svg } from "./dom.js";
import { sizeOf } from "./picture.js";
import { boxOf, isRunning, stopAll } from "./reading.js";
import { answerOf } from "./solving.js";
import { notice, store, ui } from "./state.js";
import { isDone, isFrameOpen, verdict } from "./verdict.js";
import { BoardView, mapper, path } from "./view.js";

const TABLE = Array.from({ length: 256 }, (_, n) => {
  let sum = n;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});
const checksum = (/** @type {Uint8Array} */ data) => ~data.reduce((sum, byte) => TABLE[(sum ^ byte) & 255] ^ (sum >>> 8), -1) >>> 0;

// Return little-endian bytes of values with their sizes.
const packed = (/** @type {[value: number, size: number][]} */ ...fields) =>
  new Uint8Array(fields.flatMap(([value, size]) => Array.from({ length: size }, (_, n) => Math.floor(value / 256 ** n) % 256)));

// Put files in one zip, stored as they are: pictures are compressed already.
function zipOf(/** @type {[name: string, data: Uint8Array<ArrayBuffer>][]} */ files) {
  /** @type {Uint8Array<ArrayBuffer>[][]} */
  const [parts, index] = [[], []];
  const lengthOf = (/** @type {Uint8Array[]} */ all) => all.reduce((sum, { length }) => sum + length, 0);
  for (const [text, data] of files) {
    const [name, size, at] = [new TextEncoder().encode(text), data.length, lengthOf(parts)];
    // Version, UTF-8 names, no compression, midnight, the first of January 1980
    const facts = packed([20, 2], [0x800, 2], [0, 4], [0x21, 2], [checksum(data), 4], [size, 4], [size, 4], [name.length, 2], [0, 2]);
    parts.push(packed([0x04034b50, 4]), facts, name, data);
    index.push(packed([0x02014b50, 4], [20, 2]), facts, packed([0, 10], [at, 4]), name);
  }
  const end = packed([0x06054b50, 4], [0, 4], [files.length, 2], [files.length, 2], [lengthOf(index), 4], [lengthOf(parts), 4], [0, 2]);
  return new Blob([...parts, ...index, end], { type: "application/zip" });
}

const verdictOf = (/** @type {Doc} */ doc) => verdict(doc, answerOf(doc.board));
const all = () => [...store.pictures.values()];
const solved = () => all().filter((doc) => isDone(verdictOf(doc).kind));
const countWords = () => `${solved().length} of ${all().length} solved`;

const saveAll = async () => {
  /** @type {[name: string, data: Uint8Array<ArrayBuffer>][]} */
  const files = [];
  for (const doc of solved())
    files.push([`${files.length + 1} ${nameOf(doc, ".png")}`, new Uint8Array(await (await drawn("png", doc)).arrayBuffer())]);
  download("flowvision.zip", zipOf(files));
};

const open = (/** @type {Doc} */ doc) => goTo(doc, isDone(verdictOf(doc).kind) ? "Answer" : "Correct");
export const showAll = () => all().length > 1 && store.set({ isOverview: true, crop: null });

// Show the next picture that was read, or the one before; in the overview, move the focus among the cards.
export function step(/** @type {number} */ by) {
  const cards = /** @type {any[]} */ ([...$("cards").children]).filter((card) => !card.disabled);
  if (ui.isOverview) return cards.at((cards.indexOf(document.activeElement) + by) % cards.length)?.focus();
  const shown = all().filter((doc) => doc.shown && !doc.pending);
  const at = shown.findIndex(({ picture }) => picture?.blob === store.now.picture?.blob);
  if (shown.length > 1) open(shown[(at + by + shown.length) % shown.length]);
}

// Return the board in its picture with its solution, or the whole picture.
function thumbnail(/** @type {Doc} */ doc) {
  const { board, frame, shown, reading } = doc;
  if (!shown) return icon("size");
  const [width, height] = sizeOf(shown, reading);
  const box = board && frame && !isFrameOpen(doc) ? boxOf(board, frame) : [0, 0, width, height];
  const lines = board && frame ? solutionLines(board) : [];
  const pipes = lines.flatMap(({ flow, path: cells }) =>
    linesOf(/** @type {Board} */ (board), cells).map((line) =>
      svg("path", { d: path(line.map(mapper(frame))), stroke: board?.flows[flow].rgb, "stroke-width": box[2] / (board?.cols ?? 1) / 3 }),
    ),
  );
  const image = svg("image", { href: shown.src, width, height });
  return svg("svg", { viewBox: box.join(" "), "aria-hidden": "true" }, image, ...pipes);
}

/** @type {Record<string, string>} */
const STATES = { good: "Solved", own: "Checked", warn: "To check", bad: "Not solved" };
const stateOf = (/** @type {Doc} */ doc) =>
  doc.pending ? (isRunning(doc.id) ? "Reading" : "Waiting") : doc.failed ? "Not read" : STATES[verdictOf(doc).kind];

function card(/** @type {Doc} */ doc) {
  const { kind, words } = verdictOf(doc);
  const [state, name] = [stateOf(doc), doc.picture?.name];
  const reason = doc.failed?.message ?? (isDone(kind) || doc.pending ? (name ?? "") : words);
  const given = { class: `card ${kind}`, title: name, disabled: doc.pending || !doc.shown };
  const lines = [el("b", { text: state }), el("span", { class: "hint", text: withPlaces(reason) })];
  return button("", () => open(doc), given, thumbnail(doc), ...lines);
}

// Count the pictures that are not solved, state by state.
function otherStates(/** @type {Doc[]} */ docs) {
  const states = docs.map(stateOf);
  const counts = [...new Set(states)].map((state) => [state, states.filter((one) => one === state).length]);
  return counts.flatMap(([state, n]) => (state === STATES.good ? [] : `${n} ${String(state).toLowerCase()}`)).join(" · ");
}

export function showSeveral() {
  const docs = all();
  $("several").hidden = !ui.isOverview;
  const go = (/** @type {string} */ name, /** @type {string} */ text, /** @type {number} */ by) =>
    button("", () => step(by), { "aria-label": `${text} picture`, title: `${text} picture` }, icon(name));
  const back = button("", showAll, { "aria-label": `All pictures: ${countWords()}`, title: "Esc" }, icon("Make"));
  back.append(el("span", { text: "All pictures" }));
  draw($("visited"), docs.length > 1 && !ui.isOverview ? [back, go("left", "Previous", -1), go("right", "Next", 1)] : []);
  if (!ui.isOverview) return;
  const isReading = docs.some(({ pending }) => pending);
  const save = () => saveAll().catch((error) => notice(faultWords(error)));
  draw($("several-head"), [
    el("h2", { text: countWords() }),
    el("p", { class: "hint", role: "status", text: otherStates(docs) }),
    isReading ? iconButton("cancel", "Stop", stopAll) : null,
    solved().length ? iconButton("save", `Save all ${solved().length} solved`, save, { class: "main" }) : null,
  ]);
  // Once all are read, those that need the user come first.
  const rank = (/** @type {Doc} */ doc) => ["bad", "warn", "", "own", "good"].indexOf(verdictOf(doc).kind);
  draw($("cards"), (isReading ? docs : docs.sort((a, b) => rank(a) - rank(b))).map(card));
}

// Return a board on paper, with its title.
function sheet(/** @type {Board} */ board, /** @type {string} */ suffix, /** @type {Line[]} */ lines) {
  const { rows, cols, free } = board;
  const size = free ? plural(geometry(board).cells.length, "cell") : `${cols} × ${rows}`;
  const root = svg("svg", { preserveAspectRatio: "xMidYMin" });
  new BoardView(root).show(board, null, { lines, letters: true });
  return el("section", {}, el("h2", { text: `${size} · ${plural(puzzleOf(board).used.length, "flow")}${suffix}` }), root);
}

// Print each board as a puzzle, and its answer on a page of its own.
export function layOut() {
  const boards = (ui.isOverview ? solved() : [store.now]).flatMap(({ board }) => board ?? []);
  const sheets = boards.flatMap((board) => {
    const lines = solutionLines(board);
    return [sheet(board, "", []), ...(lines.length ? [sheet(board, " · answer", lines)] : [])];
  });
  $("paper").replaceChildren(...sheets);
}
