// Fingers, mouse and keys on a board, turned into edits.

import { acrossOf, cellAt, neighbour, pairKey, sideAt } from "./board.js";
import * as edits from "./edits.js";

const LONG_MS = 550;
const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

// `tools`: { board(), tool(), flowFor(board, key) → [board, flow] | null, apply(board), say(words) }.
export function attach(view, tools) {
  const { root } = view;
  const fingers = new Map();
  let held = null;

  const edit = (made) => {
    if (made !== tools.board()) tools.apply(made);
  };

  function tap(cell, point, wants) {
    const board = tools.board();
    const tool = wants ?? tools.tool();
    const { key } = cell;
    const side = sideAt(board, cell, point, tool === "wall" ? 2 : view.bare ? 0 : 0.13);
    if (tool === "hole") edit(edits.toggleHole(board, key));
    else if (tool === "bridge") edit(edits.toggleBridge(board, key));
    else if (tool === "wall" || (tool === "dot" && side && !board.dots.has(key))) {
      if (side) edit(edits.toggleWall(board, side.a, side.b));
    } else if (tool === "warp") {
      const ways = acrossOf(board, key).sort((a, b) => rim(board, key, a, point) - rim(board, key, b, point));
      if (ways.length) edit(edits.toggleWarp(board, key, ways[0]));
      else tools.say("Warps join the two ends of a row or a column.");
    } else if (tool === "clear") edit(edits.clearCell(board, key));
    else put(board, key);
  }

  // Of the rims a corner cell has, the one nearer to the point.
  function rim(board, key, other, [x, y]) {
    const [[r, c], [s]] = [key.split(",").map(Number), other.split(",").map(Number)];
    return r === s ? (c ? c + 1 - x : x) : r ? r + 1 - y : y;
  }

  function put(board, key) {
    const [made, flow] = tools.flowFor(board, key);
    if (flow === null || board.dots.get(key) === flow) edit(edits.clearCell(board, key));
    else edit(edits.putDot(made, key, flow));
  }

  root.addEventListener("pointerdown", (event) => {
    if (event.button > 0 || !tools.board()) return;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size > 1) return void cancel();
    const point = view.point(event);
    const cell = cellAt(tools.board(), point);
    if (!cell) return;
    if (event.pointerType === "mouse") event.preventDefault();
    held = { cell, point, to: cell, id: event.pointerId, shift: event.shiftKey };
    held.timer = setTimeout(() => {
      if (!held || held.to !== held.cell) return;
      tap(held.cell, held.point, "hole");
      held = null;
    }, LONG_MS);
    if (!view.bare) view.focus(cell.key);
  });

  root.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    if (fingers.size === 2 && !view.bare) pinch(event);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (!held || held.id !== event.pointerId) return;
    const cell = cellAt(tools.board(), view.point(event));
    if (cell && cell !== held.to) {
      held.to = cell;
      clearTimeout(held.timer);
      if (tools.board().dots.has(held.cell.key) || acrossOf(tools.board(), held.cell.key).length)
        root.setPointerCapture(event.pointerId);
      view.carry?.(held.cell.key, cell.key);
    }
  });

  function pinch(event) {
    const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
    const [old, now] = [fingers.get(event.pointerId), [event.clientX, event.clientY]];
    const far = (a) => Math.hypot(a[0] - other[0], a[1] - other[1]);
    const box = root.getBoundingClientRect();
    const [w, h] = [box.width, box.height];
    const [x, y] = view.view;
    const scale = view.view[2] / w;
    view.zoom([x - ((now[0] - old[0]) / 2) * scale, y - ((now[1] - old[1]) / 2) * scale, ...view.view.slice(2)]);
    view.zoomBy(Math.max(0.5, Math.min(2, far(old) / far(now))), [((now[0] + other[0]) / 2 - box.left) / w, ((now[1] + other[1]) / 2 - box.top) / h]);
  }

  function drop(event) {
    fingers.delete(event.pointerId);
    if (!held || held.id !== event.pointerId) return;
    const { cell, to, point, shift } = held;
    cancel();
    if (to === cell) tap(cell, point, shift ? "hole" : undefined);
    else if (tools.board().dots.has(cell.key)) edit(edits.moveDot(tools.board(), cell.key, to.key));
    else edit(edits.toggleWarp(tools.board(), cell.key, to.key));
  }

  function cancel() {
    clearTimeout(held?.timer);
    held = null;
    view.carry?.(null);
  }

  root.addEventListener("pointerup", drop);
  root.addEventListener("pointercancel", (event) => {
    fingers.delete(event.pointerId);
    cancel();
  });
  root.addEventListener("contextmenu", (event) => event.preventDefault());
  root.addEventListener("wheel", (event) => {
    if (!event.ctrlKey || view.bare) return;
    event.preventDefault();
    const box = root.getBoundingClientRect();
    view.zoomBy(event.deltaY > 0 ? 1.15 : 0.87, [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height]);
  }, { passive: false });

  if (view.bare) return;
  let carried = null;
  root.addEventListener("keydown", (event) => {
    const board = tools.board();
    const key = view.focused;
    if (!board || event.ctrlKey || event.metaKey || event.altKey) return;
    const way = WAYS[event.key];
    const letter = event.key.toLowerCase();
    if (way) {
      const cell = neighbour(board, key, way);
      if (event.shiftKey) {
        if (cell) edit(edits.toggleWall(board, ...pairKey(key, cell.key).split("|")));
      } else if (cell) view.focus(cell.key);
    } else if (event.key === "Enter" || event.key === " ") {
      if (carried) {
        edit(edits.moveDot(board, carried, key));
        carried = null;
      } else if (tools.tool() === "wall") tools.say("Shift and an arrow key make a wall on that side.");
      else tap(view.cell(key), view.cell(key).centre);
    } else if (event.key === "Delete" || event.key === "Backspace") edit(edits.clearCell(board, key));
    else if (letter === "h") edit(edits.toggleHole(board, key));
    else if (letter === "b") edit(edits.toggleBridge(board, key));
    else if (letter === "w") tap(view.cell(key), view.cell(key).centre, "warp");
    else if (letter === "m") {
      carried = board.dots.has(key) ? key : null;
      tools.say(carried ? "Picked up: go to another cell and press Enter." : "There is no dot here to pick up.");
    } else if (/^[0-9]$/.test(event.key)) tools.choose((Number(event.key) + 9) % 10);
    else if (event.key === "Escape") carried = null;
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
