// Why the steps of a hint are to be drawn, from the server's code and the cells that show it.

import { flowName, keyOf } from "./board.js";

const REASONS = {
  forced: "These steps are forced:",
  search: "No rule shows the next step: this one takes trying out.",
  "all-drawn": "Nothing left to draw.",
  "whole-flow": "The whole flow.",
  "shortest-flow": "The shortest remaining flow.",
  "flow-drawn": "This flow is drawn already.",
};
const FAULTS = {
  "dead-end": (place) => `leave a dead end in ${place}`,
  "cut-off": (place) => `cut off the pipe in ${place}`,
  stranded: (place) => `leave ${place} out of reach`,
  "beside-itself": (place) => `bring a pipe back beside itself in ${place}`,
};
const LISTED = 3;

// `causes`: [{cell, flow, others, refuted}]: cells that have no other way than to the others.
export function reasonOf(made, board, used) {
  const said = REASONS[made.code];
  if (!made.causes?.length) return said ?? made.why;
  const sentences = made.causes.slice(0, LISTED).map((cause) => causeWords(cause, board, used));
  const more = made.causes.length - sentences.length;
  return [said, ...sentences, more > 0 ? `And ${more} more like these.` : ""].filter(Boolean).join(" ");
}

function causeWords({ cell, others, flow, refuted = [] }, board, used) {
  const place = placeWords(board, cell);
  const there = others.map((other) => placeWords(board, other)).join(" and ");
  let said = `The pipe in ${place} has one way on, to ${there}.`;
  if (flow != null) said = `The ${flowName(board.flows[used[flow]])} dot in ${place} has one way out, to ${there}.`;
  else if (others.length === 2) said = `A pipe through ${place} has one way, between ${there}.`;
  const wrong = refuted.map((way) => `A step to ${placeWords(board, way.cell)} would ${FAULTS[way.fault](placeWords(board, way.at))}.`);
  return [said, ...wrong].join(" ");
}

export const placeWords = (board, place) => {
  if (board.free) return `cell ${place + 1}`;
  const [r, c] = keyOf(place).split(",").map(Number);
  return `row ${r + 1}, column ${c + 1}`;
};
