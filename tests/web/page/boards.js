// Boards and states for tests.

import { blank, GAME } from "../../../src/flowvision/web/page/board.js";
import { NOTHING } from "../../../src/flowvision/web/page/state.js";

export const FIVE = "R.G.Y\n..B.O\n.....\n.G.Y.\n.RBO.";
const SHADES = { R: "#ff0000", G: "#008d00", B: "#0c29fe", Y: "#eae000", O: "#fb8900" };

GAME.letters = "RGBYO";
for (const [letter, rgb] of Object.entries(SHADES)) GAME.colours.push([rgb, letter, letter]);

/** The board of a text; each letter is a flow. */
export function boardOf(text) {
  const rows = text.split("\n");
  const board = blank(rows.length, rows[0].length);
  for (const [r, row] of rows.entries())
    for (const [c, letter] of [...row].entries()) {
      if (!SHADES[letter]) continue;
      let flow = board.flows.findIndex((one) => one.rgb === SHADES[letter]);
      if (flow < 0) flow = board.flows.push({ rgb: SHADES[letter], letter, name: letter }) - 1;
      board.dots.set(`${r},${c}`, flow);
    }
  return board;
}

const FRAME = [60, 0, 12, 0, 60, 140, 0, 0, 1];
const PICTURE = { blob: null, name: "shot.png" };

/** A state with a picture that was read as `text`; `more`: what has changed since. */
export function readAs(text, more = {}) {
  const board = boardOf(text);
  const reading = { ok: true, confidence: 0.99, seen: { picture: [324, 580] } };
  return { id: 1, ...NOTHING, picture: PICTURE, board, frame: FRAME, read: { board, frame: FRAME }, reading, ...more };
}

/** The same, refused with this advice. */
export function refused(text, advice = {}, more = {}) {
  const error = { code: "odd-dots", message: "Not read.", hint: "Try again." };
  const said = { says: "Not read.", more: "Try again.", ...advice };
  return readAs(text, { reading: { ok: false, error, seen: { picture: [324, 580], board: {} }, advice: said }, ...more });
}

export const ONE = { status: "solved", unique: true, rules: "strict", paths: [] };
export const TWO = { status: "solved", unique: false, rules: "strict", paths: [], count: 2, count_complete: true };
export const NONE = { status: "unsolvable", message: "colour the cells like a chessboard: 13 are white and 12 black" };
export const OPEN = { status: "incomplete", words: "Red has 1 dot: every colour needs two." };
