// The verdict on a state, in words and buttons.

import { flowLike, flowNames, got, isOfGame, isSame, keyOf, marked, newFlow, rgbAt, withPlaces } from "./board.js";
import { plural } from "./dom.js";
import { loneFlows, SIDES } from "./edits.js";
import { looksOf } from "./picture.js";
import { isSolved, left } from "./pipes.js";

const COMPARE = "Compare it with your screenshot.";
const DIFFERS = "Another one differs in the outlined cells.";
const TOUCHING = "A path touches itself here, as in no published level.";

const adviceOf = (/** @type {Doc} */ { reading }) => reading?.advice ?? {};
const isAsRead = (/** @type {Doc} */ { board, read }) => !!board && !!read && isSame(board, read.board);
export const isDoubted = (/** @type {any} */ reading) => !!reading && (!reading.ok || !!reading.doubtful);
// Tell if a board is guessed or of a doubtful outline, or is refused or doubtful and was neither corrected nor confirmed.
const isUntrusted = (/** @type {Doc} */ doc) =>
  doc.trust === "guessed" || isFrameOpen(doc) || (isDoubted(doc.reading) && doc.trust !== "confirmed" && (!doc.trust || isAsRead(doc)));

// Tell if the outline is in doubt, and was not set by hand.
export const isFrameOpen = (/** @type {Doc} */ doc) => !!doc.board && !doc.framed && !!adviceOf(doc).frame;

// Return the cells that the message names.
export const placesNamed = (/** @type {Doc} */ doc) =>
  doc.read?.board === doc.board ? (adviceOf(doc).places ?? []).map(keyOf) : guessesIn(doc);

// Tell if the picture cuts the board: no change of dots can repair it.
const isCut = (/** @type {Doc} */ doc) => !!adviceOf(doc).cut?.length && !doc.framed;

// Return the cells where the picture speaks against the board: it shows ground under a dot, or on none a dot of the game.
export function against(/** @type {Doc} */ doc) {
  const { board } = /** @type {Opened} */ (doc);
  return [...looksOf(doc)].flatMap(([key, { kind, rgb }]) =>
    (board.dots.has(key) ? kind === "ground" : kind === "dot" && isKnown(board, rgb) && !board.holes.has(key)) ? [key] : [],
  );
}
// Return the dots that a button put where the picture shows none.
const guessesIn = (/** @type {Doc} */ doc) =>
  doc.trust === "guessed" && !doc.framed && doc.board ? [...doc.board.dots.keys()].filter((key) => isEdited(doc, key)) : [];
// Tell if the dot of a cell, or its lack, is not as it was read.
export const isEdited = (/** @type {Doc} */ { board, read }, /** @type {Key} */ key) =>
  rgbAt(/** @type {Board} */ (board), key) !== rgbAt(read?.board, key);
const isKnown = (/** @type {Board} */ board, /** @type {string} */ rgb) => isOfGame(rgb) || flowLike(board, rgb) >= 0;

// Return the sides at which the picture cuts the board, as in `SIDES`.
export const cutSides = (/** @type {Doc} */ doc) =>
  isCut(doc) && doc.board === doc.read?.board ? adviceOf(doc).cut.map((/** @type {string} */ side) => SIDES.indexOf(side)) : [];

/** Signs that stand for cells in words; the board shows them in their cells. */
const SIGNS = [..."①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"];

// Return a function that puts signs for the cells in words, and the sign of each cell. A cell keeps its sign `before`.
/** @param {Map<Key, string>} before @returns {{point: (words: string) => string, signs: Map<Key, string>}} */
export function pointing(before = new Map()) {
  const signs = new Map();
  const free = SIGNS.filter((sign) => ![...before.values()].includes(sign));
  const signOf = (/** @type {Key} */ key) => {
    const sign = signs.get(key) ?? before.get(key) ?? free.shift() ?? "";
    if (sign) signs.set(key, sign);
    return sign;
  };
  return { signs, point: (words) => withPlaces(words, signOf) };
}

/** @param {Verdict["kind"]} kind @param {string} words @param {any[]} more @param {Verdict["buttons"]} buttons @returns {Verdict} */
const said = (kind, words, more = [], buttons = []) => ({ kind, words, todo: "", more: more.filter(Boolean).join(" "), buttons });
/** @param {string} text @param {[name: string, ...given: any[]]} act @returns {Verdict["buttons"][0]} */
const act = (text, act, main = false) => ({ text, act, main });
const CONFIRM = act("It is right", ["confirm"], true);
const MEND = act("Correct the board", ["correct"], true);
const OUTLINE = act("Set the outline", ["outline"], true);
const NO_WALLS = act("Remove all walls", ["bare"]);
const ANOTHER = act("Choose another screenshot", ["another"], true);
const SIGNED = "Your dots are ringed, those of the picture crossed.";
const UNFIT = ["No solution fits this board.", "A dot, a wall or the size was misread."];
export const isCovered = (/** @type {Doc} */ doc) => !!adviceOf(doc).covered && !doc.framed;
// Return what settles the doubt about an outline, null where there is none. No outline uncovers a board.
const outlines = (/** @type {Doc} */ doc) =>
  !isFrameOpen(doc) ? null : isCovered(doc) && !doc.trust ? [ANOTHER, { ...OUTLINE, main: false }] : [OUTLINE];

// Say what the picture shows in cells where it speaks against the board.
function againstWords(/** @type {Opened} */ doc, /** @type {Key[]} */ cells) {
  const { board } = doc;
  if (cells.length > 2) return `The picture differs in ${cells.length} cells.`;
  const nameAt = (/** @type {Key} */ key) => newFlow([], rgbAt(board, key) ?? got(looksOf(doc), key).rgb).name;
  const shown = cells.filter((key) => !board.dots.has(key)).map(nameAt);
  const not = (/** @type {Key} */ key) => (shown.includes(nameAt(key)) ? "not" : "no dot");
  const parts = cells.map((key) => `${board.dots.has(key) ? not(key) : nameAt(key)} at ${marked(key)}`);
  return `The picture has ${parts.join(", ")}.`;
}

// Say which dots a button put or moved.
function guessWords(/** @type {Doc} */ doc) {
  const { board, read } = /** @type {Opened} */ (doc);
  const [guesses, gone] = [guessesIn(doc), [...(read?.board.dots.keys() ?? [])].filter((key) => !board.dots.has(key))];
  const names = guesses.map((key) => flowNames(board)[got(board.dots, key)]);
  const [from, to] = [gone, guesses].map((keys) => keys.map(marked));
  const isMove = guesses.length === 1 && gone.length === 1;
  const put = names.map((name, n) => `${name} (${to[n]})`).join(" and ");
  const words = isMove ? `${names} moved from ${from} to ${to}.` : `${put} ${names.length > 1 ? "are guesses" : "is a guess"}.`;
  return names.length ? words.replace(/^./, (letter) => letter.toUpperCase()) : "";
}

// Return an amber verdict on a board with one solution. It is confirmed only if nothing but the user can tell more.
function toCompare(/** @type {Doc} */ doc, /** @type {boolean} */ isRead, /** @type {string} */ why, /** @type {string[]} */ others) {
  const { board } = /** @type {Opened} */ (doc);
  const isChanged = !isRead || doc.trust === "guessed";
  const isFramed = doc.framed && adviceOf(doc).frame;
  const words = isChanged ? guessWords(doc) || "The outline was changed." : isFramed ? "The outline is as you set it." : why;
  const more = [...(doc.framed || isChanged ? [] : others), COMPARE];
  const denial = isChanged ? [act("Take it back", ["undo"])] : adviceOf(doc).walls && board.walls.size ? [NO_WALLS] : [];
  return said("warn", words, more, outlines(doc) ?? [CONFIRM, ...denial]);
}

/** Kinds of verdicts on boards that have their answer: read without doubt, or checked by the user alone. */
export const isDone = (/** @type {string} */ kind) => kind === "good" || kind === "own";

// Return why a board is not green although it has one solution, or null: the picture, or its outline, was doubtful.
function doubtOf(/** @type {Opened} */ doc, /** @type {Answer} */ answer) {
  const { others = [] } = answer;
  if (!doc.picture || !(doc.trust || isDoubted(doc.reading)) || isFrameOpen(doc)) return null;
  const cells = guessesIn(doc).length ? [] : against(doc);
  if (doc.trust === "confirmed" && answer.rules !== "free" && (cells.length || others.length || adviceOf(doc).frame))
    return said("own", "You checked this board.", ["It has exactly one solution.", cells.length && "It differs from the picture."]);
  if (!cells.length && !others.length) return null;
  const words = cells.length
    ? againstWords(doc, cells)
    : `The cover may hide the dot elsewhere: ${plural(others.length + 1, "place")} leave exactly one solution.`;
  const places = others.map(({ text, ...mend }) => act(text, ["mend", mend]));
  const isMine = cells.some((key) => isEdited(doc, key));
  const confirm = { ...CONFIRM, text: isMine ? "Keep my board" : CONFIRM.text, main: false };
  const follow = cells.length ? [act("Follow the picture", ["follow", ...cells], !isMine)] : [];
  const more = [cells.length > 2 && SIGNED, COMPARE];
  return said("warn", words, more, isMine ? [confirm, ...follow, ...places] : [...follow, ...places, confirm]);
}

// Add the changes that leave exactly one solution; one alone is the main button unless another is. Without any, walls can go.
function withMends(/** @type {Doc} */ doc, /** @type {Answer|undefined} */ answer, /** @type {Verdict} */ made) {
  const mends = answer?.mends ?? [];
  if (!mends.length && answer?.status === "unsolvable" && doc.picture && doc.board?.walls.size)
    return { ...made, buttons: [...made.buttons, NO_WALLS] };
  if (!mends.length || made.kind === "good" || isCut(doc)) return made;
  const kept = made.buttons.filter(({ act: [name] }) => !["outline", "another", "confirm", "correct"].includes(name));
  const isMain = mends.length === 1 && !kept.some(({ main }) => main);
  const todo = mends.length > 1 ? "One of these makes it right." : (mends[0].why ?? "With this change it has exactly one solution.");
  const kind = made.kind === "bad" ? "warn" : made.kind;
  return { ...made, kind, todo, more: "", buttons: [...mends.map(({ text, ...mend }) => act(text, ["mend", mend], isMain)), ...kept] };
}

// Say how to add the dot that is missing. The palette is there in Correct alone.
function withHelp(/** @type {Opened} */ doc, /** @type {Answer|undefined} */ answer, /** @type {Verdict} */ made) {
  if (answer?.status === "unsolvable" && doc.picture && !answer.mends?.length && !made.buttons.some(({ main }) => main))
    return { ...made, todo: "Tap what differs from your picture." };
  const isHelped = answer?.status === "incomplete" && doc.picture && !answer.mends?.length && (!isCovered(doc) || doc.trust);
  const names = isHelped ? loneFlows(doc.board).map((flow) => flowNames(doc.board)[flow]) : [];
  if (!names.length) return made;
  const choice = names.length > 3 ? "a colour with “!”" : names.join(" or ");
  const words = names.length > 1 ? `Choose ${choice}, then tap where its other dot is.` : `Tap where the other ${names[0]} dot is.`;
  return { ...made, todo: words };
}

// Add the other ways to read the picture of a board that is unchanged; that of a refused one is the main button.
function withBoards(/** @type {Doc} */ doc, /** @type {Verdict} */ made) {
  const known = (doc.picture && (doc.read?.board ?? null) === doc.board && adviceOf(doc).boards) || [];
  const isMain = !doc.reading?.ok;
  const boards = known.map((/** @type {Advice["boards"][0]} */ { text, ...query }) => act(text, ["read", query], isMain));
  const isOther = (/** @type {Verdict["buttons"][0]} */ { act: [name] }) => name === "another" || name === "outline" || name === "lay";
  const others = boards.length && isMain ? made.buttons.filter(isOther).map((one) => ({ ...one, main: false })) : made.buttons;
  return { ...made, buttons: [...boards, ...others] };
}

function refused(/** @type {Facts} */ { doc, answer, isRead, why, more }) {
  const isSolved = answer?.status === "solved";
  if (isSolved && answer.unique) return toCompare(doc, isRead, `This may be misread. ${why}`, [more]);
  if (isSolved) return said("warn", why, ["The board as shown has several solutions.", more, COMPARE], outlines(doc) ?? []);
  if (answer?.status === "incomplete" && !isRead) return said("bad", answer.words ?? "");
  if (doc.reading.error.code === "unsolvable" && !isFrameOpen(doc)) return said("bad", UNFIT[0], [UNFIT[1]], [MEND]);
  const isLost = isCut(doc) || isCovered(doc) || isFrameOpen(doc);
  const own = isFrameOpen(doc) && doc.reading.error.cause?.code !== "other-game" ? [{ ...OUTLINE, main: false }] : [];
  return said("bad", why, [more], isLost ? [ANOTHER, ...own] : []);
}

function answered(/** @type {Facts} */ { doc, board, answer, isRead, isDrawn }) {
  if (!answer || answer.checking) return said("", "Solving …");
  const { status, unique, rules, count, count_complete, differs, message, hint, words = "" } = answer;
  const touching = rules === "free" ? TOUCHING : "";
  const warnings = (isRead && doc.trust !== "confirmed" && adviceOf(doc).warnings) || [];
  const only = `${isDrawn ? "Solved:" : "It has"} exactly one solution. ${touching}`.trim();
  if (status === "solved" && unique) return said(touching ? "warn" : "good", only, warnings);
  if (status === "solved" && unique === null) return said("warn", "Solved; there was no time to rule out another solution.");
  if (status === "solved") {
    const many = count ? `${count_complete ? "" : "At least "}${count}` : "Several";
    const misread = !!doc.reading && `Published levels have exactly one, so something may be misread. ${COMPARE}`;
    const mended = outlines(doc) ?? (misread ? [MEND] : []);
    const words = `${many} solutions${isDrawn ? "; this is one of them" : ""}.`;
    return said("warn", words, [isDrawn && differs && DIFFERS, touching, misread], mended);
  }
  const cells = status === "unsolvable" && doc.trust ? against({ ...doc, board }) : [];
  if (cells.length) return said("bad", UNFIT[0], [SIGNED], [act("Put back what the picture shows", ["follow", ...cells], true)]);
  if (status === "unsolvable") return doc.reading ? said("bad", UNFIT[0], [UNFIT[1], COMPARE]) : said("bad", "No solution.", [message]);
  if (status === "incomplete") return said(board.dots.size && doc.picture ? "warn" : "", words);
  if (status === "gave-up") return said("warn", "No answer in time.", [message]);
  return said("bad", message ?? "This is not a puzzle.", [hint]);
}

// Return the verdict on a state, whatever the tab. `isDrawn`: the solution is shown.
export function verdict(/** @type {Doc} */ doc, /** @type {Answer|undefined} */ answer, isDrawn = false) {
  if (doc.pending) return said("", "Reading the picture …");
  if (doc.failed?.lost) return said("", "Not read yet.");
  if (doc.failed) return said("bad", "This picture was not read.", [doc.failed.message], [act("Read it again", ["retry"], true)]);
  const { says, more = "" } = adviceOf(doc);
  const why = says ?? doc.reading?.error?.message ?? "";
  if (!doc.board && !doc.reading) return said("", "");
  if (!doc.board) return withBoards(doc, said("bad", why, [more], [ANOTHER, act("Mark the board myself", ["lay"])]));
  const facts = { doc: /** @type {Opened} */ (doc), board: doc.board, answer, isRead: isAsRead(doc), isDrawn, why, more };
  const isRefused = isUntrusted(doc) && !doc.reading?.ok;
  const isOne = answer?.status === "solved" && answer.unique && !answer.checking;
  const doubted = isOne ? doubtOf(facts.doc, answer) : null;
  if (doubted) return doubted;
  const made = isRefused ? refused(facts) : answered(facts);
  const [doubt, ...others] = adviceOf(doc).warnings ?? [];
  const shown = isUntrusted(doc) && made.kind === "good" ? toCompare(doc, facts.isRead, doubt, others) : made;
  return withBoards(doc, withMends(doc, answer, shown));
}

// Tell if only another picture helps: the board is cut or covered, or of another game.
export const isUseless = (/** @type {Doc} */ doc, /** @type {Answer|undefined} */ answer) =>
  verdict(doc, answer).buttons.some(({ act: [name], main }) => name === "another" && main);

// Return the verdict for a tab, with its buttons; in play it does not reveal the solution.
// `todo`: what to do in Correct until the board is changed, or as long as its outline is set. `isTapping`: dots can be set.
/** @param {Doc} doc @param {Answer|undefined} answer @param {string} tab */
export function verdictUnder(doc, answer, tab, { todo = "", isOutlining = false, isTapping = false, isHidden = false } = {}) {
  const made = verdict(doc, answer, !isHidden && (tab === "Answer" || tab === "Make"));
  if (doc.pending) return { ...made, buttons: [act("Cancel", ["stop"])] };
  if (!doc.board) return made;
  if (tab === "Play") return { ...inPlay(made, doc, doc.board, answer), buttons: [] };
  if (tab === "Make") return { ...made, buttons: [] };
  const isDue = isOutlining || (!!doc.picture && made.kind === "good" && isAsRead(doc));
  if (tab === "Correct") made.buttons = made.buttons.filter(({ act: [name] }) => name !== "correct");
  const others = made.buttons.flatMap((one) =>
    ["outline", "confirm"].includes(one.act[0]) ? [] : { ...one, main: one.main && one.act[0] === "mend" },
  );
  if (tab === "Correct" && isDue) return said("", todo, doc.picture ? [made.words, made.more] : [], others);
  const isSure = made.kind === "good" || (doc.trust === "confirmed" && canSave(doc, answer));
  if (tab === "Correct" && isSure && doc.picture) return { ...made, buttons: [act("See the answer", ["answer"], true)] };
  if (tab === "Correct" && isTapping) return withHelp(/** @type {Opened} */ (doc), answer, made);
  if (tab !== "Answer" || !answer || made.buttons.length || canSave(doc, answer)) return made;
  return { ...made, buttons: [MEND] };
}

// Tell if a solution may be saved: of several, too, but not of a board that is refused or whose outline is in doubt.
export const canSave = (/** @type {Doc} */ doc, /** @type {Answer|undefined} */ answer) =>
  answer?.status === "solved" &&
  (answer.unique === false ? !isFrameOpen(doc) && !!(doc.reading?.ok ?? true) : !isUntrusted(doc)) &&
  (!doc.picture || answer.unique === false || doc.trust === "confirmed" || verdict(doc, answer).kind === "good");

function inPlay(/** @type {Verdict} */ made, /** @type {Doc} */ doc, /** @type {Board} */ board, /** @type {Answer|undefined} */ answer) {
  if (isSolved(board, doc.played))
    return doc.picture && made.kind !== "good" ? { ...made, words: `Solved as shown here. ${made.words}` } : said("good won", "Solved!");
  if (made.kind === "bad" || answer?.status !== "solved") return made;
  const { flows, cells, all } = left(board, doc.played);
  const share = all.cells ? Math.floor(100 * (1 - cells / all.cells)) : 100;
  const words = `Flows ${all.flows - flows}/${all.flows} · ${share} %`;
  if (isDone(made.kind)) return said("", words);
  if (answer.unique === false && !doc.picture) return said("", words, ["Several solutions: any of them wins."]);
  return said("warn", words, [made.words, made.more]);
}
