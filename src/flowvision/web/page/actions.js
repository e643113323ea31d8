// What can be done to the board: everything that buttons, fingers and keys come down to.

import { COLOURS, geometry, hue, puzzleOf } from "./board.js";
import { addFlow, resized, withFlowFor } from "./edits.js";
import { colourAt, groundAt } from "./picture.js";
import { boxRound, frameIn, readAgain } from "./reading.js";
import { answerOf } from "./solving.js";
import { NOTHING, store, ui } from "./state.js";
import { mapper } from "./view.js";

const TYPING_MS = 500;

export const answerNow = () => answerOf(store.now.board);

export const chooseTool = (tool) => store.set({ tool });
export const chooseBrush = (brush) => store.set({ brush, tool: "dot" });
export function addColour(rgb) {
  const { id, board: now } = store.now;
  Object.assign(ui, { brush: now.flows.length, tool: "dot" });
  store.amend(id, { board: addFlow(now, rgb) });
}
export const spareColour = (flows) => COLOURS.find(([rgb]) => !flows.some((flow) => flow.rgb === rgb))?.[0] ?? hue(flows.length);

// A person has changed the board: it is theirs from now on.
export function edit(made, trust = "mended") {
  if (made === store.now.board) return;
  ui.edited = true;
  const isDots = [...made.dots].join() !== [...store.now.board.dots].join();
  store.push({ board: made, played: [], trust: isDots ? trust : store.now.trust });
}
// A repair is the solver's guess: it stays to be compared.
export const repair = (made) => edit(made, "");
export const confirmBoard = () => store.push({ trust: "confirmed" });

// A board of its own, without a picture.
export function fresh(made, { mode = "all", tab = ui.tab } = {}) {
  Object.assign(ui, { brush: 0, tab, crop: null, size: null, over: null, shown: { mode, steps: [], lit: [] } });
  store.push({ ...NOTHING, board: made.flows.length ? made : addFlow(made, spareColour([])) });
}
export function reset() {
  const { read } = store.now;
  store.push({ ...read, trust: "", played: [] });
}

// Rows and columns, as they are typed or stepped: read once nothing more has changed for a while.
let typing = null;
export function resize(rows, cols) {
  const { board: now, picture } = store.now;
  if (!picture || now.tiling !== "square") return store.push({ board: resized(now, rows, cols), played: [] });
  store.set({ size: [rows, cols] });
  clearTimeout(typing);
  if (ui.crop) return; // read with the part that is being chosen
  const { id } = store.now;
  typing = setTimeout(() => {
    if (store.now.id !== id || !ui.size) return store.set({ size: null });
    readAgain({ grid: ui.size });
  }, TYPING_MS);
}

// A row or column more or less on one side ("top", "left" …); the others stay where they are on the picture.
export function changeSide(side, by) {
  const { board: now, picture, frame } = store.now;
  const [down, right] = [side === "top" || side === "bottom" ? by : 0, side === "left" || side === "right" ? by : 0];
  const [up, left] = [side === "top" ? by : 0, side === "left" ? by : 0];
  const [rows, cols] = [now.rows + down, now.cols + right];
  if (Math.min(rows, cols) < 2 || Math.max(rows, cols) > 40) return;
  const made = resized(now, rows, cols, [up, left]);
  const [a, b, c, d, e, f, g, h, i] = frame ?? [];
  const moved = frame && [a, b, c - a * left - b * up, d, e, f - d * left - e * up, g, h, i - g * left - h * up];
  // Less of what was read stays as it was read; more is looked for in the picture.
  if (picture && moved && by > 0) readAgain({ grid: [rows, cols], crop: boxOf(made, moved) });
  else {
    ui.edited = true;
    store.push({ board: made, frame: moved, played: [] });
  }
}

export function boxOf(made, frame) {
  return boxRound(
    geometry(made)
      .cells.flatMap((cell) => cell.outline)
      .map(mapper(frame)),
  );
}

// The corners are dragged: a board that was not recognised moves with them.
export function placeCrop(box) {
  const { id, board: now, reading } = store.now;
  ui.crop = box;
  if (reading && !reading.ok && !reading.seen?.board && now?.tiling === "square")
    store.amend(id, { frame: frameIn(box, now.rows, now.cols) });
  else store.changed();
}

export function readCrop() {
  const { board: now, reading, picture } = store.now;
  const sized = picture && reading && !reading.ok && !reading.seen?.board && now && !now.free;
  readAgain({ crop: ui.crop.map(Math.round), grid: ui.size ?? (sized ? [now.rows, now.cols] : null) });
}

export function reveal(mode, steps = [], lit = []) {
  store.set({ shown: { mode, steps, lit, of: store.now.board }, over: null });
}
export const overrule = (lines, of = store.now.board) => store.set({ over: { lines, of } });

export function solutionLines() {
  const made = answerNow();
  if (made?.status !== "solved") return [];
  const { used } = puzzleOf(store.now.board);
  return made.paths.map((path, n) => ({ flow: used[n], path }));
}

// The flow that a dot in a cell belongs to: [board, flow]; flow null: erase it; a text: why there is none.
// `point`: where the picture was touched, if it was: a finger there covers a dot in part, and a person taps the rest.
export function flowFor(now, key, point = null) {
  const { shown, frame, reading } = store.now;
  const counts = now.flows.map((_, n) => [...now.dots.values()].filter((flow) => flow === n).length);
  if (ui.brush !== "seen" || !shown) return [now, Math.min(Number(ui.brush) || 0, now.flows.length - 1)];
  if (now.dots.has(key)) return [now, null];
  const single = counts.flatMap((count, n) => (count === 1 ? [n] : []));
  if (single.length === 1) return [now, single[0]];
  const scale = shown.width / (reading?.seen?.picture?.[0] ?? shown.width);
  const at = mapper(frame);
  const [x, y] = geometry(now).of.get(key).centre;
  const px = (u, v) => at([u, v]).map((value) => (value + 0.5) * scale);
  const reach = 0.12 * Math.hypot(px(x + 0.5, y)[0] - px(x - 0.5, y)[0], px(x + 0.5, y)[1] - px(x - 0.5, y)[1]);
  const corners = [-0.4, 0.4].flatMap((u) => [-0.4, 0.4].map((v) => px(x + u, y + v)));
  const touched = point ? [colourAt(shown, px(point[0], point[1]), reach / 2)] : [];
  const rgb = [...touched, colourAt(shown, px(x, y), reach)].find((one) => !groundAt(shown, corners, reach / 2, one));
  return rgb ? withFlowFor(now, rgb) : [now, "The picture shows no dot here: choose a colour first."];
}
