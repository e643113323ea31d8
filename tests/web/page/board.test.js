// A board whose cells lie apart, as one with rows and columns.

import assert from "node:assert/strict";
import test from "node:test";
import { blank, cornersOf, geometry, latticed, pairKey, pairOf } from "../../../src/flowvision/web/page/board.js";

const [PITCH, GAP, COVER] = [1.05, 0.07, [1, 3]];
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
  return { seen: { tiling: "free", free: { cells, sides } }, keys: seen.map(({ key }) => key) };
}

test("cells round a cover lie where they were, with their walls, and none is walled in under it", () => {
  for (const [rows, cols] of [
    [4, 4],
    [5, 7],
    [15, 9],
    [15, 15],
  ]) {
    const walls = new Set([pairKey("0,0", "0,1"), pairKey("2,3", "3,3")]);
    const { seen, keys } = apart(rows, cols, walls);
    const made = latticed({ ...seen, flows: [{ ends: keys.map((_, n) => n + 1) }] });
    assert.deepEqual([made.rows, made.cols, made.flows], [rows, cols, [{ ends: keys }]]);
    assert.deepEqual(new Set(made.walls.map(([a, b]) => pairKey(a, b))), walls);
    assert.equal(latticed({ ...seen, flows: [{ ends: [0] }] }), null, "a dot in the cover");
    const merged = seen.free.cells.map(({ centre, outline }, n) => ({
      centre,
      outline: n % 3 ? outline.map((at) => at.map((v, axis) => centre[axis] + 2 * (v - centre[axis]))) : outline,
    }));
    assert.equal(latticed({ ...seen, free: { ...seen.free, cells: merged }, flows: [] }), null, "most are merged");
  }
});
