// Edits: each takes a board and gives a new one, or the same when there is nothing to do.

import { acrossOf, countsOf, distance, keyOf, newFlow, pairKey } from "./board.js";

const copied = (board, names) => {
  const made = { ...board };
  for (const name of names)
    made[name] = board[name] instanceof Map ? new Map(board[name]) : board[name] instanceof Set ? new Set(board[name]) : [...board[name]];
  return made;
};

const toggled = (set, item) => (set.has(item) ? set.delete(item) : set.add(item));

export function putDot(board, key, flow) {
  if (board.holes.has(key) || board.dots.get(key) === flow) return board;
  const made = copied(board, ["dots", "bridges"]);
  made.dots.set(key, flow);
  made.bridges.delete(key);
  return made;
}

export function clearCell(board, key) {
  const made = copied(board, ["dots", "holes", "bridges"]);
  made.dots.delete(key);
  made.holes.delete(key);
  made.bridges.delete(key);
  return made;
}

// A dot goes to another cell; where one lies already, they change places.
export function moveDot(board, from, to) {
  if (from === to || board.holes.has(to) || !board.dots.has(from)) return board;
  const made = copied(board, ["dots", "bridges"]);
  const other = board.dots.get(to);
  made.dots.set(to, board.dots.get(from));
  made.bridges.delete(to);
  if (other === undefined) made.dots.delete(from);
  else made.dots.set(from, other);
  return made;
}

export function addFlow(board, rgb) {
  const made = copied(board, ["flows"]);
  made.flows.push(newFlow(board.flows, rgb));
  return made;
}

// The flow a colour belongs to: one whose other dot is missing and looks alike, else any alike, else a new one.
export function withFlowFor(board, rgb) {
  const counts = countsOf(board);
  const apart = board.flows.map((flow) => distance(flow.rgb, rgb));
  const best = (numbers) => numbers.sort((a, b) => apart[a] - apart[b])[0];
  const single = best([...apart.keys()].filter((n) => counts[n].length === 1 && apart[n] < 170));
  if (single !== undefined) return [board, single];
  const empty = best([...apart.keys()].filter((n) => !counts[n].length && apart[n] < 40));
  if (empty !== undefined) return [board, empty];
  const made = addFlow(board, rgb);
  return [made, made.flows.length - 1];
}

export function toggleWall(board, a, b) {
  const made = copied(board, ["walls"]);
  toggled(made.walls, pairKey(a, b));
  return made;
}

export function toggleHole(board, key) {
  if (board.free) return board;
  const made = copied(board, ["holes", "dots", "bridges", "walls", "warps"]);
  toggled(made.holes, key);
  made.dots.delete(key);
  made.bridges.delete(key);
  for (const set of [made.walls, made.warps]) for (const pair of [...set]) if (pair.split("|").includes(key)) set.delete(pair);
  return made;
}

export function toggleBridge(board, key) {
  if (board.tiling !== "square" || board.holes.has(key)) return board;
  const made = copied(board, ["bridges", "dots"]);
  toggled(made.bridges, key);
  made.dots.delete(key);
  return made;
}

export function toggleWarp(board, key, other) {
  if (!acrossOf(board, key).includes(other)) return board;
  const made = copied(board, ["warps"]);
  toggled(made.warps, pairKey(key, other));
  return made;
}

export function cleared(board) {
  return { ...board, dots: new Map(), walls: new Set(), bridges: new Set(), warps: new Set() };
}

// Another number of rows and columns, some of them before the first: what does not fit any more goes.
/** @param {import("./board.js").Board} board @param {number} rows @param {number} cols @param {number[]} shift */
export function resized(board, rows, cols, [down, right] = [0, 0]) {
  const made = { ...board, rows, cols, holes: new Set(), walls: new Set(), bridges: new Set(), warps: new Set(), dots: new Map() };
  const moved = (key) => {
    const [r, c] = key.split(",").map(Number);
    const [y, x] = [r + down, c + right];
    return y >= 0 && x >= 0 && y < rows && x < cols ? `${y},${x}` : null;
  };
  for (const [key, flow] of board.dots) if (moved(key) !== null) made.dots.set(moved(key), flow);
  for (const name of ["holes", "bridges"]) for (const key of board[name]) if (moved(key) !== null) made[name].add(moved(key));
  for (const pair of board.walls) {
    const [a, b] = pair.split("|").map(moved);
    if (a !== null && b !== null) made.walls.add(pairKey(a, b));
  }
  return made;
}

// What a repair of the solver says: dots that lie elsewhere than they were read. `flows`: of the puzzle.
export function repaired(board, repair, flows) {
  const made = copied(board, ["dots"]);
  for (const { read } of repair.changes) made.dots.delete(keyOf(read));
  for (const { flow, meant } of repair.changes) made.dots.set(keyOf(meant), flows[flow]);
  return made;
}
