// Edits: each takes a board and returns a new one, or the same if nothing changes.

import { acrossOf, distance, dotsOf, keyOf, newFlow, pairKey, pairOf } from "./board.js";

/** Two measurements of one dot's colour are nearer than this. */
const SAME = 70;

function changed(board, change) {
  const { holes, walls, bridges, warps, dots, flows } = board;
  const sets = { holes: new Set(holes), walls: new Set(walls), bridges: new Set(bridges), warps: new Set(warps) };
  const made = { ...board, ...sets, dots: new Map(dots), flows: [...flows] };
  change(made);
  return made;
}

const toggle = (set, item) => (set.has(item) ? set.delete(item) : set.add(item));

export const putDot = (board, key, flow) =>
  board.holes.has(key) || board.dots.get(key) === flow
    ? board
    : changed(board, ({ dots, bridges }) => {
        dots.set(key, flow);
        bridges.delete(key);
      });

export const clearCell = (board, key) =>
  changed(board, ({ dots, holes, bridges }) => {
    for (const marks of [dots, holes, bridges]) marks.delete(key);
  });

export const addFlow = (board, rgb) => changed(board, ({ flows }) => flows.push(newFlow(flows, rgb)));

// Return the flow for a dot of this colour: a similar one that lacks a dot, else a new one.
export function withFlowFor(board, rgb) {
  const dots = dotsOf(board);
  const apart = board.flows.map((flow) => distance(flow.rgb, rgb));
  const [found] = [...apart.keys()].filter((n) => dots[n].length < 2 && apart[n] < SAME).sort((a, b) => apart[a] - apart[b]);
  return found === undefined ? [addFlow(board, rgb), board.flows.length] : [board, found];
}

// Return the flow of a tapped dot. `seen`: its colour in the picture, null for background or a cover.
// The only flow that lacks a dot wins where the picture shows none, or in a cell that the message names.
export function flowTapped(board, seen, isNamed) {
  const lone = dotsOf(board).flatMap((keys, n) => (keys.length === 1 ? [n] : []));
  const isOther = !!seen && board.flows.some(({ rgb }, n) => n !== lone[0] && distance(rgb, seen) < SAME);
  if (lone.length === 1 && (!seen || (isNamed && !isOther))) return [board, lone[0]];
  return seen ? withFlowFor(board, seen) : [board, null];
}

export const toggleWall = (board, a, b) => changed(board, ({ walls }) => toggle(walls, pairKey(a, b)));

export function toggleHole(board, key) {
  if (board.free) return board;
  return changed(clearCell(board, key), ({ holes, walls, warps }) => {
    if (!board.holes.has(key)) holes.add(key);
    for (const set of [walls, warps]) for (const pair of [...set]) if (pairOf(pair).includes(key)) set.delete(pair);
  });
}

export function toggleBridge(board, key) {
  if (board.tiling !== "square" || board.holes.has(key)) return board;
  return changed(board, ({ bridges, dots }) => {
    toggle(bridges, key);
    dots.delete(key);
  });
}

export const toggleWarp = (board, key, other) =>
  acrossOf(board, key).includes(other) ? changed(board, ({ warps }) => toggle(warps, pairKey(key, other))) : board;

// Change the size; drop what no longer fits.
export function resized(board, rows, cols) {
  const isIn = (key) => {
    const [r, c] = key.split(",").map(Number);
    return r < rows && c < cols;
  };
  const [holes, bridges, walls] = [board.holes, board.bridges, board.walls].map(
    (all) => new Set([...all].filter((key) => pairOf(key).every(isIn))),
  );
  return { ...board, rows, cols, holes, bridges, walls, warps: new Set(), dots: new Map([...board.dots].filter(([key]) => isIn(key))) };
}

// Put the dots that a refusal suggests, by the letters of their flows.
export const withDots = (board, dots) =>
  dots.reduce((made, { place, letter }) => {
    const flow = made.flows.findIndex((one) => one.letter === letter);
    return flow < 0 ? made : putDot(made, keyOf(place), flow);
  }, board);

// Move the dots of a repair. `flows`: of the puzzle.
export const repaired = (board, { changes }, flows) =>
  changed(board, ({ dots }) => {
    for (const { read } of changes) dots.delete(keyOf(read));
    for (const { flow, meant } of changes) dots.set(keyOf(meant), flows[flow]);
  });
