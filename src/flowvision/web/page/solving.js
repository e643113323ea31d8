// Solving boards as they change, and changes of a doubtful board that leave exactly one solution: a dot under a cover, walls, a side.
// An answer belongs to one board.

import { askLast, faultWords, object, Refused } from "./api.js";
import { dotsOf, flowNames, fromAnswer, got, keyOf, marked, pairOf, placeOf, puzzleOf } from "./board.js";
import { plural } from "./dom.js";
import { loneFlows, outlined, putDot, repaired, SIDES, withDots } from "./edits.js";
import { looksOf } from "./picture.js";
import { store } from "./state.js";
import { isDoubted, isEdited, isFrameOpen } from "./verdict.js";

/** Most cells of a cover, seconds for each board that is tried, and changes to offer. */
const [MAX_COVERED, SECONDS, MAX_MENDS] = [16, 1, 6];
/** @type {WeakMap<Board, Answer>} */
const answers = new WeakMap();
/** @type {{board: Board, stop: AbortController}|null} */
let working = null;

export function answerOf(/** @type {Board|null} */ board) {
  if (board && !answers.has(board)) lookForOdd(board);
  return board ? answers.get(board) : undefined;
}
export const answerNow = () => answerOf(store.now.board);

export function settle(/** @type {Board} */ board, /** @type {Answer} */ answer) {
  answers.set(board, answer);
  if (board === store.now.board) store.changed();
}

// Ask about the current board; the answer is dropped if it has changed.
export async function askHere(/** @type {string} */ path, /** @type {import("./api.js").Request} */ request) {
  const { board } = store.now;
  const made = await askLast(path, request);
  if (board !== store.now.board) throw new DOMException("Another board is shown.", "AbortError");
  return made;
}
export const askAbout = (/** @type {string} */ path, /** @type {object} */ query) => askHere(path, { body: JSON.stringify(query) });

export async function solveNow() {
  const { board, pending } = store.now;
  const known = answerOf(board);
  if (working && (pending || working.board !== board)) {
    working.stop.abort();
    working = null;
  }
  if (!board || pending || (known && !known.again) || working) return;
  const mine = { board, stop: new AbortController() };
  working = mine;
  try {
    if (known?.status === "incomplete") answers.set(board, { ...known, again: false });
    else await solve(board, puzzleOf(board).record, mine.stop.signal);
    await mend(board, mine.stop.signal);
  } catch (error) {
    const again = !(error instanceof Refused) || ["lost", "no-token"].includes(error.code);
    if (!mine.stop.signal.aborted) settle(board, { status: "failed", message: faultWords(error), again });
  }
  if (working === mine) working = null;
}

const answerIn = (/** @type {any} */ { ok, flows, error, ...made }) =>
  ok
    ? { ...made, status: "solved", paths: flows.map((/** @type {ReadFlow} */ flow) => flow.path) }
    : { ...made, ...error, status: error.code };

// Ask for the answer, then for the number of solutions and for repairs if there is not exactly one.
async function solve(/** @type {Board} */ board, /** @type {object} */ record, /** @type {AbortSignal} */ signal) {
  const ask = async (/** @type {object} */ more) =>
    answerIn(await object("puzzle", { body: JSON.stringify({ puzzle: record, ...more }), signal }));
  const answer = { ...(await ask({})), checking: isOpen(store.now) };
  settle(board, answer);
  const { status, unique, rules } = answer;
  if ((status !== "solved" && status !== "unsolvable") || (unique && rules === "strict")) return;
  const repair = !board.free && !!store.now.picture;
  const { count, count_complete, repairs } = await ask({ count: 100, repair, limit: 2 });
  settle(board, { ...answer, count, count_complete, mends: repairs?.flatMap((/** @type {Repair} */ one) => repairOf(store.now, one)) });
}

// Tell if a board needs more than its answer: it is doubtful, or was changed against its picture.
const isOpen = (/** @type {Doc} */ { picture, reading, trust }) => !!picture && trust !== "confirmed" && (isDoubted(reading) || !!trust);

// Look for changes that put a doubtful board right, and for other places of dots that were set by hand.
async function mend(/** @type {Board} */ board, /** @type {AbortSignal} */ signal) {
  const [doc, answer] = [{ ...store.now, board }, answerOf(board)];
  if (!answer || store.now.board !== board || !isOpen(doc)) return;
  const isOne = answer.status === "solved" && answer.unique;
  const others = isOne && doc.trust ? await othersOf(doc, signal) : [];
  const mends = isOne && !isFrameOpen(doc) ? [] : await mendsOf(doc, answer, isFrameOpen(doc), signal);
  settle(board, { ...answer, others, mends: [...mends, ...(answer.mends ?? [])].slice(0, MAX_MENDS), checking: false });
}

// Return a repair by the solver, unless it undoes an edit.
function repairOf(/** @type {Doc} */ doc, /** @type {Repair} */ { changes }) {
  const { board } = /** @type {Opened} */ (doc);
  const { used } = puzzleOf(board);
  const undoes = changes.some(({ read, meant }) => [read, meant].some((place) => isEdited(doc, keyOf(place))));
  const names = flowNames(board);
  const moves = changes.map(({ flow, read, meant }) => `${names[used[flow]]} ${marked(read)} to ${marked(meant)}`);
  return undoes ? [] : [{ text: `Move ${moves.join(" and ")}`, board: repaired(board, changes, used), isGuess: true }];
}

// A board whose dots are no pairs has its answer at once.
function lookForOdd(/** @type {Board} */ board) {
  const dots = dotsOf(board);
  const odd = [...dots.keys()].filter((n) => dots[n].length && dots[n].length !== 2);
  const words = odd.length ? oddWords(board, dots, odd) : "Tap two cells: each pair of dots is one colour.";
  if (odd.length || !board.dots.size) answers.set(board, { status: "incomplete", words, again: true });
}

function oddWords(/** @type {Board} */ board, /** @type {Key[][]} */ dots, /** @type {number[]} */ odd) {
  if (odd.length > 1 && odd.every((n) => dots[n].length === 1)) return `${odd.length} colours have one dot each: every colour needs two.`;
  const words = odd.slice(0, 3).map((n) => `${flowNames(board)[n]} has ${plural(dots[n].length, "dot")}`);
  return `${words.join(", ")}${odd.length > 3 ? " …" : ""}: every colour needs two.`.replace(/^./, (letter) => letter.toUpperCase());
}

export async function boardIn(/** @type {string} */ text) {
  const made = await object("puzzle", { body: `${text}\n` });
  const board = fromAnswer(made.puzzle.board, made.puzzle.flows);
  settle(board, { ...answerIn(made), again: !made.unique || made.rules !== "strict" });
  return board;
}

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
  const board = withDots(
    made,
    seen.map(([key, { rgb }]) => [key, rgb]),
  );
  return { board, frame };
}

// Leave out a row or column at a side without dots (-1), or add one where the picture shows dots (1).
/** @param {Opened} doc @param {number} step @returns {Mend[]} */
function sidesBy(doc, step) {
  const { rows, cols, tiling, dots } = doc.board;
  if (tiling !== "square" || Math.min(rows, cols) + step < 2) return [];
  return SIDES.flatMap((name, side) => {
    const by = SIDES.map((_, n) => (n === side ? step : 0));
    const board = step < 0 ? outlined(doc.board, by) : grown(doc, by).board;
    const line = `${name} ${side % 2 ? "row" : "column"}`;
    if (step < 0)
      return board.dots.size === dots.size ? [{ text: `Leave out the ${line}`, why: `The ${line} has no dot.`, board, by }] : [];
    return board.dots.size > dots.size ? [{ text: `Add the ${line}`, why: "The picture shows dots there.", board, by }] : [];
  });
}

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
async function mendsOf(doc, answer, isFrameOpen, signal) {
  const { board } = doc;
  const [covered, all, [lone, ...more]] = [coveredIn(doc), [...looksOf(doc).keys()], loneFlows(board)];
  const isStuck = answer.status === "unsolvable";
  const sides = isStuck || (isFrameOpen && answer.status === "solved") ? sidesBy(doc, -1) : [];
  const longer = answer.status === "incomplete" && doc.framed ? sidesBy(doc, 1) : [];
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
function othersOf(/** @type {Opened} */ doc, /** @type {AbortSignal} */ signal) {
  const { board } = doc;
  const covered = coveredIn(doc);
  const free = covered.filter((key) => !board.dots.has(key));
  const set = covered.filter((key) => board.dots.has(key) && isEdited(doc, key));
  const without = (/** @type {Key} */ key) => ({ ...board, dots: new Map([...board.dots].filter(([one]) => one !== key)) });
  return tried(
    set.flatMap((key) => free.map((other) => put(without(key), got(board.dots, key), other))),
    signal,
  );
}
