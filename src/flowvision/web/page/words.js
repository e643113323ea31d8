// What is said about a board, in words.

import { Refused, SESSION_KEY } from "./api.js";
import { dotsOf, flowNames, isSame, keyOf } from "./board.js";
import { plural } from "./dom.js";
import { inverse } from "./view.js";

// What a page can do beside what the server advises.
/** @type {Record<string, string>} */
const ADVICE = {
  "board-not-found": "Or drag the box to the board's edges, say how many columns and rows it has, and read that part.",
  "grid-not-found": "Or say how many columns and rows it has, or crop to the board.",
  "no-dots": "Or tap the dots in: a cell takes the colour that the picture has there.",
  "odd-dots": "Or tap the missing dot in, or one too many away.",
  "ambiguous-colours": "Or tap the dots whose colours were mixed up, with the right colour.",
};

export function confidenceWords(/** @type {number} */ confidence) {
  if (confidence >= 0.97) return "Every dot was seen clearly.";
  if (confidence >= 0.9) return "The dots were seen well.";
  if (confidence >= 0.75) return "The dots were seen fairly well: compare the ringed one with the picture.";
  return "The dots were seen badly: compare them with the picture.";
}

/** @param {Board} board @param {number[]} odd the flows that have not two dots */
export function oddWords(board, odd) {
  const counts = dotsOf(board);
  const said = odd.slice(0, 3).map((n) => `${flowNames(board)[n]} has ${plural(counts[n].length, "dot")}`);
  const words = `${said.join(", ")}${odd.length > 3 ? " …" : ""}: every colour needs two.`;
  return words[0].toUpperCase() + words.slice(1);
}

// Whether what is shown is a refused or doubtful board, or a guess, that nobody has mended or confirmed yet. Changed and changed
// back, it is as it was read.
export const isUntrusted = (/** @type {Doc} */ doc) =>
  doc.trust === "guessed" || (isDoubted(doc.reading) && doc.trust !== "confirmed" && (!doc.trust || isAsRead(doc)));
const isDoubted = (/** @type {any} */ reading) => !!reading && (!reading.ok || !!reading.doubtful);
const isAsRead = (/** @type {Doc} */ { board, read }) => !!board && !!read && isSame(board, read.board);

/** @type {Record<string, string>} */
const STAGES = {
  board: "Looking for the board …",
  grid: "Counting rows and columns …",
  dots: "Looking for dots …",
  pairs: "Pairing dots …",
  solve: "Solving …",
  why: "It was not read: looking for the reason …",
};

/**
 * The verdict on a state. A refused board stays amber at best until a person has mended or confirmed it.
 * @param {Doc} doc @param {Answer|undefined} answer @returns {Verdict}
 */
export function verdict(doc, answer) {
  if (doc.pending) {
    const [rows, cols] = doc.tried.size ?? [];
    const size = rows && doc.stage !== "why" ? ` Tried: ${rows} rows and ${cols} columns.` : "";
    return { kind: "", words: `Reading ${doc.turn || "the picture"} …`, more: (STAGES[doc.stage] ?? doc.stage) + size };
  }
  if (doc.failed?.lost) return { kind: "bad", words: "This picture was not read.", more: "It is read as soon as Flowvision answers." };
  if (doc.failed) return { kind: "bad", words: `This picture was not read: ${lower(doc.failed.message)}`, more: "", again: true };
  if (!doc.board) return { kind: "", words: "", more: "" };
  const { board } = doc;
  if (isUntrusted(doc) && !doc.reading.ok) return untrusted({ ...doc, board }, answer);
  if (!answer) return { kind: "", words: "Solving …", more: "" };
  const reading = doc.read?.board === doc.board && doc.reading?.ok ? doc.reading : null;
  const made = ofAnswer(answer, reading, doc);
  const [why, ...others] = warningsOf(doc.reading);
  return isUntrusted(doc) && made.kind === "good" ? toCompare(doubtOf(doc, why), others) : made;
}

const CHANGED = "Changed by you: compare it with the picture.";
const GUESSED = "A dot here is a guess, not what was read.";
const COMPARE = "Compare it with your screenshot: dots, colours, walls.";
const SAVED_THEN = "Save and Copy come with “It is right”.";
// Why a board is to be compared; `why`, as long as it is as it was read.
const doubtOf = (/** @type {Doc} */ doc, /** @type {string} */ why) =>
  isAsRead(doc) && doc.trust !== "guessed" ? why : doc.trust ? GUESSED : CHANGED;
const warningsOf = (/** @type {any} */ reading) => (reading?.warnings ?? []).map(plainly);
/** @param {string} doubt @param {string[]} [others] @returns {Verdict} */
const toCompare = (doubt, others = []) => ({
  kind: "warn",
  words: doubt,
  more: [...others, `With the dots as placed here there is exactly one solution. ${COMPARE} ${SAVED_THEN}`].join(" "),
  confirm: true,
});

/** @param {Doc & {board: Board}} doc @param {Answer|undefined} answer @returns {Verdict} */
function untrusted(doc, answer) {
  const isRead = isAsRead(doc);
  /** @type {{code: string, message: string, hint?: string, cause?: Cause}} */
  const { code, message, hint, cause } = doc.reading.error;
  const why = plainly(cause?.says ?? message);
  const isSolved = answer?.status === "solved";
  if (isSolved && answer.unique) return toCompare(doubtOf(doc, `The reader did not trust this: ${lower(why)}`));
  // Whoever gave a size that the lines do not show may see more than they do: then it is dots that lack.
  const isSized = cause?.code === "wrong-size";
  const sized = sizeWords(doc);
  const isAdvised = dotsAdvised(doc).length > 0;
  const isOld = seesMore(cause, doc.board);
  // Whoever adds a row beyond the picture's edge has it for dots to be put on.
  const edges = edgesOf(doc);
  const isCut = edges.length > 0;
  const isOdd = answer?.status === "incomplete" && (isSized || isOld || !isRead || (isCut && cause?.code !== "cut-off"));
  const several = isSolved && "The board as shown has several solutions.";
  const more = [
    isAdvised && "With what the button puts there is exactly one solution.",
    several,
    isOdd && isCut && cutWords(edges, cause?.seen.either),
    ...edges.map(({ todo }) => todo),
    isCut && cause?.code === "cut-off" && "Or take the screenshot again with the whole board on it.",
    sized && isOdd && answer.words,
    !((isSized || isOld) && isOdd) && !isCut && !sized && plainly(cause?.todo_without_options ?? hint ?? ""),
    !boardsIn(doc).length && !isCut && !sized && !isAdvised && ADVICE[cause?.code === "lone-dots" ? "odd-dots" : code],
  ];
  const isOpen = isSolved && !isCut; // it may have several solutions: a person can say so
  return {
    kind: isOpen ? "warn" : "bad",
    words: sized || (isOdd && answer.words) || (isCut ? cutWords(edges, cause?.seen.either) : why),
    more: more.filter(Boolean).join(" "),
    confirm: isOpen,
  };
}

// Whether the dots that a refusal missed are on the board: another look has seen them.
/** @param {Cause|undefined} cause @param {Board} board */
function seesMore(cause, board) {
  if (cause?.code === "photograph") return board.dots.size > 0;
  if (cause?.code === "other-game") return board.dots.size > cause.seen.dots;
  return cause?.code === "left-out" && cause.seen.places.every((/** @type {Place} */ place) => board.dots.has(keyOf(place)));
}

// Rows and columns that the lines show, where others were given.
/** @param {Doc} doc @returns {number[]} */
export function sizeSeen({ reading, read, board, pending }) {
  const { seen, code } = reading?.error?.cause ?? {};
  return code === "wrong-size" && seen.lines_cols && read?.board === board && !pending ? [seen.lines_rows, seen.lines_cols] : [];
}
/** @param {Doc & {board: Board}} doc */
function sizeWords(doc) {
  const [rows, cols] = sizeSeen(doc);
  return rows && `The lines show ${cols} × ${rows} cells, not ${doc.board.cols} × ${doc.board.rows}.`;
}

const upper = (/** @type {string} */ words) => words[0].toUpperCase() + words.slice(1);
const lower = (/** @type {string} */ words) => (/^[A-Z][a-z]? ?[a-z]/.test(words) ? words[0].toLowerCase() + words.slice(1) : words);

/** @param {Answer} answer @param {any} reading @param {Doc} doc @returns {Verdict} */
function ofAnswer(answer, reading, doc) {
  const seen = reading ? confidenceWords(reading.confidence) : "";
  switch (answer.status) {
    case "solved": {
      const touching = answer.rules === "free" ? " In it a path touches itself, which no published level needs." : "";
      if (answer.unique)
        return {
          kind: touching ? "warn" : "good",
          words: `Solved: there is exactly one solution.${touching}`,
          more: [seen, ...warningsOf(reading)].filter(Boolean).join(" "),
        };
      if (answer.unique === null)
        return { kind: "warn", words: "Solved; whether there is another solution was not settled in time.", more: "" };
      const isOpen = !!doc.reading && doc.trust !== "confirmed";
      const many = answer.count ? ` ${answer.count_complete ? "" : "at least "}${answer.count}` : " several";
      return {
        kind: doc.trust === "confirmed" ? "good" : "warn",
        words: `There are${many} solutions; this is one of them.`,
        more: `${touching} ${isOpen ? `Published levels have one: something may be misread. ${COMPARE} ${SAVED_THEN}` : ""}`.trim(),
        confirm: isOpen,
      };
    }
    case "unsolvable":
      return {
        kind: "bad",
        words: "No solution.",
        more: [doc.reading && `Something is wrong. ${COMPARE}`, answer.reason && `${upper(answer.reason)}.`].filter(Boolean).join(" "),
      };
    case "incomplete":
      return {
        kind: "warn",
        words: answer.words ?? "",
        more: edgesOf(doc)
          .map(({ todo }) => todo)
          .join(" "),
      };
    case "gave-up":
      return { kind: "warn", words: "No answer in time.", more: answer.reason ?? "" };
    default:
      return { kind: "bad", words: answer.message ?? answer.reason ?? "This is no puzzle.", more: answer.hint ?? "" };
  }
}

// The cells that a refusal names, as long as the board is as it was read.
/** @param {Doc} doc @returns {Key[]} */
export function placesNamed({ reading, read, board }) {
  const { place, places = [] } = (read?.board === board && reading?.error?.cause?.seen) || {};
  return (place ? [place] : places).map(keyOf);
}

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
const cutWords = (/** @type {Edge[]} */ edges, /** @type {boolean} which of them it is, is not known */ isEither) => {
  const between = isEither ? " or " : " and ";
  return `Cut off at the ${edges.map(({ side }) => side).join(between)}: the picture ends ${edges.map(({ why }) => why).join(between)}.`;
};

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
const plainly = (/** @type {string} */ words) =>
  words
    .replace(/With `--.*` no board could be read; without it the picture is read./, "With what was chosen here no board could be read.")
    .replace("Give another value, or leave it out.", "Draw the part larger, change the numbers, or go back to what was recognised.")
    .replace(/ (For the other|To see why): `--crop [\d,]+`\./, " Crop to the other one to read that.")
    .replace("If they are dots, say so.", "If they are dots, tap them in.")
    .replace("`flowvision puzzle FILE`", "paste it under “Make”")
    .replace("The part given with `--crop`", "The part that was read")
    .replace(/Allow more time with `--limit SECONDS`(\.|, or )/, "")
    .replace(/`--.*?`/g, "the buttons here")
    .replace(/^[a-z]/, (letter) => letter.toUpperCase());

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

export const KEYS = [
  ["Arrow keys", "from cell to cell"],
  ["Shift + arrow", "Play: draw the pipe on; Correct: a wall, or none"],
  ["Enter, Space", "Play: a dot, then where its pipe goes; Correct: use the tool"],
  ["Delete", "Play: erase the pipe; Correct: clear the cell"],
  ["1 … 9, 0", "Correct: a colour"],
  ["H, B, W", "Correct: hole (or a long press), bridge, warp"],
  ["M", "Correct: pick up a dot; Enter puts it down"],
  ["Drag a dot", "Correct: to another cell; onto a dot they change places"],
  ["Ctrl + Z, Ctrl + Y", "undo, redo"],
  ["N", "next hint"],
  ["P", "watch the solution (not in Play)"],
  ["Escape", "stop cropping"],
  ["Ctrl + wheel", "zoom"],
];
