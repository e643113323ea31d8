// Boards are solved as they change. An answer belongs to the board that it was asked for, and to no other.

import { faultWords } from "./advice.js";
import { object, Refused } from "./api.js";
import { puzzleOf } from "./board.js";
import { store } from "./state.js";
import { oddWords } from "./verdict.js";

/** @type {WeakMap<Board, Answer>} */
const answers = new WeakMap();
/** @type {{board: Board, stop: AbortController}|null} */
let working = null;

export const answerOf = (/** @type {Board|null} */ board) => (board ? answers.get(board) : undefined);

/** @param {Board} board @param {Answer} answer */
export function settle(board, answer) {
  answers.set(board, answer);
  if (board === store.now.board) store.changed();
}

// What is asked about the board that is seen: it ends with that.
/** @param {string} path @param {object} asked */
export const askHere = (path, asked) => object(path, { body: JSON.stringify(asked), signal: store.whileSeen("board") });

// Solve the board of the present state, unless that is done or being done; the newest counts.
export async function solveNow() {
  const { board, pending } = store.now;
  const known = answerOf(board);
  if (working && (pending || working.board !== board)) {
    working.stop.abort();
    working = null;
  }
  if (!board || pending || (known && !known.again) || working) return;
  const { record, odd, used } = puzzleOf(board);
  if (odd.length || !used.length) {
    const words = odd.length ? oddWords(board, odd) : "Put two dots of each colour on the board.";
    return settle(board, { status: "incomplete", words });
  }
  const mine = { board, stop: new AbortController() };
  working = mine;
  try {
    await solve(board, record, mine.stop.signal);
  } catch (error) {
    const again = !(error instanceof Refused) || ["superseded", "lost", "no-token"].includes(error.code);
    if (!mine.stop.signal.aborted) answers.set(board, { status: "failed", message: faultWords(error), again });
  }
  if (working === mine) working = null;
  if (store.now.board === board) store.changed();
}

// The server's object as it is kept here.
/** @param {any} made @returns {Answer} */
export const answerIn = ({ ok, flows, error, ...made }) =>
  ok ? { ...made, status: "solved", paths: flows.map((/** @type {any} */ flow) => flow.path) } : { ...made, ...error, status: error.code };

/** @param {Board} board @param {object} record @param {AbortSignal} signal */
async function solve(board, record, signal) {
  const ask = async (/** @type {object} */ more) =>
    answerIn(await object("puzzle", { body: JSON.stringify({ puzzle: record, ...more }), signal }));
  const answer = await ask({});
  settle(board, answer);
  const strict = answer.status === "solved" && answer.unique && answer.rules === "strict";
  const several = answer.status === "solved" && answer.unique === false;
  const { count, count_complete } = several ? await ask({ count: 100, limit: 2 }) : answer;
  const counted = { ...answer, count, count_complete };
  if (several) settle(board, counted);
  if (!strict && ["solved", "unsolvable"].includes(answer.status) && !board.free && store.now.picture)
    settle(board, { ...counted, repairs: (await ask({ repair: true, limit: 3 })).repairs });
}
