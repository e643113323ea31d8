// Puzzles as text, typed, pasted, in a file or a link, become boards.

import { queued, Refused } from "./api.js";
import { fromPuzzle } from "./board.js";
import { answerIn, settle } from "./solving.js";

/** What can be more than a written puzzle is none. */
const MOST_BYTES = 8 << 20;
export const isWritten = (/** @type {File} */ { type, name, size }) =>
  (/^text|json/.test(type) || /\.(txt|json)$/i.test(name)) && size < MOST_BYTES;

// The puzzle of a text in any written form; what this page writes as JSON has its colours,
// and what the reader said of it. Throws `Refused` for others.
// It comes with its answer, and neither ends what is asked about the board that is seen nor is ended by that.
/** @param {string} text @param {AbortSignal} [signal] @returns {Promise<{board: Board, faith: Faith}>} */
export async function boardIn(text, signal) {
  const linked = text.match(/#puzzle=(\S+)/)?.[1];
  const written = linked ? (new URLSearchParams(`puzzle=${linked}`).get("puzzle") ?? "") : text;
  const { puzzle, flows, ...faith } = objectIn(written);
  const body = puzzle ? JSON.stringify({ puzzle }) : `${written}\n`;
  const made = JSON.parse(await (await queued("puzzle", { body, signal, lane: " written" })).text());
  if (!made.puzzle?.record) throw new Refused(422, made.error ?? { message: "This is no puzzle." });
  const coloured = made.puzzle.flows.map((/** @type {any} */ { ends }) =>
    [flows].flat().find((/** @type {any} */ one) => String(one?.ends) === String(ends) && /^#[\da-f]{6}$/i.test(one.rgb)),
  );
  const board = fromPuzzle(coloured.every(Boolean) ? { ...made.puzzle, flows: coloured } : made.puzzle);
  settle(board, { ...answerIn(made), again: !made.unique || made.rules !== "strict" });
  return { board, faith };
}

/** @param {string} text @returns {any} */
function objectIn(text) {
  try {
    const given = JSON.parse(text);
    return given instanceof Object ? { puzzle: given, ...given } : {};
  } catch {
    return {}; // several objects, one a line, or another form
  }
}
