// Playing: pipes that a person draws. Each flow has the cells of its pipe in order, from one of its dots on.

import { dotsOf, geometry, keyOf, pairKey } from "./board.js";

// Whether a pipe goes from one cell to the other: over an open side, or by a warp.
/** @param {Board} board @param {Key} a @param {Key} b */
export function joined(board, a, b) {
  const pair = pairKey(a, b);
  return (geometry(board).sides.has(pair) && !board.walls.has(pair) && !board.holes.has(a) && !board.holes.has(b)) || board.warps.has(pair);
}

/** @param {Board} board @param {Key[]|null|undefined} pipe @param {number} flow */
export const isDone = (board, pipe, flow) => {
  const dots = dotsOf(board)[flow];
  return !!pipe && pipe.length > 1 && dots.length === 2 && dots.includes(pipe[0]) && dots.includes(pipe[pipe.length - 1]);
};

// The flow that a drag from a cell draws: that of its dot, else of the pipe through it.
/** @param {Board} board @param {Pipes} pipes @param {Key} key */
export function flowAt(board, pipes, key) {
  const dot = board.dots.get(key);
  if (dot !== undefined) return dot;
  const found = pipes.findIndex((pipe) => pipe?.includes(key));
  return found < 0 ? null : found;
}

// Pipes with a drag begun: from a dot anew, from within a pipe with what comes after cut off.
/** @param {Board} board @param {Pipes} pipes @param {Key} key @returns {{pipes: Pipes, flow: number|null}} */
export function begun(board, pipes, key) {
  const flow = flowAt(board, pipes, key);
  if (flow === null) return { pipes, flow };
  const pipe = pipes[flow];
  const kept = board.dots.has(key) || !pipe ? [key] : pipe.slice(0, pipe.indexOf(key) + 1);
  return { pipes: replaced(pipes, flow, kept), flow };
}

// One cell further: back over itself erases, another flow's dot is no way, another pipe is cut.
/** @param {Board} board @param {Pipes} pipes @param {number} flow @param {Key} key @returns {Pipes} */
export function extended(board, pipes, flow, key) {
  const pipe = pipes[flow];
  if (!pipe) return pipes;
  const last = pipe[pipe.length - 1];
  const before = pipe.indexOf(key);
  if (before >= 0 && !(board.bridges.has(key) && before < pipe.length - 2))
    return before === pipe.length - 1 ? pipes : replaced(pipes, flow, pipe.slice(0, before + 1));
  const dot = board.dots.get(key);
  if ((dot !== undefined && dot !== flow) || !joined(board, last, key) || isDone(board, pipe, flow)) return pipes;
  if (board.bridges.has(last) && !isStraight(board, pipe[pipe.length - 2], last, key)) return pipes;
  const cut = pipes.map((other, n) => (n === flow || !other ? other : cutAt(board, other, key, last)));
  return replaced(cut, flow, [...pipe, key]);
}

/** @param {Board} board @param {Key} a @param {Key} b @param {Key} c */
const isStraight = (board, a, b, c) => {
  const { of } = geometry(board);
  const [p, q, r] = [a, b, c].map((key) => of.get(key)?.centre);
  return !p || !q || !r || (Math.abs(q[0] - p[0] - (r[0] - q[0])) < 0.1 && Math.abs(q[1] - p[1] - (r[1] - q[1])) < 0.1);
};

// On a bridge two pipes cross; elsewhere the older one ends before the cell.
/** @param {Board} board @param {Key[]} pipe @param {Key} key @param {Key} from */
function cutAt(board, pipe, key, from) {
  const place = pipe.indexOf(key);
  if (place < 0) return pipe;
  const [before, after] = [pipe[place - 1], pipe[place + 1]];
  if (board.bridges.has(key) && before && after && !isStraight(board, from, key, before) && !isStraight(board, from, key, after))
    return pipe;
  return place > 1 ? pipe.slice(0, place) : null;
}

/** @param {Pipes} pipes @param {number} flow @param {Key[]} pipe */
const replaced = (pipes, flow, pipe) => {
  const made = [...pipes];
  made[flow] = pipe;
  return made;
};

/** @param {Pipes} pipes @returns {Line[]} */
export const linesOfPlay = (pipes) => pipes.flatMap((path, flow) => (path && path.length > 1 ? [{ flow, path }] : []));

/** @param {Pipes} pipes */
export const trimmed = (pipes) => pipes.map((pipe) => (pipe && pipe.length > 1 ? pipe : null));

// Whether every pair is joined and every cell covered.
/** @param {Board} board @param {Pipes} pipes */
export function isSolved(board, pipes) {
  const flows = new Set(board.dots.values());
  if (!flows.size || ![...flows].every((flow) => isDone(board, pipes[flow], flow))) return false;
  const covered = new Set(pipes.flatMap((pipe) => pipe ?? []));
  return geometry(board).cells.every((cell) => covered.has(cell.key) || board.holes.has(cell.key));
}

// What is still to do: flows that are not joined, cells that are not covered.
/** @param {Board} board @param {Pipes} pipes */
export function left(board, pipes) {
  const flows = [...new Set(board.dots.values())].filter((flow) => !isDone(board, pipes[flow], flow)).length;
  const covered = new Set(pipes.flatMap((pipe) => pipe ?? []));
  for (const key of board.dots.keys()) covered.add(key);
  return { flows, cells: geometry(board).cells.filter((cell) => !covered.has(cell.key) && !board.holes.has(cell.key)).length };
}

// The steps of all pipes: two cells, and the flow.
/** @param {Pipes} pipes @returns {[Key, Key, number][]} */
export const stepsOf = (pipes) =>
  pipes.flatMap((pipe, flow) => (pipe ? pipe.slice(1).map((key, n) => /** @type {[Key, Key, number]} */ ([pipe[n], key, flow])) : []));

// The cells to which pipes go by a step that is in no line of the solution.
/** @param {Pipes} pipes @param {Line[]} lines */
export function mistakesIn(pipes, lines) {
  const right = new Set(
    lines.flatMap(({ flow, path }) => path.slice(1).map((place, n) => `${flow} ${pairKey(keyOf(path[n]), keyOf(place))}`)),
  );
  return stepsOf(pipes).flatMap(([a, b, flow]) => (right.has(`${flow} ${pairKey(a, b)}`) ? [] : [b]));
}
