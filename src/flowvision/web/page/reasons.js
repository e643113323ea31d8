// Why the steps of a hint are to be drawn, from the server's code and the cells that show it.

import { flowName, keyOf } from "./board.js";

const REASONS = {
  forced: "These steps are forced:",
  "cut-off": "Without this step some cell or dot would be cut off at once.",
  "think-ahead": "This one takes thinking ahead.",
  "all-drawn": "Nothing left to draw.",
  "whole-flow": "The whole flow.",
  "shortest-flow": "The shortest remaining flow.",
  "flow-drawn": "This flow is drawn already.",
};
const LISTED = 3;

// `causes`: [{cell, others}]: cells that have no other way than to these.
export function reasonOf(made, board, used) {
  const said = REASONS[made.code] ?? made.why;
  if (made.code !== "forced" || !made.causes?.length) return said;
  const sentences = made.causes.slice(0, LISTED).map(({ cell, others, flow }) => {
    const there = others.map((place) => placeWords(board, place)).join(" and ");
    if (flow != null) return `the ${flowName(board.flows[used[flow]])} dot in ${placeWords(board, cell)} has one way out, to ${there}`;
    return others.length === 2
      ? `a path through ${placeWords(board, cell)} has one way, between ${there}`
      : `the path in ${placeWords(board, cell)} has one way on, to ${there}`;
  });
  const more = made.causes.length - sentences.length;
  return `${said} ${sentences.join("; ")}${more > 0 ? `; and ${more} more like these` : ""}.`;
}

export const placeWords = (board, place) => {
  if (board.free) return `cell ${place}`;
  const [r, c] = keyOf(place).split(",").map(Number);
  return `row ${r + 1}, column ${c + 1}`;
};
