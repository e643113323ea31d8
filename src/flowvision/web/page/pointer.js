// Fingers, mouse and keys on a board. It is changed under "Correct" alone, and played under "Play".

import { edit, flowFor, light } from "./actions.js";
import { acrossOf, cellAt, geometry, got, neighbour, sideAt, WAYS } from "./board.js";
import { announce } from "./dom.js";
import { clearCell, moveDot, putDot, toggleBridge, toggleHole, toggleWall, toggleWarp } from "./edits.js";
import { begun, extended, flowAt, isDone, isSolved, joined, linesOfPlay, trimmed } from "./pipes.js";
import { notice, store, ui } from "./state.js";

/** @typedef {import("./view.js").BoardView} BoardView */

const LONG_MS = 550;
// A finger that has moved further drags, however slowly.
const STILL_PX = 10;

const isCorrecting = () => ui.tab === "Correct" && !ui.crop && !store.now.pending;
const isPlaying = () => ui.tab === "Play";
function tell(/** @type {string} */ words) {
  notice(words);
  announce(words);
}

// What the chosen tool does to a cell, at a point of it.
/** @param {BoardView} view @param {Board} board @param {Cell} cell @param {number[]} point @param {string} [wants] */
function tap(view, board, cell, point, wants = ui.tool) {
  const { key } = cell;
  const side = sideAt(board, cell, point, wants === "wall" ? 2 : view.bare ? 0 : 0.13);
  if (wants === "hole") edit(toggleHole(board, key));
  else if (wants === "bridge") edit(toggleBridge(board, key));
  else if (wants === "wall") {
    if (side) edit(toggleWall(board, side.a, side.b));
  } else if (wants === "warp") {
    const ways = acrossOf(board, key).sort((a, b) => rim(key, a, point) - rim(key, b, point));
    if (ways.length) edit(toggleWarp(board, key, ways[0]));
    else tell("Tap a cell at the edge: a warp joins the two ends of a row or a column.");
  } else if (wants === "clear") edit(clearCell(board, key));
  else put(board, key, view.bare ? point : null);
}

// How far the rim is that a warp to the other cell goes over: corner cells have two.
/** @param {Key} key @param {Key} other @param {number[]} point */
function rim(key, other, [x, y]) {
  const [[r, c], [s]] = [key.split(",").map(Number), other.split(",").map(Number)];
  return r === s ? (c ? c + 1 - x : x) : r ? r + 1 - y : y;
}

/** @param {Board} board @param {Key} key @param {number[]|null} point */
function put(board, key, point) {
  const [made, flow] = flowFor(board, key, point);
  if (typeof flow === "string") return tell(flow);
  if (flow === null || board.dots.get(key) === flow) edit(clearCell(board, key));
  else edit(putDot(made, key, flow));
}

// Playing -----------------------------------------------------------------------------------------------

/** The flow that was tapped, to be led to the next cell. @type {{flow: number, pipes: Pipes, board: Board}|null} */
let selected = null;

/** @param {Board} board @param {Pipes} pipes */
function played(board, pipes) {
  const { played: before } = store.now;
  const made = trimmed(pipes);
  if (JSON.stringify(made) === JSON.stringify(trimmed(before))) return store.changed();
  // Whoever plays does not want to come upon the solution elsewhere.
  Object.assign(ui, { mistakes: false, shown: { mode: "part", steps: [], lit: [] } });
  const wasSolved = isSolved(board, before);
  store.push({ played: made });
  if (!wasSolved && isSolved(board, made)) announce("Solved!");
}

// Tap and tap: the first chooses a flow, the second leads its pipe there by the straight way.
/** @param {Board} board @param {Key} key */
function tapToPlay(board, key) {
  const { played: pipes } = store.now;
  const base = selected?.board === board ? selected : null;
  const isPartner = !!base && board.dots.get(key) === base.flow;
  selected = null;
  if (!isPartner && (!base || flowAt(board, pipes, key) !== null)) {
    const { pipes: made, flow } = begun(board, pipes, key);
    if (flow === null) return;
    selected = { flow, pipes: made, board };
    played(board, made);
    return light(made[flow]?.slice(-1) ?? []);
  }
  const led = lead(board, base.pipes, base.flow, key);
  if (!isPartner && led[base.flow] && !isDone(board, led[base.flow], base.flow)) selected = { ...base, pipes: led };
  played(board, led);
}

// The pipe on to a cell, by the shortest way over cells that no dot holds.
/** @param {Board} board @param {Pipes} pipes @param {number} flow @param {Key} key */
function lead(board, pipes, flow, key) {
  const pipe = pipes[flow] ?? [];
  const start = pipe[pipe.length - 1];
  const from = new Map([[start, start]]);
  for (const at of from.keys()) {
    if (from.has(key)) break;
    for (const way of Object.values(WAYS)) {
      const next = neighbour(board, at, way)?.key;
      if (!next || from.has(next) || !joined(board, at, next)) continue;
      if ((board.dots.has(next) && next !== key) || pipe.includes(next) || pipes.some((other) => other?.includes(next) && next !== key))
        continue;
      from.set(next, at);
    }
  }
  const steps = [];
  for (let at = key; from.has(at) && at !== start; at = got(from, at)) steps.unshift(at);
  return steps.reduce((made, step) => extended(board, made, flow, step), pipes);
}

// Fingers -----------------------------------------------------------------------------------------------

/**
 * What a finger began with, and the cell that it has come to. `pipes`, `flow`: of the pipe that it draws, in play.
 * @typedef {{board: Board, cell: Cell, to: Cell, point: number[], id: number, shift: boolean, x: number, y: number,
 *   timer?: number, pipes?: Pipes, flow?: number|null}} Touch
 */
export function attach(/** @type {BoardView} */ view) {
  const { root } = view;
  /** @type {Touch|null} */
  let held = null;

  const cancel = () => {
    clearTimeout(held?.timer);
    held = null;
    view.layers.cursor.replaceChildren();
  };

  root.addEventListener("pointerdown", (event) => {
    const { board } = store.now;
    if (event.button > 0 || !board || !(isCorrecting() || (isPlaying() && !view.bare)) || !event.isPrimary) return void cancel();
    const point = view.point(event);
    const cell = cellAt(board, point);
    if (!cell) return;
    if (event.pointerType === "mouse") event.preventDefault();
    if (!view.bare) view.focus(cell.key);
    /** @type {Touch} */
    const mine = { board, cell, point, to: cell, id: event.pointerId, shift: event.shiftKey, x: event.clientX, y: event.clientY };
    held = mine;
    if (isPlaying()) Object.assign(mine, begun(board, store.now.played, cell.key));
    else
      mine.timer = setTimeout(() => {
        held = null;
        if (mine.to === cell) tap(view, board, cell, point, "hole");
      }, LONG_MS);
    if ((isPlaying() && mine.flow !== null) || board.dots.has(cell.key) || ui.tool === "warp") root.setPointerCapture(event.pointerId);
  });

  root.addEventListener("pointermove", (event) => {
    if (!held || held.id !== event.pointerId) return;
    if (Math.hypot(event.clientX - held.x, event.clientY - held.y) > STILL_PX) clearTimeout(held.timer);
    const cell = cellAt(held.board, view.point(event));
    if (!cell || cell === held.to) return;
    const { board, flow } = held;
    const from = held.to;
    held.to = cell;
    if (held.pipes && typeof flow === "number") {
      for (const key of between(board, from.key, cell.key)) held.pipes = extended(board, held.pipes, flow, key);
      view.paintLines(board, { lines: linesOfPlay(held.pipes) });
    } else if (flow === undefined && (board.dots.has(held.cell.key) || ui.tool === "warp")) view.carry(held.cell, cell);
  });

  root.addEventListener("pointerup", (event) => {
    if (!held || held.id !== event.pointerId) return;
    const { board, cell, to, point, shift, flow, pipes } = held;
    cancel();
    if (board !== store.now.board) return;
    if (pipes) {
      if (to === cell) return tapToPlay(board, cell.key);
      selected = null;
      if (flow !== null) played(board, pipes);
    } else if (to === cell) tap(view, board, cell, point, shift ? "hole" : undefined);
    else if (board.dots.has(cell.key)) edit(moveDot(board, cell.key, to.key));
    else if (ui.tool === "warp") edit(toggleWarp(board, cell.key, to.key));
  });
  root.addEventListener("pointercancel", () => {
    const wasPlaying = !!held?.pipes;
    cancel();
    if (wasPlaying) store.changed();
  });
  root.addEventListener("contextmenu", (event) => (isCorrecting() || isPlaying()) && event.preventDefault());
  root.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey || view.bare) return;
      event.preventDefault();
      view.zoomBy(event.deltaY > 0 ? 0.87 : 1.15);
    },
    { passive: false },
  );
  if (!view.bare) root.addEventListener("keydown", (event) => boardKey(view, event));
}

// Cells from one to another, when a quick finger has left some out.
/** @param {Board} board @param {Key} from @param {Key} to */
function between(board, from, to) {
  if (joined(board, from, to) || board.free || board.tiling !== "square") return [to];
  const [[r, c], [s, d]] = [from, to].map((key) => key.split(",").map(Number));
  const way = [];
  for (let at = c; at !== d; at += Math.sign(d - at)) way.push(`${r},${at + Math.sign(d - at)}`);
  for (let at = r; at !== s; at += Math.sign(s - at)) way.push(`${at + Math.sign(s - at)},${d}`);
  return way;
}

// Keys --------------------------------------------------------------------------------------------------

/** The dot that was picked up. @type {Key|null} */
let carried = null;

/** @param {BoardView} view @param {KeyboardEvent} event */
function boardKey(view, event) {
  const { board } = store.now;
  const key = view.focused;
  if (!board || event.ctrlKey || event.metaKey || event.altKey) return;
  const way = WAYS[event.key];
  const next = way && neighbour(board, key, way);
  if (way && !event.shiftKey) {
    if (next) view.focus(next.key);
  } else if (isPlaying()) {
    if (!playKey(view, board, event, key, next)) return;
  } else if (!isCorrecting() || !correctKey(view, board, event, key, next)) return;
  event.preventDefault();
  event.stopPropagation();
}

// Shift and an arrow draw the pipe of the cell on; Enter chooses and leads, as a tap does.
/** @param {BoardView} view @param {Board} board @param {KeyboardEvent} event @param {Key} key @param {Cell|null} next */
function playKey(view, board, event, key, next) {
  const { played: pipes } = store.now;
  if (event.shiftKey && WAYS[event.key]) {
    const flow = flowAt(board, pipes, key);
    if (flow === null || !next) return true;
    const pipe = pipes[flow];
    const start = pipe?.[pipe.length - 1] === key ? pipes : begun(board, pipes, key).pipes;
    const made = extended(board, start, flow, next.key);
    if (made[flow]?.includes(next.key)) view.focus(next.key);
    played(board, made);
  } else if (event.key === "Enter" || event.key === " ") tapToPlay(board, key);
  else if (event.key === "Delete" || event.key === "Backspace") {
    const flow = flowAt(board, pipes, key);
    if (flow !== null)
      played(
        board,
        pipes.map((pipe, n) => (n === flow ? null : pipe)),
      );
  } else return false;
  return true;
}

/** @param {BoardView} view @param {Board} board @param {KeyboardEvent} event @param {Key} key @param {Cell|null} next */
function correctKey(view, board, event, key, next) {
  const letter = event.key.toLowerCase();
  const cell = got(geometry(board).of, key);
  if (event.shiftKey && WAYS[event.key]) {
    if (next) edit(toggleWall(board, key, next.key));
  } else if (event.key === "Enter" || event.key === " ") {
    if (carried) {
      edit(moveDot(board, carried, key));
      carried = null;
    } else if (ui.tool === "wall") tell("Shift and an arrow key make a wall on that side.");
    else tap(view, board, cell, cell.centre);
  } else if (event.key === "Delete" || event.key === "Backspace") edit(clearCell(board, key));
  else if (letter === "h") edit(toggleHole(board, key));
  else if (letter === "b") edit(toggleBridge(board, key));
  else if (letter === "w") tap(view, board, cell, cell.centre, "warp");
  else if (letter === "m") {
    carried = board.dots.has(key) ? key : null;
    light(carried ? [carried] : []);
    tell(carried ? "Picked up: go to another cell and press Enter." : "There is no dot here to pick up.");
  } else if (/^[0-9]$/.test(event.key)) {
    const n = (Number(event.key) + 9) % 10;
    if (n < board.flows.length) store.set({ brush: board.flows[n].rgb, tool: "dot" });
  } else if (event.key === "Escape") carried = null;
  else return false;
  return true;
}
