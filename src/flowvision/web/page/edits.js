// Edits: each takes a board and returns a new one, or the same if nothing changes.

import { acrossOf, distance, dotsOf, isOfGame, keyOf, newFlow, pairKey, pairOf, placeOf, spareColour } from "./board.js";

/** Two measurements of one dot's colour are nearer than this. */
const SAME = 70;

function changed(/** @type {Board} */ board, /** @type {(made: Board) => void} */ change) {
  const made = { ...structuredClone({ ...board, free: null }), free: board.free };
  change(made);
  return made;
}

const toggle = (/** @type {Set<string>} */ set, /** @type {string} */ item) => (set.has(item) ? set.delete(item) : set.add(item));

// Put a dot in a cell, also in one that was taken for a hole.
export const putDot = (/** @type {Board} */ board, /** @type {Key} */ key, /** @type {number} */ flow) =>
  board.dots.get(key) === flow ? board : changed(clearCell(board, key), ({ dots }) => dots.set(key, flow));

export const clearCell = (/** @type {Board} */ board, /** @type {Key} */ key) =>
  changed(board, ({ dots, holes, bridges }) => {
    for (const marks of [dots, holes, bridges]) marks.delete(key);
  });

export const addFlow = (/** @type {Board} */ board, /** @type {string} */ rgb) =>
  changed(board, ({ flows }) => flows.push(newFlow(flows, rgb)));

// Return the flow for a dot of this colour: a similar one that lacks a dot, else a new one.
/** @returns {[Board, number]} */
export function withFlowFor(/** @type {Board} */ board, /** @type {string} */ rgb) {
  const dots = dotsOf(board);
  const apart = board.flows.map((flow) => distance(flow.rgb, rgb));
  const [found] = [...apart.keys()].filter((n) => dots[n].length < 2 && apart[n] < SAME).sort((a, b) => apart[a] - apart[b]);
  return found === undefined ? [addFlow(board, rgb), board.flows.length] : [board, found];
}

// Add dots of these colours.
export const withDots = (/** @type {Board} */ board, /** @type {[Key, string][]} */ dots) =>
  dots.reduce((made, [key, rgb]) => {
    const [more, flow] = withFlowFor(made, rgb);
    return putDot(more, key, flow);
  }, board);

// Return the flow for the next dot of a board without a picture: the first that lacks one, else a new one.
/** @returns {[Board, number]} */
export function withSpareFlow(/** @type {Board} */ board) {
  const found = dotsOf(board).findIndex((keys) => keys.length < 2);
  return found < 0 ? [addFlow(board, spareColour(board.flows)), board.flows.length] : [board, found];
}

export const loneFlows = (/** @type {Board} */ board) => dotsOf(board).flatMap((keys, n) => (keys.length === 1 ? [n] : []));

// Return the flow of a tapped dot, null where the picture does not tell. `look`: what the cell shows.
// The only flow that lacks a dot has it under a cover, and where the colour seen is that of a whole pair.
/** @returns {[Board, number|null]} */
export function flowTapped(/** @type {Board} */ board, /** @type {Look} */ { kind, rgb }) {
  const [dots, lone] = [dotsOf(board), loneFlows(board)];
  const near = [...board.flows.keys()].filter((n) => distance(board.flows[n].rgb, rgb) < SAME);
  const isLacking = near.some((n) => dots[n].length === 1 || (kind === "dot" && dots[n].length === 0));
  const isOther = kind === "dot" && (isLacking || !near.length);
  if (lone.length === 1 && !isOther && !(kind === "cover" && isLacking)) return [board, lone[0]];
  return kind === "dot" || (kind === "cover" && (isLacking || isOfGame(rgb))) ? withFlowFor(board, rgb) : [board, null];
}

export const toggleWall = (/** @type {Board} */ board, /** @type {Key} */ a, /** @type {Key} */ b) =>
  changed(board, ({ walls }) => toggle(walls, pairKey(a, b)));

export function toggleHole(/** @type {Board} */ board, /** @type {Key} */ key) {
  if (board.free) return board;
  return changed(clearCell(board, key), ({ holes, walls, warps }) => {
    if (!board.holes.has(key)) holes.add(key);
    for (const set of [walls, warps]) for (const pair of [...set]) if (pairOf(pair).includes(key)) set.delete(pair);
  });
}

export function toggleBridge(/** @type {Board} */ board, /** @type {Key} */ key) {
  if (board.tiling !== "square" || board.holes.has(key)) return board;
  return changed(board, ({ bridges, dots }) => {
    toggle(bridges, key);
    dots.delete(key);
  });
}

export const toggleWarp = (/** @type {Board} */ board, /** @type {Key} */ key, /** @type {Key} */ other) =>
  acrossOf(board, key).includes(other) ? changed(board, ({ warps }) => toggle(warps, pairKey(key, other))) : board;

/** Sides of a board, in the order of `outlined`. */
export const SIDES = ["left", "top", "right", "bottom"];

// Move the sides of a board of rows and columns outwards by whole cells; drop what no longer fits.
// A warp ends at the new border where it can.
/** @param {Board} board @param {number[]} by cells, in the order of `SIDES` @returns {Board} */
export function outlined(board, [left, top, right, bottom]) {
  const [rows, cols] = [board.rows + top + bottom, board.cols + left + right];
  const moved = (/** @type {Key} */ key) => {
    const [r, c] = /** @type {number[]} */ (placeOf(board, key));
    return [r + top, c + left];
  };
  const isIn = (/** @type {number[]} */ [r, c]) => r >= 0 && c >= 0 && r < rows && c < cols;
  const placed = (/** @type {Set<Key>} */ keys) => [...keys].map(moved).filter(isIn).map(keyOf);
  const walls = [...board.walls].map((pair) => pairOf(pair, moved)).filter((pair) => pair.every(isIn));
  const warps = [...board.warps].map((pair) => {
    const [[r, c], [s]] = pairOf(pair, moved);
    return r === s ? [`${r},0`, `${r},${cols - 1}`] : [`0,${c}`, `${rows - 1},${c}`];
  });
  const dots = [...board.dots].map(([key, flow]) => ({ place: moved(key), flow })).filter(({ place }) => isIn(place));
  const made = {
    ...board,
    rows,
    cols,
    holes: new Set(placed(board.holes)),
    bridges: new Set(placed(board.bridges)),
    walls: new Set(walls.map(([a, b]) => pairKey(keyOf(a), keyOf(b)))),
    dots: new Map(dots.map(({ place, flow }) => [keyOf(place), flow])),
    tints: new Map([...board.tints].map(([name, rgb]) => [name.replace(/^\S+/, (key) => keyOf(moved(key))), rgb])),
  };
  return { ...made, warps: new Set(warps.filter(([a, b]) => acrossOf(made, a).includes(b)).map(([a, b]) => pairKey(a, b))) };
}

// Move the dots of a repair. `flows`: of the puzzle.
export const repaired = (/** @type {Board} */ board, /** @type {Repair["changes"]} */ changes, /** @type {number[]} */ flows) =>
  changed(board, ({ dots }) => {
    for (const { read } of changes) dots.delete(keyOf(read));
    for (const { flow, meant } of changes) dots.set(keyOf(meant), flows[flow]);
  });
