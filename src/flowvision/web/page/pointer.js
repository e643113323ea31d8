// Pointer and keys on a board: edits under Correct, pipes under Play.

import { edit, flowFor, see } from "./actions.js";
import { acrossOf, cellAt, geometry, got, neighbour, sideAt, WAYS } from "./board.js";
import { $ } from "./dom.js";
import { clearCell, putDot, toggleBridge, toggleHole, toggleWall, toggleWarp } from "./edits.js";
import { begun, extended, flowAt, isDone, isSolved, joined, ledTo, linesOfPlay, trimmed } from "./pipes.js";
import { countMove } from "./play.js";
import { NONE, notice, store, ui } from "./state.js";

/** A cell is held, not tapped. */
const HOLD_MS = 400;
/** A drag so near the border of an enlarged board moves it, by so much a time. */
const [BORDER_PX, STEP_PX] = [32, 12];

const isCorrecting = () => (ui.tab === "Correct" || (ui.tab === "Make" && !store.now.picture)) && !ui.crop && !store.now.pending;
const isPlaying = () => ui.tab === "Play";

/** @type {Record<string, (board: Board, key: Key) => Board>} tools that change one cell */
const IN_CELLS = { hole: toggleHole, bridge: toggleBridge, clear: clearCell };
function tap(/** @type {Board} */ board, /** @type {Cell} */ cell, /** @type {number[]} */ point, /** @type {boolean} */ isPicture) {
  const { key } = cell;
  const { tool } = ui;
  if (IN_CELLS[tool]) edit(IN_CELLS[tool](board, key));
  else if (tool === "wall") {
    const side = sideAt(board, cell, point);
    if (side) edit(toggleWall(board, side.a, side.b));
  } else if (tool === "warp") {
    const [way] = acrossOf(board, key).sort((a, b) => off(key, a, point) - off(key, b, point));
    if (way) edit(toggleWarp(board, key, way));
    else notice("Tap a cell at the edge: a warp joins the two ends of a row or a column.");
  } else if (tool === "dot") {
    const [made, flow] = flowFor(board, key, isPicture ? point : null);
    if (typeof flow === "string") notice(flow);
    else edit(flow === null || board.dots.get(key) === flow ? clearCell(board, key) : putDot(made, key, flow));
  }
}

// Return the distance to the border that a warp crosses; corner cells have two.
function off(/** @type {Key} */ key, /** @type {Key} */ other, /** @type {number[]} */ [x, y]) {
  const [[r, c], [s]] = [key, other].map((one) => one.split(",").map(Number));
  const [at, n] = r === s ? [x, c] : [y, r];
  return n ? n + 1 - at : at;
}

/** The tapped flow, which the next tap extends. @type {{flow: number, board: Board}|null} */
let selected = null;

function play(/** @type {Pipes} */ pipes) {
  const played = trimmed(pipes);
  if (JSON.stringify(played) === JSON.stringify(trimmed(store.now.played))) return store.changed();
  const { board } = /** @type {Opened} */ (store.now);
  countMove(board, isSolved(board, played));
  store.push({ played }, { mistakes: false, isHidden: ui.isHidden && !isSolved(board, played), seen: NONE });
}

// The first tap chooses a flow, the next one extends its pipe.
function tapToPlay(/** @type {Board} */ board, /** @type {Key} */ key) {
  const { played } = store.now;
  const flow = selected && selected.board === board ? selected.flow : null;
  const isEnd = flow !== null && board.dots.get(key) === flow && played[flow]?.[0] !== key;
  if (flow !== null && (isEnd || flowAt(board, played, key) === null)) {
    const pipes = ledTo(board, played, flow, key);
    selected = isDone(board, pipes[flow], flow) ? null : selected;
    return play(pipes);
  }
  const start = begun(board, played, key);
  selected = start.flow === null ? null : { flow: start.flow, board };
  if (start.flow === null) return;
  play(start.pipes);
  // A pipe of one cell waits for the next tap.
  store.amend(store.now.id, { played: start.pipes });
  see({ lit: [key] });
}

export function attach(/** @type {import("./view.js").BoardView} */ view) {
  const { root } = view;
  const pane = /** @type {HTMLElement} */ (root.parentElement);
  /** @type {Drag|null} */
  let held = null;
  let [frame, timer] = [0, 0];

  // Show the picture while a cell without a pipe is held.
  const peek = (/** @type {boolean} */ isOn) => {
    clearTimeout(timer);
    $("work").classList.toggle("peeking", isOn);
    if (isOn) held = null;
  };
  const scroll = (/** @type {MouseEvent} */ { clientX, clientY }, /** @type {DOMRect} */ { left, top, right, bottom }) => {
    const by = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ high) =>
      at < low + BORDER_PX ? -STEP_PX : at > high - BORDER_PX ? STEP_PX : 0;
    pane.scrollBy(by(clientX, left, right), by(clientY, top, bottom));
  };
  const follow = () => {
    frame = 0;
    if (!held?.pipes || typeof held.flow !== "number") return;
    for (const point of held.moves.splice(0)) {
      const { board, flow, to: from } = held;
      const cell = cellAt(board, point);
      if (!cell || cell === from) continue;
      held.to = cell;
      for (const key of between(board, from.key, cell.key)) held.pipes = extended(board, held.pipes ?? [], flow, key);
    }
    view.paintLines(held.board, { lines: linesOfPlay(held.pipes) });
  };
  root.addEventListener("pointerdown", (event) => {
    const { board, picture } = store.now;
    const isOff = event.button > 0 || !event.isPrimary || !(isCorrecting() || (isPlaying() && !view.bare));
    const at = view.pointer();
    const point = at(event);
    const cell = board && !isOff && cellAt(board, point);
    held = null;
    if (!cell) return;
    if (event.pointerType === "mouse") event.preventDefault();
    if (!view.bare) view.focus(cell.key);
    const drag = isPlaying() && begun(board, store.now.played, cell.key);
    held = { board, cell, point, to: cell, id: event.pointerId, at, moves: [], box: pane.getBoundingClientRect(), ...drag };
    if (typeof held.flow === "number") root.setPointerCapture(event.pointerId);
    else if (picture && !view.bare && event.pointerType === "touch") timer = window.setTimeout(peek, HOLD_MS, true);
  });
  root.addEventListener("pointermove", (event) => {
    if (held?.id !== event.pointerId) return;
    const point = held.at(event);
    if (!held.pipes || typeof held.flow !== "number") {
      const to = cellAt(held.board, point);
      if (to && to !== held.cell) clearTimeout(timer);
      held.to = to ?? held.to;
      return;
    }
    held.moves.push(point);
    if (ui.isZoomed) scroll(event, held.box);
    if (!frame) frame = requestAnimationFrame(follow);
  });
  root.addEventListener("pointerup", (event) => {
    peek(false);
    if (held?.id !== event.pointerId) return;
    follow();
    const { board, cell, to, point, flow, pipes } = held;
    held = null;
    if (board !== store.now.board) return;
    if (!pipes && to === cell) tap(board, cell, point, view.bare);
    else if (pipes && to === cell) tapToPlay(board, cell.key);
    else if (pipes && flow !== null) {
      selected = null;
      play(pipes);
    }
  });
  root.addEventListener("pointercancel", () => {
    peek(false);
    held = null;
    store.changed();
  });
  pane.addEventListener("scroll", () => Object.assign(held ?? {}, { at: view.pointer() }));
  root.addEventListener("contextmenu", (event) => (isCorrecting() || isPlaying()) && event.preventDefault());
  if (!view.bare) root.addEventListener("keydown", (event) => boardKey(view, event));
}

// Return the cells that a fast drag skipped.
function between(/** @type {Board} */ board, /** @type {Key} */ from, /** @type {Key} */ to) {
  if (joined(board, from, to) || board.tiling !== "square") return [to];
  const [[r, c], [s, d]] = [from, to].map((key) => key.split(",").map(Number));
  const way = [];
  for (let at = c; at !== d; at += Math.sign(d - at)) way.push(`${r},${at + Math.sign(d - at)}`);
  for (let at = r; at !== s; at += Math.sign(s - at)) way.push(`${at + Math.sign(s - at)},${d}`);
  return way;
}

// Keys: arrows move; with Shift they draw a pipe or set a wall; Enter taps; Delete erases.
function boardKey(/** @type {import("./view.js").BoardView} */ view, /** @type {any} */ event) {
  const { board, played } = store.now;
  const key = view.focused;
  const way = WAYS[event.key];
  if (!board || event.ctrlKey || event.metaKey || event.altKey) return;
  const isDelete = event.key === "Delete" || event.key === "Backspace";
  if (!way && !isDelete && event.key !== "Enter" && event.key !== " ") return;
  const next = way && neighbour(board, key, way);
  const flow = flowAt(board, played, key);
  event.preventDefault();
  event.stopPropagation();
  if (way && !event.shiftKey) {
    if (next) view.focus(next.key);
  } else if (isCorrecting()) {
    const cell = got(geometry(board).of, key);
    if (isDelete) edit(clearCell(board, key));
    else if (!way && ui.tool === "wall") notice("Shift and an arrow key set a wall on that side.");
    else if (!way) tap(board, cell, cell.centre, false);
    else if (next) edit(toggleWall(board, key, next.key));
  } else if (isPlaying()) {
    if (!way && !isDelete) tapToPlay(board, key);
    else if (isDelete) play(played.map((pipe, n) => (n === flow ? null : pipe)));
    else if (next && flow !== null) {
      const pipe = played[flow];
      const pipes = extended(board, pipe?.[pipe.length - 1] === key ? played : begun(board, played, key).pipes, flow, next.key);
      if (pipes[flow]?.includes(next.key)) view.focus(next.key);
      play(pipes);
    }
  }
}
