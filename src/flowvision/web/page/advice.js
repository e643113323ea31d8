// What a refusal advises, as far as the server says it in words and numbers of its own.

import { Refused, SESSION_KEY } from "./api.js";
import { keyOf } from "./board.js";
import { inverse } from "./view.js";

// The cells that a refusal names.
/** @param {Pick<Doc, "reading">} doc @returns {Key[]} */
export function placesOf({ reading }) {
  const { place, places = [] } = reading?.error?.cause?.seen ?? {};
  return (place ? [place] : places).map(keyOf);
}
// The same, as long as the board is as it was read.
export const placesNamed = (/** @type {Doc} */ doc) => (doc.read?.board === doc.board ? placesOf(doc) : []);

// The dots that the server advises to set, since the board has exactly one solution with them.
/** @param {Doc} doc @returns {{key: Key, letter: string}[]} */
export function dotsAdvised({ reading, read, board }) {
  /** @type {{option: string, value: string, came?: string}[]} */
  const advice = (read?.board === board && reading?.error?.cause?.advice) || [];
  const found = advice.map(
    ({ option, value, came }) => (option === "--set" && came === "solved" && value.match(/^(\d+),(\d+)=(\w)$/)) || [],
  );
  return found.every(([whole]) => whole) ? found.map(([, r, c, letter]) => ({ key: `${+r - 1},${+c - 1}`, letter })) : [];
}

// Where the picture ends within the board, or in the next row or column of it. Of its own picture alone: others are cut by hand.
/** @param {Doc} doc @returns {Edge[]} */
export function edgesOf({ reading, read, board, frame }) {
  /** @type {Cause|undefined} */
  const cause = reading?.error?.cause;
  if (!board || !frame || board.tiling !== "square" || !["cut-off", "wrong-crop"].includes(cause?.code ?? "")) return [];
  const cut = cause?.code === "cut-off" && read?.board === board ? cause.seen.sides : [];
  const [[x0, y0], [x1, y1]] = [[0, 0], reading.seen.picture].map(inverse(frame));
  const { rows, cols } = board;
  /** @type {[Edge["side"], number][]} by how many cells the board goes beyond the picture */
  const sides = [
    ["left", x0],
    ["top", y0],
    ["right", cols - x1],
    ["bottom", rows - y1],
  ];
  return sides.flatMap(([side, over]) => {
    const beyond = Math.max(0, Math.ceil(over - SLIVER));
    if (!beyond && !cut.includes(side)) return [];
    const isUpright = side === "top" || side === "bottom";
    const isEnd = side === "bottom" || side === "right";
    const [line, size] = isUpright ? ["row", rows] : ["column", cols];
    const n = isEnd ? size + 1 - beyond : beyond;
    const name = n ? `${line} ${n}` : `the ${line} ${isUpright ? "above row" : "left of column"} 1`;
    const ends = beyond || cause?.seen.strip ? "inside" : "right before";
    const more = cut.length ? ` If none is, add one more ${line} at the ${side}, below.` : "";
    const todo = beyond ? `Tap in the dots of ${name} that are missing.${more}` : `“Add a ${line} at the ${side}” puts it on the board.`;
    return [{ side, line, n, isHere: beyond > 0, why: `${ends} ${name}`, todo }];
  });
}
const SLIVER = 0.06;

// The boards that a picture of two can be read for, each with its part of the picture.
/** @param {Doc} doc @returns {{name: string, crop: number[], grid: number[]|null}[]} */
export function boardsIn(doc) {
  if (doc.pending || !doc.picture || doc.read?.board !== doc.board) return [];
  /** @type {Cause|undefined} */
  const cause = doc.reading?.error?.cause;
  const other = doc.reading?.other_board_crop;
  if (other) return [{ name: "other", crop: other, grid: null }];
  if (cause?.code !== "two-boards" || !cause.advice[0]) return [];
  const named = [
    [cause.seen.first_name, cause.seen.first_crop],
    [cause.seen.second_name, cause.advice.map((one) => `${one.option} ${one.value}`).join(" ")],
  ];
  return named.map(([name, words]) => {
    const [cols, rows] =
      words
        .match(/--grid (\d+)x(\d+)/)
        ?.slice(1)
        .map(Number) ?? [];
    const crop = (words.match(/-?\d+(,-?\d+){3}/)?.[0] ?? "").split(",").map(Number);
    return { name, crop, grid: cols ? [rows, cols] : null };
  });
}

// What was written for the command line, without its options.
export const plainly = (/** @type {string} */ words) =>
  words
    .replace(/With `--.*` no board could be read; without it the picture is read./, "With what was chosen here no board could be read.")
    .replace("Give another value, or leave it out.", "Draw the part larger, change the numbers, or go back to what was recognised.")
    .replace(/ (For the other|To see why): `--crop [\d,]+`\./, " Crop to the other one to read that.")
    .replace("If they are dots, say so.", "If they are dots, tap them in.")
    .replace("`flowvision puzzle FILE`", "paste it under “Make”")
    .replace(/Allow more time with `--limit SECONDS`(\.|, or )/, "")
    .replace(/`--.*?`/g, "the buttons here")
    .replace(/^[a-z]/, (letter) => letter.toUpperCase());

// Rows and columns that the lines show, where others were given.
/** @param {Doc} doc @returns {number[]} */
export function sizeSeen({ reading, read, board, pending }) {
  const { seen, code } = reading?.error?.cause ?? {};
  return code === "wrong-size" && seen.lines_cols && read?.board === board && !pending ? [seen.lines_rows, seen.lines_cols] : [];
}

// Whether the dots that a refusal missed are on the board: another look has seen them.
/** @param {Cause|undefined} cause @param {Board} board */
export function seesMore(cause, board) {
  if (cause?.code === "photograph") return board.dots.size > 0;
  if (cause?.code === "other-game") return board.dots.size > cause.seen.dots;
  return cause?.code === "left-out" && cause.seen.places.every((/** @type {Place} */ place) => board.dots.has(keyOf(place)));
}

// Why the server lets this browser in no more, or not yet.
export const whyLocked = () =>
  localStorage.getItem(SESSION_KEY) ? "This page's server was started again." : "This browser was not let in yet.";

// What the server refused, and what to do about it.
// Nothing where nobody waits any more; what nobody expects is a fault of the page.
export function faultWords(/** @type {unknown} */ error) {
  if (error instanceof Refused && error.status === 401) return whyLocked();
  if (error instanceof Refused) return [error.message, plainly(error.hint)].filter(Boolean).join(" ");
  if (error instanceof DOMException && error.name === "AbortError") return "";
  throw error;
}
