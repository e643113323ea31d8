// Fingers, mouse and keys on a board. It is changed under "Correct" alone, and played under "Play".

import { edit, flowFor } from "./actions.js";
import { acrossOf, cellAt, neighbour, pairKey, sideAt, WAYS } from "./board.js";
import { announce } from "./dom.js";
import { clearCell, moveDot, putDot, toggleBridge, toggleHole, toggleWall, toggleWarp } from "./edits.js";
import { begun, extended, flowAt, isDone, isSolved, joined, trimmed } from "./play.js";
import { notice, store, ui } from "./state.js";

const LONG_MS = 550;
// A finger that has moved further drags, however slowly.
const STILL_PX = 10;

const isCorrecting = () => ui.tab === "Correct" && !ui.crop && !store.now.pending;
const isPlaying = () => ui.tab === "Play";
function tell(words) {
  notice(words);
  announce(words);
}

// What the chosen tool does to a cell, at a point of it.
function tap(view, cell, point, wants = ui.tool) {
  const { board } = store.now;
  const { key } = cell;
  const side = sideAt(board, cell, point, wants === "wall" ? 2 : view.bare ? 0 : 0.13);
  if (wants === "hole") edit(toggleHole(board, key));
  else if (wants === "bridge") edit(toggleBridge(board, key));
  else if (wants === "wall") {
    if (side) edit(toggleWall(board, side.a, side.b));
  } else if (wants === "warp") {
    const ways = acrossOf(board, key).sort((a, b) => rim(key, a, point) - rim(key, b, point));
    if (ways.length) edit(toggleWarp(board, key, ways[0]));
    else tell("Warps join the two ends of a row or a column.");
  } else if (wants === "clear") edit(clearCell(board, key));
  else put(board, key, view.bare ? point : null);
}

// How far the rim is that a warp to the other cell goes over: corner cells have two.
function rim(key, other, [x, y]) {
  const [[r, c], [s]] = [key.split(",").map(Number), other.split(",").map(Number)];
  return r === s ? (c ? c + 1 - x : x) : r ? r + 1 - y : y;
}

function put(board, key, point = null) {
  const [made, flow] = flowFor(board, key, point);
  if (typeof flow === "string") return tell(flow);
  if (flow === null || board.dots.get(key) === flow) edit(clearCell(board, key));
  else edit(putDot(made, key, flow));
}

// Playing -----------------------------------------------------------------------------------------------

let selected = null;

function draw(view, pipes) {
  view.paintLines({ lines: linesOfPlay(pipes) });
}
export const linesOfPlay = (pipes) => pipes.flatMap((path, flow) => (path && path.length > 1 ? [{ flow, path }] : []));

function played(pipes) {
  const { board, played: before } = store.now;
  const made = trimmed(pipes);
  if (JSON.stringify(made) === JSON.stringify(trimmed(before))) return store.changed();
  ui.mistakes = false;
  const wasSolved = isSolved(board, before);
  store.push({ played: made });
  if (!wasSolved && isSolved(board, made)) announce("Solved!");
}

// Tap and tap: the first chooses a flow, the second leads its pipe there by the straight way.
function tapToPlay(key) {
  const { board, played: pipes } = store.now;
  if (selected === null || board.dots.has(key) || flowAt(board, pipes, key) !== null) {
    const { pipes: made, flow } = begun(board, pipes, key);
    const again = selected !== null && selected.board === board && board.dots.get(key) === selected.flow;
    if (again) {
      const led = lead(board, selected.pipes, selected.flow, key);
      selected = null;
      return played(led);
    }
    selected = flow === null ? null : { flow, pipes: made, board };
    return flow === null ? undefined : played(made);
  }
  const base = selected.board === board ? selected : null;
  selected = null;
  if (!base) return;
  const led = lead(board, base.pipes, base.flow, key);
  played(led);
  if (led[base.flow] && !isDone(board, led[base.flow], base.flow)) selected = { ...base, pipes: led };
}

// The pipe on to a cell, by the shortest way over cells that no dot holds.
function lead(board, pipes, flow, key) {
  const pipe = pipes[flow] ?? [];
  const start = pipe[pipe.length - 1];
  const from = new Map([[start, null]]);
  const queue = [start];
  while (queue.length && !from.has(key)) {
    const at = queue.shift();
    for (const way of Object.values(WAYS)) {
      const next = neighbour(board, at, way)?.key;
      if (!next || from.has(next) || !joined(board, at, next)) continue;
      if ((board.dots.has(next) && next !== key) || pipe.includes(next) || pipes.some((other) => other?.includes(next) && next !== key))
        continue;
      from.set(next, at);
      queue.push(next);
    }
  }
  const steps = [];
  for (let at = key; from.has(at) && at !== start; at = from.get(at)) steps.unshift(at);
  return steps.reduce((made, step) => extended(board, made, flow, step), pipes);
}

// Fingers -----------------------------------------------------------------------------------------------

export function attach(view) {
  const { root } = view;
  let held = null;

  const cancel = () => {
    clearTimeout(held?.timer);
    held = null;
    view.carry?.(null);
  };
  const cellUnder = (event) => cellAt(store.now.board, view.point(event));

  root.addEventListener("pointerdown", (event) => {
    const { board } = store.now;
    if (event.button > 0 || !board || !(isCorrecting() || (isPlaying() && !view.bare)) || !event.isPrimary) return void cancel();
    const point = view.point(event);
    const cell = cellAt(board, point);
    if (!cell) return;
    if (event.pointerType === "mouse") event.preventDefault();
    if (!view.bare) view.focus(cell.key);
    held = { board, cell, point, to: cell, id: event.pointerId, shift: event.shiftKey, x: event.clientX, y: event.clientY };
    if (isPlaying()) Object.assign(held, begun(board, store.now.played, cell.key));
    else
      held.timer = setTimeout(() => {
        if (held && held.to === held.cell) tap(view, held.cell, held.point, "hole");
        held = null;
      }, LONG_MS);
    if ((isPlaying() && held.flow !== null) || board.dots.has(cell.key) || ui.tool === "warp") root.setPointerCapture(event.pointerId);
  });

  root.addEventListener("pointermove", (event) => {
    if (!held || held.id !== event.pointerId) return;
    if (Math.hypot(event.clientX - held.x, event.clientY - held.y) > STILL_PX) clearTimeout(held.timer);
    const cell = cellUnder(event);
    if (!cell || cell === held.to) return;
    if (held.flow !== undefined) {
      if (held.flow === null) return;
      for (const key of between(held.board, held.to.key, cell.key)) held.pipes = extended(held.board, held.pipes, held.flow, key);
      held.to = cell;
      return draw(view, held.pipes);
    }
    held.to = cell;
    if (held.board.dots.has(held.cell.key) || ui.tool === "warp") view.carry?.(held.cell.key, cell.key);
  });

  root.addEventListener("pointerup", (event) => {
    if (!held || held.id !== event.pointerId) return;
    const { board, cell, to, point, shift, flow, pipes } = held;
    cancel();
    if (board !== store.now.board) return;
    if (flow !== undefined) {
      if (to === cell) return tapToPlay(cell.key);
      selected = null;
      return flow === null ? undefined : played(pipes);
    }
    if (to === cell) tap(view, cell, point, shift ? "hole" : undefined);
    else if (board.dots.has(cell.key)) edit(moveDot(board, cell.key, to.key));
    else if (ui.tool === "warp") edit(toggleWarp(board, cell.key, to.key));
  });
  root.addEventListener("pointercancel", () => {
    const wasPlaying = held?.flow !== undefined;
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
function between(board, from, to) {
  if (joined(board, from, to) || board.free || board.tiling !== "square") return [to];
  const [[r, c], [s, d]] = [from, to].map((key) => key.split(",").map(Number));
  const way = [];
  for (let at = c; at !== d; at += Math.sign(d - at)) way.push(`${r},${at + Math.sign(d - at)}`);
  for (let at = r; at !== s; at += Math.sign(s - at)) way.push(`${at + Math.sign(s - at)},${d}`);
  return way;
}

// Keys --------------------------------------------------------------------------------------------------

let carried = null;

function boardKey(view, event) {
  const { board } = store.now;
  const key = view.focused;
  if (!board || event.ctrlKey || event.metaKey || event.altKey) return;
  const way = WAYS[event.key];
  const next = way && neighbour(board, key, way);
  if (way && !event.shiftKey) {
    if (next) view.focus(next.key);
  } else if (isPlaying()) {
    if (!playKey(view, event, key, next)) return;
  } else if (!isCorrecting() || !correctKey(view, event, key, next)) return;
  event.preventDefault();
  event.stopPropagation();
}

// Shift and an arrow draw the pipe of the cell on; Enter chooses and leads, as a tap does.
function playKey(view, event, key, next) {
  const { board, played: pipes } = store.now;
  if (event.shiftKey && WAYS[event.key]) {
    const flow = flowAt(board, pipes, key);
    if (flow === null || !next) return true;
    const pipe = pipes[flow];
    const start = pipe?.[pipe.length - 1] === key ? pipes : begun(board, pipes, key).pipes;
    const made = extended(board, start, flow, next.key);
    if (made[flow]?.includes(next.key)) view.focus(next.key);
    played(made);
  } else if (event.key === "Enter" || event.key === " ") tapToPlay(key);
  else if (event.key === "Delete" || event.key === "Backspace") {
    const flow = flowAt(board, pipes, key);
    if (flow !== null) played(pipes.map((pipe, n) => (n === flow ? null : pipe)));
  } else return false;
  return true;
}

function correctKey(view, event, key, next) {
  const { board } = store.now;
  const letter = event.key.toLowerCase();
  const cell = view.cell(key);
  if (event.shiftKey && WAYS[event.key]) {
    const [a, b] = next ? pairKey(key, next.key).split("|") : [];
    if (next) edit(toggleWall(board, a, b));
  } else if (event.key === "Enter" || event.key === " ") {
    if (carried) {
      edit(moveDot(board, carried, key));
      carried = null;
    } else if (ui.tool === "wall") tell("Shift and an arrow key make a wall on that side.");
    else tap(view, cell, cell.centre);
  } else if (event.key === "Delete" || event.key === "Backspace") edit(clearCell(board, key));
  else if (letter === "h") edit(toggleHole(board, key));
  else if (letter === "b") edit(toggleBridge(board, key));
  else if (letter === "w") tap(view, cell, cell.centre, "warp");
  else if (letter === "m") {
    carried = board.dots.has(key) ? key : null;
    tell(carried ? "Picked up: go to another cell and press Enter." : "There is no dot here to pick up.");
  } else if (/^[0-9]$/.test(event.key)) {
    const n = (Number(event.key) + 9) % 10;
    if (n < board.flows.length) store.set({ brush: n, tool: "dot" });
  } else if (event.key === "Escape") carried = null;
  else return false;
  return true;
}
