// Actions on the board, shared by buttons, pointer and keys.

import { faultWords } from "./api.js";
import { pairsOf, puzzleOf, spareColour } from "./board.js";
import { $ } from "./dom.js";
import { addFlow, clearCell, flowTapped, loneFlows, outlined, withDots, withSpareFlow } from "./edits.js";
import { lookAt, sizeOf } from "./picture.js";
import { linesOfPlay, mistakesIn } from "./pipes.js";
import { boxOf, frameIn, isLaid, lay, readAgain, retry, stopShown } from "./reading.js";
import { answerOf, grown } from "./solving.js";
import { NONE, NOTHING, openFor, store, ui } from "./state.js";

// Return the chosen flow; -1 if a dot takes the colour of the picture.
export const brushNow = () => (store.now.board?.flows ?? []).findIndex(({ letter }) => letter === ui.brush);

export function addColour() {
  const { id, board } = /** @type {Opened} */ (store.now);
  const made = addFlow(board, spareColour(board.flows));
  store.amend(id, { board: made }, { brush: made.flows[board.flows.length].letter, tool: "dot" });
}

export function edit(/** @type {Board} */ made, /** @type {Trust} */ trust = "corrected") {
  if (made === store.now.board) return;
  const { trust: before } = store.now;
  const isDots = pairsOf(made) !== pairsOf(/** @type {Board} */ (store.now.board));
  store.push({ board: made, played: [], trust: isDots && before !== "guessed" ? trust : before });
}

// Open a board without a picture. `made`: facts of a generated puzzle, whose solution is hidden.
/** @param {Board} board @param {{tab: string, played?: Pipes, made?: Doc["made"]}} given */
export function fresh(board, { tab, played = [], made = null }) {
  store.push(
    { ...NOTHING, board, played, made },
    { tab, wishes: { ...ui.wishes, size: null }, crop: null, seen: NONE, isHidden: !!made, brush: "seen", tool: "dot" },
  );
}

export function goTo(/** @type {Doc} */ doc, /** @type {string|undefined} */ tab = undefined) {
  store.push({ ...doc }, openFor(doc, tab));
}

export function goHome() {
  if (store.now.picture || store.now.board) goTo({ id: 0, ...NOTHING });
}

// Move the sides of the board outwards by whole cells. A lattice laid over a picture by hand keeps its outline.
/** @param {number[]} by @param {Board|null} given the board with that outline */
export function moveSides(by, given = null) {
  const { board: old, picture, frame, reading } = store.now;
  if (!old) return;
  if (isLaid(reading)) {
    const board = given ?? outlined(old, by);
    return store.push({ board, frame: frame && frameIn(ui.crop ?? boxOf(old, frame), board.rows, board.cols), played: [] });
  }
  const made = grown({ ...store.now, board: old }, by);
  store.push({ ...made, board: given ?? made.board, played: [], ...(picture && { framed: true, trust: "guessed" }) });
}

// Place the crop, and with it a lattice laid over the picture.
export function placeCrop(/** @type {number[]} */ box) {
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

export const seenNow = () => (ui.seen.of === store.now.board ? ui.seen : NONE);
export const see = (/** @type {Partial<Seen>} */ part, /** @type {Open} */ open = {}) =>
  store.set({ seen: { ...seenNow(), of: store.now.board, ...part }, ...open });

// Return an action that shows its errors.
export const tried = (/** @type {() => Promise<any>} */ work) => () =>
  work().catch((error) => {
    const words = faultWords(error);
    const why = ui.lost || ui.locked ? "" : words; // the page says so
    see({ why, ink: "", tone: why && "bad" });
  });

export function solutionLines(board = store.now.board) {
  const answer = answerOf(board);
  if (!board || answer?.status !== "solved" || !answer.paths) return [];
  const { used } = puzzleOf(board);
  return answer.paths.map((path, n) => ({ flow: used[n], path }));
}

// Return the lines to draw; the solution is hidden in play and under a red verdict.
export function linesShown(/** @type {string} */ kind) {
  const { played, pending } = store.now;
  if (ui.tab === "Play") return linesOfPlay(played);
  if (pending || ui.tab === "Correct") return [];
  const { show, steps } = seenNow();
  if (show) return show.stepAt(show.at).lines;
  if (ui.isHidden) return steps;
  return kind === "bad" ? [] : solutionLines();
}
export const mistakesNow = () => (ui.mistakes ? mistakesIn(store.now.played, solutionLines()) : []);

export function open(/** @type {string} */ tab) {
  see(
    { ...NONE, of: store.now.board, steps: seenNow().steps },
    { tab, crop: null, tool: "dot", unfolded: "", view: tab === "Play" && ui.view === "picture" ? "board" : ui.view },
  );
  $("panels").scrollTop = 0;
}

/** @type {Record<string, (...given: any[]) => any>} what the buttons of a verdict do */
export const acts = {
  correct: () => {
    open("Correct");
    store.set({ view: "both" });
  },
  answer: () => open("Answer"),
  confirm: () => {
    store.push({ trust: "confirmed" });
    open("Answer");
  },
  read: readAgain,
  retry,
  another: () => $("another").click(),
  stop: stopShown,
  lay,
  tool: (tool) => (tool === "size" ? acts.outline() : store.set({ tool })),
  outline: () => {
    open("Correct");
    store.set({ tool: "size", view: store.now.picture ? "picture" : "board" });
  },
  mend: ({ board, by, isGuess }) => {
    if (by) moveSides(by, board);
    else store.push({ board, played: [], trust: isGuess || store.now.trust === "guessed" ? "guessed" : "corrected" });
  },
  // Follow the picture in some cells: remove dots that it does not show, then add those that it shows.
  follow: (/** @type {Key[]} */ ...keys) => {
    const { board } = /** @type {Opened} */ (store.now);
    const shown = keys.filter((key) => !board.dots.has(key));
    /** @type {[Key, string][]} */
    const dots = shown.map((key) => [key, lookAt(store.now, key, null).rgb]);
    edit(withDots(keys.reduce(clearCell, board), dots));
  },
  // Return to the board before this one of the picture; states of play and other pictures may lie between.
  undo: () => {
    const { list, at, now } = store;
    const before = list.findLastIndex(({ board, picture }, n) => n < at && board && board !== now.board && picture === now.picture);
    if (before >= 0) store.go(before - at);
  },
  bare: () => edit({ .../** @type {Board} */ (store.now.board), walls: new Set() }),
  framed: () => store.push({ framed: true }, { tool: "dot" }),
};

// Return the board and the flow of a dot to put in a cell; null erases it, a text says why there is none.
// `point`: where the picture was touched.
/** @returns {[Board, number|string|null]} */
export function flowFor(/** @type {Board} */ board, /** @type {Key} */ key, /** @type {number[]|null} */ point) {
  const { shown } = store.now;
  if (brushNow() >= 0) return [board, brushNow()];
  if (board.dots.has(key)) return [board, null];
  if (!shown) return withSpareFlow(board);
  const [made, flow] = flowTapped(board, lookAt(store.now, key, point));
  const isChoice = loneFlows(board).length > 1;
  return [
    made,
    flow ?? (isChoice ? "Choose the colour first: several lack a dot." : "The picture shows no dot here; choose a colour first."),
  ];
}
