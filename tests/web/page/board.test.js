// A board whose cells lie apart, as one with rows and columns.

import assert from "node:assert/strict";
import test from "node:test";
import { blank, cornersOf, geometry, latticed, pairKey, pairOf } from "../../../src/flowvision/web/page/board.js";

const [PITCH, GAP, COVER] = [1.05, 0.07, [1, 3]];
const FRAME = [57, 0, 12, 0, 57, 118, 0, 0, 1];
const place = ([a, b, c, d, e, f], [x, y]) => [a * x + b * y + c, d * x + e * y + f];
const isCovered = ([r, c]) => [r, c].every((n) => n >= COVER[0] && n < COVER[1]);

/** A board of cells that lie apart; those under the cover are one. `walls`: pairs of keys without an open side. */
function apart(rows, cols, walls) {
  const whole = geometry(blank(rows, cols));
  const cellOf = ([x0, y0, x1, y1]) => ({ centre: [(x0 + x1) / 2, (y0 + y1) / 2], outline: cornersOf([x0, y0, x1, y1]) });
  const spread = (c, r, wide = 1) => [c * PITCH + GAP, r * PITCH + GAP, (c + wide) * PITCH, (r + wide) * PITCH];
  const seen = whole.cells.filter(({ r, c }) => !isCovered([r, c]));
  const numberOf = (key) => seen.findIndex((cell) => cell.key === key) + 1;
  const cells = [cellOf(spread(COVER[0], COVER[0], 2)), ...seen.map(({ r, c }) => cellOf(spread(c, r)))];
  const open = [...whole.sides.keys()].filter((pair) => !walls.has(pair)).map((pair) => pairOf(pair, numberOf));
  const sides = open.filter(([a, b]) => a !== b).map(([a, b]) => [a, b, 0, 0]);
  return { board: { ...blank(0, 0, "free"), free: { cells, sides } }, numberOf };
}

test("cells round a cover lie where they were, with their dots and walls, and none is walled in under it", () => {
  for (const [rows, cols] of [
    [4, 4],
    [5, 7],
    [15, 9],
    [15, 15],
  ]) {
    const walls = new Set([pairKey("0,0", "0,1"), pairKey("2,3", "3,3")]);
    const { board, numberOf } = apart(rows, cols, walls);
    board.dots.set(String(numberOf("3,1")), 0);
    const made = latticed(board, FRAME);
    assert.deepEqual([made.board.rows, made.board.cols, [...made.board.dots]], [rows, cols, [["3,1", 0]]]);
    assert.deepEqual(made.board.walls, walls);
    for (const { key, centre } of geometry(made.board).cells.filter(({ r, c }) => !isCovered([r, c]))) {
      const [at, was] = [place(made.frame, centre), place(FRAME, board.free.cells[numberOf(key)].centre)];
      assert.ok(Math.hypot(at[0] - was[0], at[1] - was[1]) < 0.1 * FRAME[0], key);
    }
  }
  const { board } = apart(5, 5, new Set());
  assert.equal(latticed({ ...board, dots: new Map([["0", 0]]) }, FRAME), null, "a dot in the cover");
});
