// A dot that is tapped in has the colour that the picture shows.

import assert from "node:assert/strict";
import test from "node:test";
import { blank, dotsOf, GAME, pairsOf } from "../../../src/flowvision/web/page/board.js";
import { flowTapped, putDot, resized, withFlowFor } from "../../../src/flowvision/web/page/edits.js";

const [RED, GREEN, BLUE, YELLOW] = ["#ff0000", "#008d00", "#0c29fe", "#eae000"];
GAME.letters = "RGBY";
GAME.colours.push([RED, "R", "red"], [GREEN, "G", "green"], [BLUE, "B", "blue"], [YELLOW, "Y", "yellow"]);

/** The board of these colours by cell, tapped in one after another. */
const tapped = (dots, board = blank(4, 4)) =>
  dots.reduce((made, [key, rgb]) => {
    const [next, flow] = flowTapped(made, rgb, false);
    return flow === null ? next : putDot(next, key, flow);
  }, board);

test("dots tapped in reading order pair by their colours", () => {
  const made = tapped([
    ["0,0", RED],
    ["0,3", GREEN],
    ["1,1", BLUE],
    ["2,2", RED],
    ["3,0", GREEN],
    ["3,3", BLUE],
  ]);
  assert.equal(pairsOf(made), "0,0 2,2,0,3 3,0,1,1 3,3");
});

test("the only flow that lacks a dot has it where the picture shows ground or a cover", () => {
  const board = tapped([
    ["0,0", RED],
    ["0,3", GREEN],
    ["3,0", GREEN],
  ]);
  assert.deepEqual(dotsOf(tapped([["3,3", null]], board))[0], ["0,0", "3,3"]);
  assert.equal(flowTapped(tapped([["1,1", BLUE]], board), null, false)[1], null, "two flows lack a dot");
});

test("in a cell that the message names it has it too, unless the picture shows another flow there", () => {
  const board = tapped([
    ["0,0", RED],
    ["0,3", GREEN],
    ["3,0", GREEN],
  ]);
  assert.equal(flowTapped(board, "#6060a0", true)[1], 0);
  assert.notEqual(flowTapped(board, GREEN, true)[1], 0);
  assert.notEqual(flowTapped(board, "#6060a0", false)[1], 0);
});

test("colours that the game tells apart are two flows", () => {
  for (const [one, other] of [
    ["#0c29fe", "#3928b0"],
    ["#ff0000", "#a52a2a"],
    ["#0c29fe", "#09199f"],
    ["#008d00", "#008080"],
  ])
    assert.equal(withFlowFor(tapped([["0,0", one]]), other)[1], 1, `${one} ${other}`);
  assert.equal(withFlowFor(tapped([["0,0", "#0c29fe"]]), "#1a30e8")[1], 0);
});

test("another number of rows keeps what was seen", () => {
  const board = tapped([
    ["0,0", RED],
    ["2,2", RED],
  ]);
  assert.equal(pairsOf(resized(board, 5, 4)), pairsOf(board));
  assert.equal(pairsOf(resized(board, 2, 4)), "0,0");
});
