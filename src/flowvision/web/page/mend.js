// Changes of a doubtful board that leave exactly one solution: a dot under a cover, walls, a side of the outline.

import { object } from "./api.js";
import { dotsOf, flowNames, got, keyOf, marked, pairOf, placeOf, puzzleOf, rgbAt } from "./board.js";
import { plural } from "./dom.js";
import { loneFlows, outlined, putDot, SIDES, withFlowFor } from "./edits.js";
import { looksOf } from "./picture.js";

/** Most cells of a cover, and seconds for each board that is tried. */
const [MAX_COVERED, SECONDS] = [16, 1];

function coveredIn(/** @type {Opened} */ doc) {
  const covered = [...looksOf(doc)].flatMap(([key, { kind }]) => (kind === "cover" && !doc.board.holes.has(key) ? [key] : []));
  return covered.length > MAX_COVERED ? [] : covered;
}

// Keep the changes that leave exactly one solution.
/** @param {Mend[]} mends @param {AbortSignal} signal */
async function tried(mends, signal) {
  /** @type {Mend[]} */
  const found = [];
  for (const mend of mends) {
    const { record, odd } = puzzleOf(mend.board);
    if (odd.length) continue;
    const { unique, rules } = await object("puzzle", { body: JSON.stringify({ puzzle: record, limit: SECONDS }), signal });
    if (unique && rules === "strict") found.push(mend);
  }
  return found;
}

// Leave out walls as well: those at some cells.
/** @param {Mend} mend @param {Key[]} keys @returns {Mend[]} */
function bare({ text, board, ...rest }, keys) {
  const walls = new Set([...board.walls].filter((pair) => !pairOf(pair).some((key) => keys.includes(key))));
  const words = `eave out ${plural(board.walls.size - walls.size, "wall")}`;
  return walls.size < board.walls.size ? [{ text: text ? `${text}, l${words}` : `L${words}`, board: { ...board, walls }, ...rest }] : [];
}

const HIDDEN = "Something may cover it.";
/** @returns {Mend} */
const put = (/** @type {Board} */ board, /** @type {number} */ flow, /** @type {Key} */ key) => ({
  text: `Put ${flowNames(board)[flow]} at ${marked(key)}`,
  why: HIDDEN,
  board: putDot(board, key, flow),
});

// Leave out the row or column at a side, unless it holds a dot.
/** @param {Board} board @returns {Mend[]} */
function sidesLess(board) {
  const { rows, cols, tiling, dots } = board;
  if (tiling !== "square" || Math.min(rows, cols) < 3) return [];
  return SIDES.flatMap((_, side) => {
    const by = SIDES.map((_, n) => (n === side ? -1 : 0));
    const made = outlined(board, by);
    const line = lineAt(side);
    return made.dots.size === dots.size ? [{ text: `Leave out the ${line}`, why: `The ${line} has no dot.`, board: made, by }] : [];
  });
}

const lineAt = (/** @type {number} */ side) => `${SIDES[side]} ${side % 2 ? "row" : "column"}`;

// Return the frame of a board whose left and upper sides were moved outwards.
/** @param {number[]} frame @param {number[]} by @returns {number[]} */
const frameMoved = (frame, [left, top]) => frame.map((value, n) => (n % 3 < 2 ? value : value - left * frame[n - 2] - top * frame[n - 1]));

// Move the sides of a board outwards by whole cells. What was read inside is kept; new cells take the dots of the picture.
export function grown(/** @type {Opened} */ { board: old, frame: before, shown, reading }, /** @type {number[]} */ by) {
  const [made, frame] = [outlined(old, by), before && frameMoved(before, by)];
  const [rows, cols] = [made.rows - by[3], made.cols - by[2]];
  const isNew = (/** @type {Key} */ key) => {
    const [r, c] = /** @type {number[]} */ (placeOf(made, key));
    return r < by[1] || c < by[0] || r >= rows || c >= cols;
  };
  const seen = [...looksOf({ shown, frame, board: made, reading })].filter(([key, { kind }]) => kind === "dot" && isNew(key));
  const board = seen.reduce((whole, [key, { rgb }]) => {
    const [more, flow] = withFlowFor(whole, rgb);
    return putDot(more, key, flow);
  }, made);
  return { board, frame };
}

// Add a row or column at a side where the picture shows dots beyond it.
/** @param {Opened} doc @returns {Mend[]} */
const sidesMore = (doc) =>
  doc.board.tiling !== "square"
    ? []
    : SIDES.flatMap((_, side) => {
        const by = SIDES.map((_, n) => (n === side ? 1 : 0));
        const { board } = grown(doc, by);
        const isMore = board.dots.size > doc.board.dots.size;
        return isMore ? [{ text: `Add the ${lineAt(side)}`, why: "The picture shows dots there.", board, by }] : [];
      });

// Return the change that the refusal advises.
/** @returns {Mend[]} */
function advised(/** @type {Opened} */ { board, read, reading }) {
  /** @type {Advice["put"]} */
  const put = read?.board === board ? (reading?.advice?.put ?? []) : [];
  const flowOf = (/** @type {string} */ letter) => board.flows.findIndex((flow) => flow.letter === letter);
  const dots = put.filter(({ letter }) => flowOf(letter) >= 0);
  const words = dots.map(({ place, letter }) => `${flowNames(board)[flowOf(letter)]} at ${marked(place)}`);
  const made = dots.reduce((one, { place, letter }) => putDot(one, keyOf(place), flowOf(letter)), board);
  return dots.length ? [{ text: `Put ${words.join(" and ")}`, why: HIDDEN, board: made, isGuess: true }] : [];
}

// Return the changes to offer: the first that leave exactly one solution.
/** @param {Opened} doc @param {Answer} answer @param {boolean} isFrameOpen @param {AbortSignal} signal @returns {Promise<Mend[]>} */
export async function mendsOf(doc, answer, isFrameOpen, signal) {
  const { board } = doc;
  const [covered, all, [lone, ...more]] = [coveredIn(doc), [...looksOf(doc).keys()], loneFlows(board)];
  const isStuck = answer.status === "unsolvable";
  const sides = isStuck || (isFrameOpen && answer.status === "solved") ? sidesLess(board) : [];
  const longer = answer.status === "incomplete" && doc.framed ? sidesMore(doc) : [];
  const isOne = lone !== undefined && !more.length;
  const dots = isOne ? covered.filter((key) => board.dots.get(key) !== lone).map((key) => put(board, lone, key)) : [];
  const asIs = isOne ? dots : isStuck ? [{ text: "", board }] : [];
  const without = (/** @type {Mend[]} */ mends, /** @type {Key[]} */ keys) => mends.flatMap((mend) => bare(mend, keys));
  // Of boards with exactly one solution, those without the walls of a cover come first: they have the same solution.
  const rounds = [advised(doc), dots].flatMap((round) => [without(round, covered), round]);
  for (const round of [longer, ...rounds, without(asIs, covered), sides, without(asIs, all), without(sides, all)]) {
    const found = await tried(round, signal);
    if (found.length) return found;
  }
  return [];
}

// Return other covered cells that a dot set by hand may be in: each of them leaves exactly one solution, too.
export function othersOf(/** @type {Opened} */ doc, /** @type {AbortSignal} */ signal) {
  const { board, read } = doc;
  const covered = coveredIn(doc);
  const isOfRead = (/** @type {Key} */ key) => rgbAt(read?.board, key) === rgbAt(board, key);
  const free = covered.filter((key) => !board.dots.has(key));
  const set = dotsOf(board).flatMap((keys) => keys.filter((key) => covered.includes(key) && !isOfRead(key)));
  const without = (/** @type {Key} */ key) => ({ ...board, dots: new Map([...board.dots].filter(([one]) => one !== key)) });
  return tried(
    set.flatMap((key) => free.map((other) => put(without(key), got(board.dots, key), other))),
    signal,
  );
}
