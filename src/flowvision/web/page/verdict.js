// The verdict on a state, in words and buttons: a table whose first row that holds is said.

import { boardsIn, dotsAdvised, edgesOf, plainly, seesMore, sizeSeen } from "./advice.js";
import { dotsOf, flowNames, isSame, keyOf, placeWords } from "./board.js";
import { plural } from "./dom.js";
import { isSolved } from "./pipes.js";

/** @typedef {{doc: Doc, board: Board, answer: Answer|undefined, isRead: boolean, cause: Cause|undefined, why: string, edges: Edge[]}} Facts */

const COMPARE = "Compare it with your screenshot: dots, colours, walls.";
const SAVED_THEN = "Save and Copy come with “It is right”.";

// What the page can do beside what the server advises.
/** @type {Record<string, string>} */
const ADVICE = {
  "board-not-found": "Or drag the box to the board's edges, say how many columns and rows it has, and read that part.",
  "grid-not-found": "Or say how many columns and rows it has, or crop to the board.",
  "no-dots": "Or tap the dots in: a cell takes the colour that the picture has there.",
  "odd-dots": "Or tap the missing dot in, or one too many away.",
  "ambiguous-colours": "Or tap the dots whose colours were mixed up, with the right colour.",
};
/** @type {Record<string, string>} */
const STAGES = {
  board: "Looking for the board …",
  grid: "Counting rows and columns …",
  dots: "Looking for dots …",
  pairs: "Pairing dots …",
  solve: "Solving …",
  why: "It was not read: looking for the reason …",
};

const isAsRead = (/** @type {Doc} */ { board, read }) => !!board && !!read && isSame(board, read.board);
const isDoubted = (/** @type {any} */ reading) => !!reading && (!reading.ok || !!reading.doubtful);
// A refused or doubtful board, or a guess, that nobody has mended or confirmed. Changed and changed back, it is as it was read.
export const isUntrusted = (/** @type {Doc} */ doc) =>
  doc.trust === "guessed" || (isDoubted(doc.reading) && doc.trust !== "confirmed" && (!doc.trust || isAsRead(doc)));

/** @param {Verdict["kind"]} kind @param {string} words @param {(string|false|undefined)[]} more @param {Button[]} buttons @returns {Verdict} */
const said = (kind, words, more = [], buttons = []) => ({ kind, words, more: more.filter(Boolean).join(" "), buttons });
/** @param {string} text @param {Button["act"]} act @param {boolean} [main] @returns {Button} */
const act = (text, act, main) => ({ text, act, main });
const CONFIRM = act("It is right", ["confirm"], true);

const lower = (/** @type {string} */ words) => (/^[A-Z][a-z]? ?[a-z]/.test(words) ? words[0].toLowerCase() + words.slice(1) : words);
const upper = (/** @type {string} */ words) => words[0].toUpperCase() + words.slice(1);
const warningsOf = (/** @type {any} */ reading) => (reading?.warnings ?? []).map(plainly);

// Why a board is to be compared; `why`, as long as it is as it was read.
/** @param {Facts} facts @param {string} why */
const doubtOf = ({ doc, isRead }, why) => {
  if (isRead && doc.trust !== "guessed") return why;
  return doc.trust ? "A dot here is a guess, not what was read." : "Changed by you: compare it with the picture.";
};
/** @param {Facts} facts @param {string} why @param {string[]} [others] */
const toCompare = (facts, why, others = []) =>
  said(
    "warn",
    doubtOf(facts, why),
    [...others, `With the dots as placed here there is exactly one solution. ${COMPARE} ${SAVED_THEN}`],
    [CONFIRM],
  );

/** @type {[(facts: Facts) => any, (facts: Facts) => Verdict][]} */
const REFUSED = [
  [
    ({ answer }) => answer?.status === "solved" && answer.unique,
    (facts) => toCompare(facts, `The reader did not trust this: ${lower(facts.why)}`),
  ],
  [
    ({ doc }) => sizeSeen(doc).length,
    ({ doc, board }) => {
      const [rows, cols] = sizeSeen(doc);
      const words = `The lines show ${cols} × ${rows} cells, not ${board.cols} × ${board.rows}.`;
      return said("bad", words, [], [act(`Read it as ${cols} × ${rows}`, ["read", { grid: [rows, cols] }], true)]);
    },
  ],
  [
    ({ edges }) => edges.length,
    ({ edges, cause, answer }) => {
      const isKnown = cause?.code === "cut-off";
      const cut = cutWords(edges, cause?.seen.either);
      const words = !isKnown && answer?.status === "incomplete" ? (answer.words ?? cut) : cut;
      const more = [
        answer?.status === "solved" && "The board as shown has several solutions.",
        words !== cut && cut,
        ...edges.map(({ todo }) => todo),
        isKnown && "Or take the screenshot again with the whole board on it.",
      ];
      return said("bad", words, more, edges.flatMap(sideButtons));
    },
  ],
  [
    ({ doc }) => dotsAdvised(doc).length,
    ({ doc, board, why, cause }) => {
      const dots = dotsAdvised(doc);
      const more = ["With what the button puts there is exactly one solution.", plainly(cause?.todo_without_options ?? "")];
      return said("bad", why, more, [act(`Put ${dots.map((dot) => dotWords(board, dot)).join(" and ")}`, ["put", dots], true)]);
    },
  ],
  [
    ({ doc }) => boardsIn(doc).length,
    ({ doc, why, cause }) => said("bad", why, [plainly(cause?.todo_without_options ?? "")], boardButtons(doc)),
  ],
  [
    ({ answer }) => answer?.status === "solved",
    ({ why, cause, doc }) =>
      said(
        "warn",
        why,
        ["The board as shown has several solutions.", plainly(cause?.todo_without_options ?? doc.reading.error.hint ?? ""), COMPARE],
        [CONFIRM],
      ),
  ],
  [
    ({ answer, isRead, cause, board }) =>
      answer?.status === "incomplete" && (!isRead || cause?.code === "wrong-size" || seesMore(cause, board)),
    ({ answer }) => said("bad", answer?.words ?? ""),
  ],
  [
    () => true,
    ({ why, cause, doc }) => {
      const { code, hint } = doc.reading.error;
      const more = [plainly(cause?.todo_without_options ?? hint ?? ""), ADVICE[cause?.code === "lone-dots" ? "odd-dots" : code]];
      return said("bad", why, more);
    },
  ],
];

/** @type {[(facts: Facts) => any, (facts: Facts) => Verdict][]} */
const ANSWERED = [
  [({ answer }) => !answer, () => said("", "Solving …")],
  [
    ({ answer }) => answer?.status === "solved" && answer.unique,
    ({ answer, doc, isRead }) => {
      const isTouching = answer?.rules === "free";
      const [reading] = isRead && doc.reading?.ok ? [doc.reading] : [];
      const words = `Solved: exactly one solution.${isTouching ? " In it a path touches itself, which no published level needs." : ""}`;
      return said(isTouching ? "warn" : "good", words, [reading && confidenceWords(reading.confidence), ...warningsOf(reading)]);
    },
  ],
  [
    ({ answer }) => answer?.status === "solved" && answer.unique === null,
    () => said("warn", "Solved; whether there is another solution was not settled in time."),
  ],
  [
    ({ answer }) => answer?.status === "solved",
    ({ answer, doc }) => {
      const isOpen = !!doc.reading && doc.trust !== "confirmed";
      const many = answer?.count ? ` ${answer.count_complete ? "" : "at least "}${answer.count}` : " several";
      const more = [
        answer?.rules === "free" && "In it a path touches itself, which no published level needs.",
        isOpen && `Published levels have one: something may be misread. ${COMPARE} ${SAVED_THEN}`,
      ];
      const words = `There are${many} solutions; this is one of them.`;
      return said(doc.trust === "confirmed" ? "good" : "warn", words, more, isOpen ? [CONFIRM] : []);
    },
  ],
  [
    ({ answer }) => answer?.status === "unsolvable",
    ({ answer, doc }) =>
      said("bad", "No solution.", [doc.reading && `Something is wrong. ${COMPARE}`, answer?.reason && `${upper(answer.reason)}.`]),
  ],
  [
    ({ answer }) => answer?.status === "incomplete",
    ({ answer, edges }) =>
      said(
        "warn",
        answer?.words ?? "",
        edges.map(({ todo }) => todo),
        edges.flatMap(sideButtons),
      ),
  ],
  [({ answer }) => answer?.status === "gave-up", ({ answer }) => said("warn", "No answer in time.", [answer?.reason])],
  [() => true, ({ answer }) => said("bad", answer?.message ?? answer?.reason ?? "This is no puzzle.", [answer?.hint])],
];

/** @param {[(facts: Facts) => any, (facts: Facts) => Verdict][]} table @param {Facts} facts */
const first = (table, facts) => (table.find(([holds]) => holds(facts)) ?? table[table.length - 1])[1](facts);

// What is said of a state, wherever it is seen.
/** @param {Doc} doc @param {Answer|undefined} answer @returns {Verdict} */
export function verdict(doc, answer) {
  if (doc.pending) {
    const [rows, cols] = doc.tried.size ?? [];
    const size = !!rows && doc.stage !== "why" && `Tried: ${rows} rows and ${cols} columns.`;
    const words = `Reading ${doc.turn || "the picture"} …${doc.slow ? " It takes longer than usual." : ""}`;
    return said("", words, [STAGES[doc.stage] ?? doc.stage, size]);
  }
  if (doc.failed?.lost) return said("bad", "This picture was not read.", ["It is read as soon as Flowvision answers."]);
  if (doc.failed)
    return said("bad", `This picture was not read: ${lower(doc.failed.message)}`, [], [act("Read it again", ["retry"], true)]);
  if (!doc.board) return said("", "");
  const { error } = doc.reading ?? {};
  const why = error ? plainly(error.cause?.says ?? error.message) : "";
  const facts = { doc, board: doc.board, answer, isRead: isAsRead(doc), cause: error?.cause, why, edges: edgesOf(doc) };
  if (isUntrusted(doc) && !doc.reading.ok) return first(REFUSED, facts);
  const made = first(ANSWERED, facts);
  const [doubt, ...others] = warningsOf(doc.reading);
  const shown = isUntrusted(doc) && made.kind === "good" ? toCompare(facts, doubt, others) : made;
  return { ...shown, buttons: [...boardButtons(doc), ...shown.buttons] };
}

// The same where it is seen: with what can be done under a tab, and without the solution where somebody plays.
/** @param {Doc} doc @param {Answer|undefined} answer @param {View} view @returns {Verdict} */
export function verdictUnder(doc, answer, view) {
  const made = verdict(doc, answer);
  const { board } = doc;
  if (doc.pending) return view.canStop ? { ...made, buttons: [act("Stop", ["stop"])] } : made;
  if (!board) return made;
  if (view.tab === "Play") return { ...inPlay(made, doc, answer), buttons: [] };
  if (view.tab === "Make") return { ...hidden(made, view), buttons: [] };
  const isAnswered = answer?.status === "solved" && !isUntrusted(doc);
  if (view.tab !== "Answer" || !isAnswered) return hidden(made, view);
  const isConfirmed = !made.buttons.includes(CONFIRM);
  const buttons = [
    ...(isConfirmed ? [act("Save", ["save"], true)] : []),
    ...(isConfirmed && view.canCopy ? [act("Copy", ["copy"])] : []),
    ...(isConfirmed && view.solved > 1 ? [act(`Save all ${view.solved} solved`, ["saveAll"])] : []),
    ...(view.isHidden ? [act("Play it", ["open", "Play"])] : []),
    ...(doc.picture && made.kind === "good" ? [act("Something is wrong?", ["mend"])] : []),
    ...(view.isOfPhone && made.kind === "good" ? [act("Play it on the phone", ["playOnPhone"])] : []),
  ];
  return { ...hidden(made, view), buttons: [...made.buttons, ...buttons] };
}

/** @param {Verdict} made @param {View} view */
const hidden = (made, view) =>
  view.isHidden && made.kind === "good" ? { ...made, words: made.words.replace("Solved: exactly", "There is exactly") } : made;

/** @param {Verdict} made @param {Doc} doc @param {Answer|undefined} answer */
function inPlay(made, doc, answer) {
  const isOver = !!doc.board && isSolved(doc.board, doc.played);
  if (isOver && isUntrusted(doc)) return { ...made, words: `Solved as it stands here. ${made.words}` };
  if (isOver) return said("good", "Solved!");
  if (made.kind !== "good") return made;
  return said("", `There is ${answer?.unique ? "exactly one solution: find it" : "more than one solution: find one"}.`);
}

/** @param {Edge} edge @returns {Button[]} */
const sideButtons = ({ side, line, isHere }) => [
  ...(isHere ? [] : [act(`Add a ${line} at the ${side}`, ["side", side, 1, true])]),
  act(`The ${line} at the ${side} is not part of the board`, ["side", side, -1]),
];

/** @param {Doc} doc @returns {Button[]} */
const boardButtons = (doc) =>
  boardsIn(doc).map(({ name, crop, grid }, _, all) =>
    act(`Read the ${name} board`, ["read", { crop, grid }], all.length === 1 && !doc.reading.ok),
  );

/** @param {Board} board @param {{key: Key, letter: string}} dot */
const dotWords = (board, { key, letter }) => {
  const flow = board.flows.findIndex((one) => one.letter === letter);
  return `${flowNames(board)[flow] ?? letter} in ${placeWords(board, key)}`;
};

/** @param {Edge[]} edges @param {boolean} isEither which of them it is, is not known */
function cutWords(edges, isEither) {
  const between = isEither ? " or " : " and ";
  return `Cut off at the ${edges.map(({ side }) => side).join(between)}: the picture ends ${edges.map(({ why }) => why).join(between)}.`;
}

export function confidenceWords(/** @type {number} */ confidence) {
  if (confidence >= 0.97) return "Every dot was seen clearly.";
  if (confidence >= 0.9) return "The dots were seen well.";
  if (confidence >= 0.75) return "The dots were seen fairly well: compare the ringed one with the picture.";
  return "The dots were seen badly: compare them with the picture.";
}

/** @param {Board} board @param {number[]} odd the flows that have not two dots */
export function oddWords(board, odd) {
  const counts = dotsOf(board);
  const words = odd.slice(0, 3).map((n) => `${flowNames(board)[n]} has ${plural(counts[n].length, "dot")}`);
  return upper(`${words.join(", ")}${odd.length > 3 ? " …" : ""}: every colour needs two.`);
}

// Walls of what was read round a cell that the message names: the edge of what covers it may have been taken for them.
/** @param {Board} board @param {Key[]} named */
export const wallsRound = (board, named) => [...board.walls].filter((pair) => pair.split("|").some((key) => named.includes(keyOf(key))));
