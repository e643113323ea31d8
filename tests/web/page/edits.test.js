// A dot that is tapped in has the colour that the picture shows.

import assert from "node:assert/strict";
import test from "node:test";
import { blank, GAME, pairKey, pairsOf } from "../../../src/flowvision/web/page/board.js";
import { flowTapped, outlined, putDot, withFlowFor } from "../../../src/flowvision/web/page/edits.js";

const [RED, GREEN, BLUE, YELLOW] = ["#ff0000", "#008d00", "#0c29fe", "#eae000"];
GAME.letters = "RGBY";
GAME.colours.push([RED, "R", "red"], [GREEN, "G", "green"], [BLUE, "B", "blue"], [YELLOW, "Y", "yellow"]);

/** The board of these colours by cell, tapped in one after another. */
const tapped = (dots, board = blank(4, 4)) =>
  dots.reduce((made, [key, rgb]) => {
    const [next, flow] = flowTapped(made, { kind: "dot", rgb });
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

const SKIN = "#c09070";
const ALONE = tapped([
  ["0,0", RED],
  ["0,3", GREEN],
  ["3,0", GREEN],
]);

test("the only flow that lacks a dot has it on ground, under a cover, and in the colour of a whole pair", () => {
  for (const [kind, rgb] of [
    ["ground", "#000000"],
    ["cover", SKIN],
    ["dot", GREEN],
  ])
    assert.equal(flowTapped(ALONE, { kind, rgb })[1], 0, kind);
  assert.equal(flowTapped(ALONE, { kind: "dot", rgb: BLUE })[1], 2, "another pair that was not read");
  const erased = { ...ALONE, dots: new Map([["0,0", 0]]) };
  assert.equal(flowTapped(erased, { kind: "dot", rgb: GREEN })[1], 1, "a pair that was erased");
});

test("where several flows lack a dot, or none does, a cover is not guessed", () => {
  const two = tapped([["1,1", BLUE]], ALONE);
  for (const board of [two, blank(4, 4)]) assert.equal(flowTapped(board, { kind: "cover", rgb: SKIN })[1], null);
  assert.equal(flowTapped(two, { kind: "cover", rgb: BLUE })[1], 2, "what is seen of the dot");
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
  const resized = (/** @type {number} */ rows, /** @type {number} */ cols) => outlined(board, [0, 0, cols - board.cols, rows - board.rows]);
  assert.equal(pairsOf(resized(5, 4)), pairsOf(board));
  assert.equal(pairsOf(resized(2, 4)), "0,0");
});

test("a side is moved by whole cells, and what is inside stays where it was", () => {
  const walls = new Set([pairKey("1,1", "1,2")]);
  const warps = new Set([pairKey("2,0", "2,3")]);
  const dots = tapped([
    ["1,1", RED],
    ["2,3", RED],
  ]);
  const board = { ...dots, walls, warps };
  const less = outlined(board, [-1, -1, 0, 1]);
  assert.deepEqual([less.rows, less.cols, pairsOf(less)], [4, 3, "0,0 1,2"]);
  assert.deepEqual([...less.walls, ...less.warps], ["0,0|0,1", "1,0|1,2"]);
  assert.equal(pairsOf(outlined(less, [1, 1, 0, -1])), pairsOf(board));
});

test("a dot is put where a cover was taken for a hole", () => {
  const made = putDot({ ...blank(1, 3), holes: new Set(["0,1"]) }, "0,1", 0);
  assert.deepEqual([made.holes.size, made.dots.get("0,1")], [0, 0]);
});
