// Solving boards as they change. An answer belongs to one board.

import { askLast, faultWords, object, Refused } from "./api.js";
import { dotsOf, flowNames, fromAnswer, keyOf, marked, puzzleOf, rgbAt } from "./board.js";
import { plural } from "./dom.js";
import { repaired } from "./edits.js";
import { mendsOf, othersOf } from "./mend.js";
import { store } from "./state.js";
import { isDoubted, isFrameOpen } from "./verdict.js";

/** Changes to offer. */
const MAX_MENDS = 6;
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
  const { board, read } = /** @type {Opened} */ (doc);
  const { used } = puzzleOf(board);
  const isOfRead = (/** @type {Place} */ place) => rgbAt(board, keyOf(place)) === rgbAt(read?.board, keyOf(place));
  const isNew = changes.every((one) => isOfRead(one.read) && isOfRead(one.meant));
  const names = flowNames(board);
  const moves = changes.map(({ flow, read, meant }) => `${names[used[flow]]} ${marked(read)} to ${marked(meant)}`);
  return isNew ? [{ text: `Move ${moves.join(" and ")}`, board: repaired(board, changes, used), isGuess: true }] : [];
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
