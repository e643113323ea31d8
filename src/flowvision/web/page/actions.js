// Actions on the board, shared by buttons, pointer and keys.

import { faultWords } from "./api.js";
import { flowLike, geometry, got, pairsOf, puzzleOf, spareColour } from "./board.js";
import { $ } from "./dom.js";
import { addFlow, flowTapped, resized, withDots } from "./edits.js";
import { dotColourAt } from "./picture.js";
import { linesOfPlay, mistakesIn } from "./pipes.js";
import { boxOf, frameIn, isLaid, lay, readAgain, retry, sizeOf, stopReading } from "./reading.js";
import { answerNow } from "./solving.js";
import { NONE, NOTHING, openFor, store, ui } from "./state.js";
import { placesNamed } from "./verdict.js";
import { mapper } from "./view.js";

// Return the chosen colour if the board has it; else that of the picture, or the first.
export function brushNow() {
  const { board, picture } = store.now;
  const chosen = board?.flows[ui.brush === "seen" ? -1 : flowLike(board, ui.brush)];
  return (chosen ?? (picture ? null : board?.flows[0]))?.rgb ?? "seen";
}

export function addColour() {
  const { id, board } = store.now;
  const brush = spareColour(board?.flows);
  store.amend(id, { board: addFlow(board, brush) }, { brush, tool: "dot" });
}

export function edit(made, /** @type {Trust} */ trust = "corrected") {
  if (made === store.now.board) return;
  const { trust: before } = store.now;
  const isDots = pairsOf(made) !== pairsOf(/** @type {Board} */ (store.now.board));
  store.push({ board: made, played: [], trust: isDots && before !== "guessed" ? trust : before });
}

// Open a board without a picture. `made`: facts of a generated puzzle, whose solution is hidden.
/** @param {Board} board @param {{tab: string, played?: Pipes, made?: Doc["made"]}} given */
export function fresh(board, { tab, played = [], made = null }) {
  const whole = board.flows.length ? board : addFlow(board, spareColour([]));
  store.push({ ...NOTHING, board: whole, played, made }, { tab, crop: null, seen: NONE, isHidden: !!made });
}

export function goTo(doc, tab) {
  store.push({ ...doc }, openFor(doc, tab));
}

export function goHome() {
  if (store.now.picture || store.now.board) goTo({ id: 0, ...NOTHING });
}

// Change the numbers of rows and columns. A lattice laid over a picture by hand keeps its outline.
export function resize(rows, cols) {
  const { board, frame, reading } = store.now;
  if (!board) return; // a field that is removed with the focus reports its change too
  const laid = frame && isLaid(reading) ? frameIn(ui.crop ?? boxOf(board, frame), rows, cols) : frame;
  store.push({ board: resized(board, rows, cols), frame: laid, played: [] });
}

// Place the crop, and with it a lattice laid over the picture.
export function placeCrop(box) {
  const { id, board, reading } = store.now;
  store.amend(id, isLaid(reading) && board ? { frame: frameIn(box, board.rows, board.cols) } : {}, { crop: box });
}

export function readCrop() {
  const { board, reading, shown } = store.now;
  if (!shown || !ui.crop) return;
  const [width, height] = sizeOf(shown, reading);
  const [x, y, w, h] = ui.crop.map(Math.round);
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  const crop = [left, top, Math.min(width, x + w) - left, Math.min(height, y + h) - top];
  readAgain({ crop, grid: isLaid(reading) && board ? [board.rows, board.cols] : null });
}

export function startCrop() {
  const { crop, board, frame, shown, reading } = store.now;
  if (shown) store.set({ view: "picture", crop: crop ?? (board && frame ? boxOf(board, frame) : [0, 0, ...sizeOf(shown, reading)]) });
}

export const seenNow = () => (ui.seen.of === store.now.board ? ui.seen : NONE);
export const see = (part, open = {}) => store.set({ seen: { ...seenNow(), of: store.now.board, ...part }, ...open });
export const boardView = () => (ui.view === "picture" ? "board" : ui.view);

// Return an action that shows its errors.
export const tried = (work) => () => work().catch((error) => see({ why: faultWords(error) }));

export function solutionLines() {
  const answer = answerNow();
  if (answer?.status !== "solved" || !answer.paths) return [];
  const { used } = puzzleOf(/** @type {Board} */ (store.now.board));
  return answer.paths.map((path, n) => ({ flow: used[n], path }));
}

// Return the lines to draw; the solution is hidden in play and under a red verdict.
export function linesShown(kind) {
  const { played, pending } = store.now;
  if (ui.tab === "Play") return linesOfPlay(played);
  if (pending) return [];
  const { show, steps } = seenNow();
  if (show) return show.linesAt(show.at);
  if (ui.isHidden) return steps;
  return kind === "bad" ? [] : solutionLines();
}
export const mistakesNow = () => (ui.mistakes ? mistakesIn(store.now.played, solutionLines()) : []);

export function open(tab) {
  see({ lit: [], why: "", show: null }, { tab, crop: null, view: tab === "Play" ? boardView() : ui.view });
  $("panels").scrollTop = 0;
}

/** @type {Record<string, (...given: any[]) => any>} what the buttons of a verdict do */
export const acts = {
  correct: () => {
    open("Correct");
    store.set({ view: "both" });
  },
  repair: (made) => edit(made, "guessed"),
  confirm: () => store.push({ trust: "confirmed" }),
  read: readAgain,
  retry,
  stop: stopReading,
  lay,
  put: (dots) => edit(withDots(store.now.board, dots), "guessed"),
};

// Return the board and the flow of a dot to put in a cell; null erases it, a text says why there is none.
// `point`: where the picture was touched.
export function flowFor(board, key, point) {
  const { shown, frame, reading } = store.now;
  if (brushNow() !== "seen" || !shown) return [board, Math.max(0, flowLike(board, brushNow()))];
  if (board.dots.has(key)) return [board, null];
  const scale = shown.width / sizeOf(shown, reading)[0];
  const toPx = (place) => mapper(frame)(place).map((value) => (value + 0.5) * scale);
  const rgb = dotColourAt(shown, toPx, got(geometry(board).of, key).centre, point);
  const [made, flow] = flowTapped(board, rgb, placesNamed(store.now).includes(key));
  return [made, flow ?? "The picture shows no dot here; choose a colour first."];
}
