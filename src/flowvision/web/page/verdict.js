// The verdict on a state, in words and buttons.

import { flowNames, isSame, keyOf, placeWords } from "./board.js";
import { plural } from "./dom.js";
import { isSolved, left } from "./pipes.js";

const COMPARE = "Compare it with your screenshot: dots, colours, walls.";
const TOUCHING = "A path touches itself here, as in no published level.";

/** @type {Record<string, string>} what the page can do, beside what the server advises */
const ADVICE = {
  "grid-not-found": "Or enter how many columns and rows it has, or crop to the board.",
  "no-dots": "Or tap where the dots are: a cell takes the colour that the picture has there.",
  "odd-dots": "Or tap where the dot is missing, or tap an extra dot to erase it.",
  "ambiguous-colours": "Or choose the right colour and tap the dots that were mixed up.",
};
const adviceOf = ({ reading }) => reading?.advice ?? {};
const isAsRead = ({ board, read }) => !!board && !!read && isSame(board, read.board);
const isDoubted = (reading) => !!reading && (!reading.ok || !!reading.doubtful);
// Tell if a refused, doubtful or guessed board was neither corrected nor confirmed.
const isUntrusted = (doc) =>
  doc.trust === "guessed" || (isDoubted(doc.reading) && doc.trust !== "confirmed" && (!doc.trust || isAsRead(doc)));

// Return the cells that the message names, if the board is unchanged.
export const placesNamed = (doc) => (doc.read?.board === doc.board ? (adviceOf(doc).places ?? []).map(keyOf) : []);

// Tell if the picture cuts the board: no change of dots can repair it.
export const isCut = (doc) => !!adviceOf(doc).cut;

const said = (kind, words, more = [], buttons = []) => ({ kind, words, more: more.filter(Boolean).join(" "), buttons });
const act = (text, act, main) => ({ text, act, main });
const CONFIRM = act("It is right", ["confirm"], true);

function toCompare(doc, isRead, why, others) {
  const changed = doc.trust ? "A dot here is a guess, not what was read." : "Changed by you: compare it with the picture.";
  const words = isRead && doc.trust !== "guessed" ? why : changed;
  return said("warn", words, [...others, `With these dots there is exactly one solution. ${COMPARE}`], [CONFIRM]);
}

const boardButtons = (doc) =>
  (doc.picture && doc.read?.board === doc.board ? (adviceOf(doc).boards ?? []) : []).map(({ name, crop }, _, all) =>
    act(`Read the ${name} board`, ["read", { crop }], all.length === 1 && !doc.reading.ok),
  );

const dotWords = (board, { place, letter }) => {
  const flow = board.flows.findIndex((one) => one.letter === letter);
  return `${flowNames(board)[flow] ?? letter} in ${placeWords(board, keyOf(place))}`;
};

function refused({ doc, board, answer, isRead, why, more }) {
  const { size, put = [] } = isRead ? adviceOf(doc) : {};
  const isSolved = answer?.status === "solved";
  if (isSolved && answer.unique) return toCompare(doc, isRead, `This may be misread. ${why}`, [more]);
  if (size) {
    const [rows, cols] = size;
    const words = `The lines show ${cols} × ${rows} cells, not ${board.cols} × ${board.rows}.`;
    return said("bad", words, [], [act(`Read it as ${cols} × ${rows}`, ["read", { grid: [rows, cols] }], true)]);
  }
  if (put.length) {
    const text = `Put ${put.map((dot) => dotWords(board, dot)).join(" and ")}`;
    return said("bad", why, ["With this change there is exactly one solution.", more], [act(text, ["put", put], true)]);
  }
  if (isSolved) return said("warn", why, ["The board as shown has several solutions.", more, COMPARE], [CONFIRM]);
  if (answer?.status === "incomplete" && !isRead) return said("bad", answer.words ?? "");
  return said("bad", why, [more, !isCut(doc) && ADVICE[doc.reading.error.code]]);
}

function answered({ doc, answer, isRead }) {
  if (!answer) return said("", "Solving …");
  const { status, unique, rules, count, count_complete, message, hint, words = "" } = answer;
  const touching = rules === "free" ? TOUCHING : "";
  if (status === "solved" && unique)
    return said(
      touching ? "warn" : "good",
      `Solved: exactly one solution. ${touching}`.trim(),
      (isRead && doc.reading?.ok && doc.reading.warnings) || [],
    );
  if (status === "solved" && unique === null) return said("warn", "Solved; there was no time to rule out another solution.");
  if (status === "solved") {
    const isOpen = !!doc.reading && doc.trust !== "confirmed";
    const many = count ? ` ${count_complete ? "" : "at least "}${count}` : " several";
    const misread = isOpen && `Published levels have exactly one, so something may be misread. ${COMPARE}`;
    const kind = doc.trust === "confirmed" ? "good" : "warn";
    return said(kind, `There are${many} solutions; this is one of them.`, [touching, misread], isOpen ? [CONFIRM] : []);
  }
  if (status === "unsolvable") return said("bad", "No solution.", [doc.reading && `Something was misread. ${COMPARE}`, message]);
  if (status === "incomplete") return said("warn", words);
  if (status === "gave-up") return said("warn", "No answer in time.", [message]);
  return said("bad", message ?? "This is not a puzzle.", [hint]);
}

// Return the verdict on a state, whatever the tab.
export function verdict(doc, answer) {
  if (doc.pending) return said("", "Reading the picture …");
  if (doc.failed?.lost) return said("bad", "This picture was not read.", ["It will be read as soon as Flowvision answers."]);
  if (doc.failed) return said("bad", `This picture was not read. ${doc.failed.message}`, [], [act("Read it again", ["retry"], true)]);
  const { says, more = "" } = adviceOf(doc);
  const why = says ?? doc.reading?.error?.message ?? "";
  if (!doc.board) return doc.reading ? said("bad", why, [more], [act("Show where the board is", ["lay"], true)]) : said("", "");
  const facts = { doc, board: doc.board, answer, isRead: isAsRead(doc), why, more };
  if (isUntrusted(doc) && !doc.reading.ok) return refused(facts);
  const made = answered(facts);
  const [doubt, ...others] = doc.reading?.warnings ?? [];
  const shown = isUntrusted(doc) && made.kind === "good" ? toCompare(doc, facts.isRead, doubt, others) : made;
  return { ...shown, buttons: [...boardButtons(doc), ...shown.buttons] };
}

// Return the verdict for a tab, with its buttons; in play it does not reveal the solution.
export function verdictUnder(doc, answer, tab) {
  const made = verdict(doc, answer);
  if (doc.pending) return { ...made, buttons: [act("Stop", ["stop"])] };
  if (!doc.board) return made;
  if (tab === "Play") return { ...inPlay(made, doc, doc.board, answer), buttons: [] };
  if (tab === "Make") return { ...made, buttons: [] };
  if (tab !== "Answer" || !answer || made.buttons.length || canSave(doc, answer)) return made;
  return { ...made, buttons: [act("Correct the board", ["correct"], true)] };
}

export const canSave = (doc, answer) => answer?.status === "solved" && !isUntrusted(doc) && !verdict(doc, answer).buttons.includes(CONFIRM);

function inPlay(made, doc, board, answer) {
  if (isSolved(board, doc.played))
    return isUntrusted(doc) ? { ...made, words: `Solved as shown here. ${made.words}` } : said("good won", "Solved!");
  if (made.kind === "bad" || answer?.status !== "solved") return made;
  const { flows, cells } = left(board, doc.played);
  const words = `${plural(flows, "flow")} to join, ${plural(cells, "cell")} to cover.`;
  if (made.kind === "good") return said("", words);
  return said("warn", words, [made.words, made.more]);
}
