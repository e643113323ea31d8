// Edits: each takes a board and gives a new one, or the same when there is nothing to do.

import { acrossOf, distance, dotsOf, keyOf, newFlow, pairKey } from "./board.js";

// A board whose parts are its own.
/** @param {Board} board @returns {Board} */
const copied = (board) => ({
  ...board,
  holes: new Set(board.holes),
  walls: new Set(board.walls),
  bridges: new Set(board.bridges),
  warps: new Set(board.warps),
  dots: new Map(board.dots),
  flows: [...board.flows],
});

/** @param {Set<string>} set @param {string} item */
const toggled = (set, item) => (set.has(item) ? set.delete(item) : set.add(item));

/** @param {Board} board @param {Key} key @param {number} flow */
export function putDot(board, key, flow) {
  if (board.holes.has(key) || board.dots.get(key) === flow) return board;
  const made = copied(board);
  made.dots.set(key, flow);
  made.bridges.delete(key);
  return made;
}

/** @param {Board} board @param {Key} key */
export function clearCell(board, key) {
  const made = copied(board);
  made.dots.delete(key);
  made.holes.delete(key);
  made.bridges.delete(key);
  return made;
}

// A dot goes to another cell; where one lies already, they change places.
/** @param {Board} board @param {Key} from @param {Key} to */
export function moveDot(board, from, to) {
  const carried = board.dots.get(from);
  if (from === to || board.holes.has(to) || carried === undefined) return board;
  const made = copied(board);
  const other = board.dots.get(to);
  made.dots.set(to, carried);
  made.bridges.delete(to);
  if (other === undefined) made.dots.delete(from);
  else made.dots.set(from, other);
  return made;
}

/** @param {Board} board @param {string} rgb */
export function addFlow(board, rgb) {
  const made = copied(board);
  made.flows.push(newFlow(board.flows, rgb));
  return made;
}

// The flow a colour belongs to: one that lacks a dot and looks the same, else a new one.
/** @param {Board} board @param {string} rgb @returns {[Board, number]} */
export function withFlowFor(board, rgb) {
  const counts = dotsOf(board);
  const apart = board.flows.map((flow) => distance(flow.rgb, rgb));
  const lacking = [...apart.keys()].filter((n) => counts[n].length < 2 && apart[n] < SAME).sort((a, b) => apart[a] - apart[b]);
  if (lacking.length) return [board, lacking[0]];
  const made = addFlow(board, rgb);
  return [made, made.flows.length - 1];
}
const SAME = 70;

// The flow of a dot that is tapped in. `seen`: the colour that the picture shows there, null for ground or a cover. The only
// flow that lacks a dot has it there, or in a cell that the message names; else the picture says which flow it is.
/** @param {Board} board @param {string|null} seen @param {boolean} isNamed @returns {[Board, number|null]} */
export function flowTapped(board, seen, isNamed) {
  const lone = dotsOf(board).flatMap((keys, n) => (keys.length === 1 ? [n] : []));
  const isOther = !!seen && board.flows.some(({ rgb }, n) => n !== lone[0] && distance(rgb, seen) < SAME);
  if (lone.length === 1 && (!seen || (isNamed && !isOther))) return [board, lone[0]];
  return seen ? withFlowFor(board, seen) : [board, null];
}

/** @param {Board} board @param {Key} a @param {Key} b */
export function toggleWall(board, a, b) {
  const made = copied(board);
  toggled(made.walls, pairKey(a, b));
  return made;
}

/** @param {Board} board @param {string[]} walls */
export function withoutWalls(board, walls) {
  const made = copied(board);
  for (const pair of walls) made.walls.delete(pair);
  return made;
}

/** @param {Board} board @param {Key} key */
export function toggleHole(board, key) {
  if (board.free) return board;
  const made = copied(board);
  toggled(made.holes, key);
  made.dots.delete(key);
  made.bridges.delete(key);
  for (const set of [made.walls, made.warps]) for (const pair of [...set]) if (pair.split("|").includes(key)) set.delete(pair);
  return made;
}

/** @param {Board} board @param {Key} key */
export function toggleBridge(board, key) {
  if (board.tiling !== "square" || board.holes.has(key)) return board;
  const made = copied(board);
  toggled(made.bridges, key);
  made.dots.delete(key);
  return made;
}

/** @param {Board} board @param {Key} key @param {Key} other */
export function toggleWarp(board, key, other) {
  if (!acrossOf(board, key).includes(other)) return board;
  const made = copied(board);
  toggled(made.warps, pairKey(key, other));
  return made;
}

// Cells and holes alone.
/** @param {Board} board @returns {Board} */
export function cleared(board) {
  return { ...board, dots: new Map(), walls: new Set(), bridges: new Set(), warps: new Set() };
}

// Another number of rows and columns, some of them before the first: what does not fit any more goes.
/** @param {Board} board @param {number} rows @param {number} cols @param {number[]} shift @returns {Board} */
export function resized(board, rows, cols, [down, right] = [0, 0]) {
  const made = { ...board, rows, cols, holes: new Set(), walls: new Set(), bridges: new Set(), warps: new Set(), dots: new Map() };
  const moved = (/** @type {Key} */ key) => {
    const [r, c] = key.split(",").map(Number);
    const [y, x] = [r + down, c + right];
    return y >= 0 && x >= 0 && y < rows && x < cols ? `${y},${x}` : "";
  };
  for (const [key, flow] of board.dots) if (moved(key)) made.dots.set(moved(key), flow);
  for (const key of board.holes) if (moved(key)) made.holes.add(moved(key));
  for (const key of board.bridges) if (moved(key)) made.bridges.add(moved(key));
  for (const pair of board.walls) {
    const [a, b] = pair.split("|").map(moved);
    if (a && b) made.walls.add(pairKey(a, b));
  }
  return made;
}

// The dots that a refusal advises to set, by the letters of their flows.
/** @param {Board} board @param {{key: Key, letter: string}[]} dots */
export function withDots(board, dots) {
  return dots.reduce((made, { key, letter }) => {
    const flow = made.flows.findIndex((one) => one.letter === letter);
    return flow < 0 ? made : putDot(made, key, flow);
  }, board);
}

// What a repair of the solver says: dots that lie elsewhere than they were read. `flows`: of the puzzle.
/** @param {Board} board @param {Repair} repair @param {number[]} flows */
export function repaired(board, repair, flows) {
  const made = copied(board);
  for (const { read } of repair.changes) made.dots.delete(keyOf(read));
  for (const { flow, meant } of repair.changes) made.dots.set(keyOf(meant), flows[flow]);
  return made;
}
