// Pipes drawn in play: for each flow its cells in order, starting at a dot.

import { dotsOf, far, geometry, got, keyOf, pairKey } from "./board.js";

// Tell if a pipe can go from one cell to the other, over an open side or a warp.
export function joined(/** @type {Board} */ board, /** @type {Key} */ a, /** @type {Key} */ b) {
  const pair = pairKey(a, b);
  if (board.warps.has(pair)) return true;
  return geometry(board).sides.has(pair) && !board.walls.has(pair) && !board.holes.has(a) && !board.holes.has(b);
}

export const isDone = (/** @type {Board} */ board, /** @type {Key[]|null} */ pipe, /** @type {number} */ flow) => {
  const dots = dotsOf(board)[flow];
  return !!pipe && pipe.length > 1 && dots.length === 2 && dots.includes(pipe[0]) && dots.includes(pipe[pipe.length - 1]);
};

export function flowAt(/** @type {Board} */ board, /** @type {Pipes} */ pipes, /** @type {Key} */ key) {
  const found = board.dots.get(key) ?? pipes.findIndex((pipe) => pipe?.includes(key));
  return found < 0 ? null : found;
}

// Begin a drag: a dot restarts its pipe, a cell of a pipe cuts off the rest.
export function begun(/** @type {Board} */ board, /** @type {Pipes} */ pipes, /** @type {Key} */ key) {
  const flow = flowAt(board, pipes, key);
  if (flow === null) return { pipes, flow };
  const pipe = pipes[flow];
  const kept = board.dots.has(key) || !pipe ? [key] : pipe.slice(0, pipe.indexOf(key) + 1);
  return { pipes: replaced(pipes, flow, kept), flow };
}

// Extend a pipe to the next cell: going back erases, dots of other flows block, other pipes are cut.
export function extended(/** @type {Board} */ board, /** @type {Pipes} */ pipes, /** @type {number} */ flow, /** @type {Key} */ key) {
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

const isStraight = (/** @type {Board} */ board, /** @type {Key[]} */ ...keys) => {
  const [p, q, r] = keys.map((key) => geometry(board).of.get(key)?.centre);
  return !p || !q || !r || far([2 * q[0] - p[0], 2 * q[1] - p[1]], r) < 0.15;
};

function cutAt(/** @type {Board} */ board, /** @type {Key[]} */ pipe, /** @type {Key} */ key, /** @type {Key} */ from) {
  const place = pipe.indexOf(key);
  if (place < 0) return pipe;
  const [before, after] = [pipe[place - 1], pipe[place + 1]];
  if (board.bridges.has(key) && before && after && !isStraight(board, from, key, before) && !isStraight(board, from, key, after))
    return pipe;
  return place > 1 ? pipe.slice(0, place) : null;
}

// Extend a pipe to a cell by the shortest way over free cells.
export function ledTo(/** @type {Board} */ board, /** @type {Pipes} */ pipes, /** @type {number} */ flow, /** @type {Key} */ key) {
  const pipe = pipes[flow] ?? [];
  const from = new Map([[pipe[pipe.length - 1], ""]]);
  const isFree = (/** @type {Key} */ next) => next === key || (!board.dots.has(next) && !pipes.some((other) => other?.includes(next)));
  for (const at of from.keys())
    for (const { a, b } of got(geometry(board).beside, at)) {
      const next = a === at ? b : a;
      if (!from.has(next) && joined(board, at, next) && isFree(next)) from.set(next, at);
    }
  const steps = [];
  for (let at = key; from.get(at); at = got(from, at)) steps.unshift(at);
  return steps.reduce((made, step) => extended(board, made, flow, step), pipes);
}

const replaced = (/** @type {Pipes} */ pipes, /** @type {number} */ flow, /** @type {Key[]|null} */ pipe) =>
  Object.assign([...pipes], { [flow]: pipe });

export const linesOfPlay = (/** @type {Pipes} */ pipes) => pipes.flatMap((path, flow) => (path && path.length > 1 ? [{ flow, path }] : []));

export const trimmed = (/** @type {Pipes} */ pipes) => pipes.map((pipe) => (pipe && pipe.length > 1 ? pipe : null));

// Return how many flows and cells without a dot are left, and `all` of them.
export function left(/** @type {Board} */ board, /** @type {Pipes} */ pipes) {
  const flows = [...new Set(board.dots.values())];
  const free = geometry(board).cells.filter(({ key }) => !board.dots.has(key) && !board.holes.has(key));
  const covered = new Set(pipes.flatMap((pipe) => pipe ?? []));
  return {
    flows: flows.filter((flow) => !isDone(board, pipes[flow], flow)).length,
    cells: free.filter(({ key }) => !covered.has(key)).length,
    all: { flows: flows.length, cells: free.length },
  };
}

export function isSolved(/** @type {Board} */ board, /** @type {Pipes} */ pipes) {
  const { flows, cells } = left(board, pipes);
  return !!board.dots.size && !flows && !cells;
}

/** @returns {[Key, Key, number][]} */
export const stepsOf = (/** @type {Line[]} */ lines) =>
  lines.flatMap((/** @type {Line} */ { flow, path }) => path.slice(1).map((place, n) => [keyOf(path[n]), keyOf(place), flow]));

// Return the cells entered by steps that are not in the solution.
export function mistakesIn(/** @type {Pipes} */ pipes, /** @type {Line[]} */ lines) {
  const right = new Set(stepsOf(lines).map(([a, b, flow]) => `${flow} ${pairKey(a, b)}`));
  return stepsOf(linesOfPlay(pipes)).flatMap(([a, b, flow]) => (right.has(`${flow} ${pairKey(a, b)}`) ? [] : [b]));
}
