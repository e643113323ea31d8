// What can be done to the board: everything that buttons, fingers and keys come down to.

import { COLOURS, dotsOf, flowLike, geometry, got, hue, nameOf, pairsOf, puzzleOf } from "./board.js";
import { addFlow, resized, withFlowFor } from "./edits.js";
import { colourAt, groundAt } from "./picture.js";
import { boxRound, faithIn, frameIn, readAgain } from "./reading.js";
import { answerOf } from "./solving.js";
import { comeTo, NOTHING, store, ui } from "./state.js";
import { mapper } from "./view.js";
import { edgesOf } from "./words.js";

const TYPING_MS = 500;

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
// A repair is the solver's guess: it stays to be compared.
export const repair = (/** @type {Board} */ made) => edit(made, "guessed");
export const confirmBoard = () => store.push({ trust: "confirmed" });

// A board of its own, without a picture; what a reader said of it, where one has read it, goes with it.
/** @param {Board} board @param {{mode?: Seen["mode"], tab?: string, played?: Pipes, made?: Made, faith?: Faith}} seen */
export function fresh(board, { mode = "all", tab = ui.tab, played = [], made = null, faith } = {}) {
  Object.assign(ui, { tab, crop: null, size: null, over: null, shown: { mode, steps: [], lit: [] } });
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

// Rows and columns, as they are typed or stepped: read once nothing more has changed for a while.
let typing = 0;
/** @param {number} rows @param {number} cols */
export function resize(rows, cols) {
  const { board } = store;
  const side = cutSide(rows - board.rows, cols - board.cols);
  if (side) return changeSide(side, 1);
  if (!store.now.picture || board.tiling !== "square") return store.push({ board: resized(board, rows, cols), played: [] });
  store.set({ size: [rows, cols] });
  clearTimeout(typing);
  if (ui.crop) return; // read with the part that is being chosen
  const { id } = store.now;
  typing = setTimeout(() => {
    if (store.now.id !== id || !ui.size) return store.set({ size: null });
    readAgain({ grid: ui.size });
  }, TYPING_MS);
}

// The sides at which the picture cuts the board so that a row or column of it is not there.
export const cutSides = () => edgesOf(store.now).flatMap(({ side, isHere }) => (isHere ? [] : [side]));

// The side at which the picture cuts the board, where one row or column more is asked for: it is there that it lies.
/** @param {number} down @param {number} right @returns {string|undefined} */
function cutSide(down, right) {
  if (down + right !== 1 || down * right) return;
  return cutSides().find((side) => isUpright(side) === !!down);
}

export const isUpright = (/** @type {string} */ side) => side === "top" || side === "bottom";

// A row or column more or less on one side ("top", "left" …); the others stay where they are on the picture.
/** @param {string} side @param {number} by */
export function changeSide(side, by) {
  const { board } = store;
  const { picture, frame } = store.now;
  const [down, right] = isUpright(side) ? [by, 0] : [0, by];
  const [up, left] = [side === "top" ? by : 0, side === "left" ? by : 0];
  const [rows, cols] = [board.rows + down, board.cols + right];
  if (Math.min(rows, cols) < 2 || Math.max(rows, cols) > 40) return;
  const made = resized(board, rows, cols, [up, left]);
  const [a, b, c, d, e, f, g, h, i] = frame ?? [];
  const moved = frame && [a, b, c - a * left - b * up, d, e, f - d * left - e * up, g, h, i - g * left - h * up];
  // Less of what was read stays as it was read; more is looked for in the picture.
  if (picture && moved && by > 0) readAgain({ grid: [rows, cols], crop: boxOf(made, moved) });
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
  readAgain({ crop: ui.crop?.map(Math.round), grid: ui.size ?? (isSized ? [board.rows, board.cols] : null) });
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

/** @returns {Line[]} */
export function solutionLines() {
  const made = answerNow();
  if (made?.status !== "solved" || !made.paths) return [];
  const { used } = puzzleOf(store.board);
  return made.paths.map((path, n) => ({ flow: used[n], path }));
}

// The flow that a dot in a cell belongs to: [board, flow]; flow null: erase it; a text: why there is none.
// `point`: where the picture was touched, if it was: a finger there covers a dot in part, and a person taps the rest.
/** @param {Board} now @param {Key} key @param {number[]|null} point @returns {[Board, number|string|null]} */
export function flowFor(now, key, point) {
  const { shown, frame, reading } = store.now;
  if (ui.brush !== "seen" || !shown) return [now, Math.max(0, flowLike(now, ui.brush))];
  if (now.dots.has(key)) return [now, null];
  const single = dotsOf(now).flatMap((keys, n) => (keys.length === 1 ? [n] : []));
  if (single.length === 1) return [now, single[0]];
  const scale = shown.width / (reading?.seen?.picture?.[0] ?? shown.width);
  const at = mapper(frame);
  const [x, y] = got(geometry(now).of, key).centre;
  /** @param {number} u @param {number} v */
  const px = (u, v) => at([u, v]).map((value) => (value + 0.5) * scale);
  const reach = 0.12 * Math.hypot(px(x + 0.5, y)[0] - px(x - 0.5, y)[0], px(x + 0.5, y)[1] - px(x - 0.5, y)[1]);
  const corners = [-0.4, 0.4].flatMap((u) => [-0.4, 0.4].map((v) => px(x + u, y + v)));
  const touched = point ? [colourAt(shown, px(point[0], point[1]), reach / 2)] : [];
  const rgb = [...touched, colourAt(shown, px(x, y), reach)].find((one) => !groundAt(shown, corners, reach / 2, one));
  return rgb ? withFlowFor(now, rgb) : [now, "The picture shows no dot here: choose a colour first."];
}
