// What is said about a board, in words.

import { countsOf, flowName } from "./board.js";
import { plural } from "./dom.js";

const ADVICE = {
  "board-not-found": "Drag the corners of the crop to the board's, say how many rows and columns it has, and read that part.",
  "grid-not-found": "Say how many rows and columns it has with − and +, or crop to the board.",
  "no-dots": "Tap the dots in: a cell takes the colour that the picture has there.",
  "odd-dots": "A dot was missed or seen twice: tap it in or away.",
  "ambiguous-colours": "Tap the dots whose colours were mixed up, with the right colour.",
  unsolvable: "Something was misread: compare the dots and walls with the picture, or take one of the repairs.",
  "doubtful-reading": "Compare what was read with the picture, and correct it or go on.",
  "image-unreadable": "Give a PNG or JPEG screenshot.",
  "gave-up": "It took too long: crop to the board, or say its rows and columns.",
};
const HEADLINES = {
  "board-not-found": "No board was found in this picture.",
  "grid-not-found": "A board was found, but not its rows and columns.",
  "no-dots": "Cells were found, but no dots that make a puzzle.",
  unsolvable: "What was read has no solution, so something was misread.",
  "doubtful-reading": "This was not read for certain.",
};

export function confidenceWords(confidence) {
  if (confidence >= 0.97) return "Read for certain.";
  if (confidence >= 0.9) return "Read surely.";
  if (confidence >= 0.75) return "Read fairly surely: compare the ringed dot with the picture.";
  return "Read with doubts: compare it with the picture.";
}

export function oddWords(board, odd) {
  const counts = countsOf(board);
  const said = odd.slice(0, 3).map((n) => `${flowName(board.flows[n])} has ${plural(counts[n].length, "dot")}`);
  return `${said.join(", ")}${odd.length > 3 ? " …" : ""}: every colour needs two.`;
}

// Kind (good, warn, bad), the sentence, and what goes on in small print.
export function verdict(answer, reading) {
  const seen = reading ? confidenceWords(reading.confidence) : "";
  const warnings = (reading?.warnings ?? []).map(plainly).join(" ");
  const time = answer.seconds ? `Solved in ${(1000 * answer.seconds).toFixed(answer.seconds < 0.01 ? 1 : 0)} ms.` : "";
  switch (answer.status) {
    case "solved": {
      const touching = answer.rules === "free" ? " In it a path touches itself, which no published level needs." : "";
      if (answer.unique) return [touching ? "warn" : "good", `Solved: there is exactly one solution.${touching}`, [seen, warnings, time].join(" ")];
      if (answer.unique === null) return ["warn", "Solved; whether there is another solution was not settled in time.", [seen, time].join(" ")];
      const many = answer.count ? ` ${answer.count_complete ? "" : "at least "}${answer.count}` : " several";
      return ["warn", `There are${many} solutions; this is one of them.`, reading ? `Published levels have one: something may be misread. ${seen}` : "Under “Learn” they stand side by side."];
    }
    case "unsolvable":
      return ["bad", `No solution${answer.reason ? `: ${answer.reason}` : ""}.`, reading ? "Something was misread: compare it with the picture." : ""];
    case "incomplete":
      return ["warn", answer.words, ""];
    case "gave-up":
      return ["warn", "No answer in time.", answer.reason ?? ""];
    case "refused":
      return refusal(answer.error);
    default:
      return ["bad", answer.message ?? answer.reason ?? "This is no puzzle.", answer.hint ?? ""];
  }
}

function refusal({ code, message, hint }) {
  const headline = HEADLINES[code];
  const detail = headline && !["unsolvable", "doubtful-reading"].includes(code) ? ` (${plainly(message)})` : "";
  return ["bad", headline ?? plainly(message), (ADVICE[code] ?? hint ?? "") + detail];
}

// What was written for the command line, without its options.
const plainly = (words) => words.replace(/ For the other: --crop [\d,]+\./, " Crop to the other one to read that.").replace(/`--[^`]*`/g, "the buttons here");

export const KEYS = [
  ["Arrow keys", "go from cell to cell"], ["Enter, Space", "use the chosen tool on the cell; put down a dot that was picked up"],
  ["1 … 9, 0", "choose a colour"], ["Delete", "clear the cell"], ["Shift + arrow", "wall on that side, or none"],
  ["H", "hole (or Shift + click, or a long press)"], ["B", "bridge"], ["W", "warp at the edge"], ["M", "pick up the dot of the cell"],
  ["Ctrl + Z, Ctrl + Y", "undo, redo: as often as you like"], ["N", "next hint"], ["P", "play the solution"], ["?", "these keys"],
  ["Drag a dot", "to another cell; onto another dot they change places"], ["Drag from edge to edge", "warp"],
  ["Tap near a side", "wall"], ["Two fingers, Ctrl + wheel", "zoom"],
];
