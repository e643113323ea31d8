// What can be done to the board: everything that buttons, fingers and keys come down to.

import { placesNamed } from "./advice.js";
import { blank, COLOURS, flowLike, geometry, got, hue, nameOf, pairsOf, puzzleOf } from "./board.js";
import { announce } from "./dom.js";
import { addFlow, flowTapped, resized, withDots } from "./edits.js";
import { copyPicture, saveAll, savePicture } from "./files.js";
import { dotColourAt } from "./picture.js";
import { linesOfPlay, mistakesIn } from "./pipes.js";
import { boxRound, faithIn, frameIn, readAgain, retry, sizeOf, stopReading } from "./reading.js";
import { answerOf } from "./solving.js";
import { playOnPhone } from "./start.js";
import { comeTo, NOTHING, store, ui } from "./state.js";
import { inverse, mapper } from "./view.js";

export const answerNow = () => answerOf(store.now.board);

export const chooseTool = (/** @type {string} */ tool) => store.set({ tool });
export const chooseBrush = (/** @type {string} */ brush) => store.set({ brush, tool: "dot" });
export function addColour(/** @type {string} */ rgb) {
  const { board } = store;
  Object.assign(ui, { brush: rgb, tool: "dot" });
  store.amend(store.now.id, { board: addFlow(board, rgb) });
}
export const spareColour = (/** @type {Flow[]} */ flows) =>
  COLOURS.find(([, , name]) => !flows.some((flow) => nameOf(flow.rgb) === name))?.[0] ?? hue(flows.length);

// A person has changed the board: it is theirs from now on.
/** @param {Board} made @param {Doc["trust"]} trust */
export function edit(made, trust = "mended") {
  if (made === store.now.board) return;
  ui.edited = true;
  const isDots = pairsOf(made) !== pairsOf(store.board);
  const { trust: before } = store.now;
  store.push({ board: made, played: [], trust: isDots && before !== "guessed" ? trust : before });
}
export const confirmed = (/** @type {Doc} */ { trust }) => trust === "confirmed";

// A board of its own, without a picture; what a reader said of it, where one has read it, goes with it.
/** @param {Board} board @param {{mode?: Seen["mode"], tab?: string, played?: Pipes, made?: Made, faith?: Faith}} seen */
export function fresh(board, { mode = "all", tab = ui.tab, played = [], made = null, faith } = {}) {
  Object.assign(ui, { tab, crop: null, over: null, shown: { mode, steps: [], lit: [] } });
  const whole = board.flows.length ? board : addFlow(board, spareColour([]));
  store.push({ ...NOTHING, board: whole, entry: whole, played, made, ...faithIn(whole, faith) });
}

// A state that is seen again: undo leads back to that of now.
/** @param {Doc} doc @param {string} [tab] */
export function goTo(doc, tab) {
  comeTo(doc);
  if (tab) ui.tab = tab;
  store.push({ ...doc });
}

// The empty page again: undo leads back from it, and the pictures of this visit stay.
export function goHome() {
  if (store.now.entry) goTo({ id: 0, ...NOTHING });
}
export function reset() {
  const { read } = store.now;
  store.push({ ...read, trust: "", played: [] });
}

// Other numbers of rows and columns: what was seen stays; nothing is read. A board without rows and columns, and one
// that was not seen, become a lattice over the same part of the picture.
/** @param {number} rows @param {number} cols */
export function resize(rows, cols) {
  const { board } = store;
  const { frame, reading } = store.now;
  ui.edited = true;
  const isLaid = !!frame && (board.free || !(reading?.ok || reading?.seen?.board));
  if (!isLaid) return store.push({ board: resized(board, rows, cols), played: [] });
  const laid = frameIn(ui.crop ?? boxOf(board, frame), rows, cols);
  const made = { ...blank(rows, cols), flows: board.flows };
  for (const [key, flow] of board.dots) {
    const [x, y] = inverse(laid)(mapper(frame)(got(geometry(board).of, key).centre));
    made.dots.set(`${Math.floor(y)},${Math.floor(x)}`, flow);
  }
  store.push({ board: made, frame: laid, played: [] });
}

export const lineOf = (/** @type {string} */ side) => (side === "top" || side === "bottom" ? "row" : "column");

// A row or column more or less on one side ("top", "left" …); the others stay where they are on the picture.
/** @param {string} side @param {number} by @param {boolean} [isRead] dots are looked for in it */
export function changeSide(side, by, isRead = false) {
  const { board } = store;
  const { picture, frame } = store.now;
  const [down, right] = lineOf(side) === "row" ? [by, 0] : [0, by];
  const [up, left] = [side === "top" ? by : 0, side === "left" ? by : 0];
  const [rows, cols] = [board.rows + down, board.cols + right];
  if (Math.min(rows, cols) < 2 || Math.max(rows, cols) > 40) return;
  const made = resized(board, rows, cols, [up, left]);
  const [a, b, c, d, e, f, g, h, i] = frame ?? [];
  const moved = frame && [a, b, c - a * left - b * up, d, e, f - d * left - e * up, g, h, i - g * left - h * up];
  if (picture && moved && isRead) readAgain({ grid: [rows, cols], crop: boxOf(made, moved) });
  else {
    ui.edited = true;
    store.push({ board: made, frame: moved, played: [] });
  }
}

// The part of a picture that a board takes up.
/** @param {Board} made @param {number[]} frame */
export function boxOf(made, frame) {
  return boxRound(
    geometry(made)
      .cells.flatMap((cell) => cell.outline)
      .map(mapper(frame)),
  );
}

// The corners are dragged: a board that was not recognised moves with them.
export function placeCrop(/** @type {number[]} */ box) {
  const { id, board, reading } = store.now;
  ui.crop = box;
  if (reading && !reading.ok && !reading.seen?.board && board?.tiling === "square")
    store.amend(id, { frame: frameIn(box, board.rows, board.cols) });
  else store.changed();
}

export function readCrop() {
  const { board, reading } = store.now;
  const isSized = reading && !reading.ok && !reading.seen?.board && board && !board.free;
  readAgain({ crop: ui.crop?.map(Math.round), grid: isSized ? [board.rows, board.cols] : null });
}

export function startCrop() {
  const { crop, board, frame, shown, reading } = store.now;
  if (shown) store.set({ view: "picture", crop: crop ?? (board && frame ? boxOf(board, frame) : [0, 0, ...sizeOf(shown, reading)]) });
}

/** @param {Seen["mode"]} mode @param {Line[]} steps @param {Key[]} lit */
export function reveal(mode, steps = [], lit = []) {
  store.set({ shown: { mode, steps, lit, of: store.now.board }, over: null });
}
// Cells outlined on the board of now, with what is seen of its solution.
export function light(/** @type {Key[]} */ lit) {
  const { mode, steps, of } = ui.shown;
  const { board } = store.now;
  store.set({ shown: { mode, steps: of === board ? steps : [], lit, of: board } });
}
/** @param {Line[]} lines @param {Board|null} of */
export const overrule = (lines, of = store.now.board) => store.set({ over: { lines, of } });
// What a hint or a check says, beside its board.
export function say(/** @type {string} */ words) {
  announce(words);
  store.set({ why: { words, of: store.now.board } });
}
export const whyNow = () => (ui.why.of === store.now.board ? ui.why.words : "");

/** @returns {Line[]} */
export function solutionLines() {
  const made = answerNow();
  if (made?.status !== "solved" || !made.paths) return [];
  const { used } = puzzleOf(store.board);
  return made.paths.map((path, n) => ({ flow: used[n], path }));
}

// No solution is drawn while the verdict is red, and none where somebody plays.
/** @param {string} kind @returns {Line[]} */
export function linesShown(kind) {
  const { board, played, pending } = store.now;
  if (ui.tab === "Play") return linesOfPlay(played);
  if (pending) return [];
  if (ui.over && ui.over.of === board) return ui.over.lines;
  const isHere = ui.shown.of === undefined || ui.shown.of === board;
  if (ui.shown.mode === "part" || (ui.shown.mode === "one" && isHere)) return isHere ? ui.shown.steps : [];
  return kind === "bad" ? [] : solutionLines();
}
export const mistakesNow = () => (ui.mistakes ? mistakesIn(store.now.played, solutionLines()) : []);

export function open(/** @type {string} */ tab) {
  const view = tab === "Play" && ui.view === "picture" ? "board" : ui.view;
  store.set({ tab, view, crop: null, over: null, shown: { ...ui.shown, lit: [] } });
}

// What the buttons of a verdict do, by name.
/** @type {Record<string, (...given: any[]) => any>} */
export const acts = {
  open,
  mend: () => {
    open("Correct");
    store.set({ view: "both" });
  },
  repair: (made) => edit(made, "guessed"), // the solver's guess: it stays to be compared
  confirm: () => store.push({ trust: "confirmed" }),
  read: (wishes) => readAgain(wishes),
  retry: () => retry(),
  stop: () => stopReading(),
  side: (side, by, isRead) => changeSide(side, by, isRead),
  put: (dots) => edit(withDots(store.board, dots), "guessed"),
  save: () => savePicture(),
  copy: () => copyPicture(),
  saveAll: () => saveAll(),
  playOnPhone: () => playOnPhone(),
};

// The flow that a dot in a cell belongs to: [board, flow]; flow null: erase it; a text: why there is none.
// `point`: where the picture was touched, if it was: a finger there covers a dot in part, and a person taps the rest.
/** @param {Board} now @param {Key} key @param {number[]|null} point @returns {[Board, number|string|null]} */
export function flowFor(now, key, point) {
  const { shown, frame, reading } = store.now;
  if (ui.brush !== "seen" || !shown) return [now, Math.max(0, flowLike(now, ui.brush))];
  if (now.dots.has(key)) return [now, null];
  const scale = shown.width / (reading?.seen?.picture?.[0] ?? shown.width);
  const toPx = (/** @type {number[]} */ place) => mapper(frame)(place).map((value) => (value + 0.5) * scale);
  const rgb = dotColourAt(shown, toPx, got(geometry(now).of, key).centre, point);
  const [made, flow] = flowTapped(now, rgb, placesNamed(store.now).includes(key));
  return [made, flow ?? "The picture shows no dot here: choose a colour first."];
}
