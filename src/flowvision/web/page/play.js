// The panel to play in: what is left to do, and help that goes on from the pipes on the board.

import { answerNow, fresh, light, mistakesNow, say, solutionLines, whyNow } from "./actions.js";
import { faultWords } from "./advice.js";
import { askHint } from "./answer.js";
import { object } from "./api.js";
import { fromPuzzle, keyOf, puzzleOf } from "./board.js";
import { $, bar, button, choice, el, numberField, plural } from "./dom.js";
import { isSolved, left, mistakesIn, stepsOf } from "./pipes.js";
import { notice, store, ui } from "./state.js";

const SIZES = [5, 6, 7, 8, 9, 10, 12, 15];
const USUAL_SIZE = 7;
const MOST_SEED = 1e9;
const HOW = "Drag from a dot to its partner, or tap a dot, then where its pipe goes. Drag back to erase. Every cell has to be covered.";

// As many colours as boards of the game have: 5 on 5 × 5, 9 on 9 × 9, 15 on 15 × 15.
/** @param {number} cols @param {number} rows */
export const usualColours = (cols, rows) => Math.max(2, Math.round(Math.sqrt(cols * rows)));

// A puzzle that is made anew, its solution hidden. With the same query it is the same for everyone.
/** @param {Record<string, any>} asked */
export async function newPuzzle({ seed = Math.floor(Math.random() * 1e6), ...asked }) {
  const made = await object("generate", { query: { ...asked, seed }, signal: store.whileSeen("board") });
  fresh(fromPuzzle(made.puzzle), { mode: "part", tab: store.now.board ? ui.tab : "Play", made: { grade: made.difficulty, seed } });
}

/** @param {number} size @param {number} [seed] */
async function playNew(size, seed) {
  try {
    await newPuzzle({ size: `${size}x${size}`, colours: usualColours(size, size), seed });
  } catch (error) {
    notice(faultWords(error));
  }
}
export const startPlaying = () => playNew(USUAL_SIZE);

/** When each board was first seen here, and when it was solved, 0: not yet. @type {WeakMap<Board, {started: number, solved: number}>} */
const times = new WeakMap();
function timeOf(/** @type {Board} */ board) {
  const time = times.get(board) ?? { started: Date.now(), solved: 0 };
  times.set(board, time);
  return time;
}
function timeWords(/** @type {Board} */ board) {
  const { started, solved } = timeOf(board);
  const ms = (solved || Date.now()) - started;
  return `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;
}
export function tick() {
  if (ui.timer && ui.tab === "Play" && store.now.board && $("time")) $("time").textContent = timeWords(store.board);
}

// What is known of the puzzle of now, where it is a generated one.
const madeNow = () => (store.now.entry === store.now.board ? store.now.made : null);
export const gradeWords = () => (madeNow()?.grade ? `Difficulty: ${madeNow()?.grade}.` : "");
const today = () => Number(new Date().toLocaleDateString("sv").replaceAll("-", ""));

// Whether there are any: they are ringed.
function tellMistakes(/** @type {string} */ none) {
  const isWrong = mistakesIn(store.now.played, solutionLines()).length > 0;
  store.set({ mistakes: isWrong });
  say(isWrong ? "Ringed: the solution goes another way." : none);
  return isWrong;
}

export async function hintInPlay() {
  const { played, id } = store.now;
  if (tellMistakes("")) return;
  try {
    const { steps, why } = await askHint(
      "next",
      stepsOf(played).map(([a, b]) => [a, b]),
    );
    if (store.now.id !== id) return;
    light(steps.flatMap(({ path }) => path.map(keyOf)));
    say(why);
  } catch (error) {
    say(faultWords(error));
  }
}

// That of the board, where it is one of those offered.
function sizeNow() {
  const { rows, cols } = store.board;
  return rows === cols && SIZES.includes(rows) ? rows : USUAL_SIZE;
}

function startOver() {
  times.delete(store.board);
  store.push({ played: [] });
}

/** @param {Doc & {board: Board}} doc */
export function playPanel({ board, played }) {
  const { odd, used } = puzzleOf(board);
  const isOver = !odd.length && used.length > 0 && isSolved(board, played);
  const time = timeOf(board);
  time.solved = isOver ? time.solved || Date.now() : 0;
  const { flows, cells } = left(board, played);
  const todo = `${plural(flows, "flow")} to join, ${plural(cells, "cell")} to cover.`;
  const solved = `Solved!${ui.timer ? ` In ${timeWords(board)}.` : ""}`;
  const words = isOver ? solved : odd.length || !used.length ? "This is no puzzle yet: every colour needs two dots." : todo;
  const canHelp = answerNow()?.status === "solved" && !isOver;
  const timer = el("input", { type: "checkbox", checked: ui.timer, onchange: () => store.set({ timer: !ui.timer }) });
  const choose = (/** @type {string} */ value) => playNew(Number(value));
  const seed = madeNow()?.seed ?? "";
  return [
    el("p", { class: "large", role: "status", text: `${words} ${gradeWords()}` }),
    bar(
      button("Hint", hintInPlay, { disabled: !canHelp, class: canHelp ? "main" : null }),
      button("Check", () => tellMistakes("No mistakes so far."), { disabled: !canHelp, title: "Check for mistakes" }),
      button("Start over", startOver, { disabled: !played.some(Boolean) }),
    ),
    el("p", { class: "hint", role: "status", text: whyNow() || (mistakesNow().length ? "" : HOW) }),
    bar(
      button("Another one", () => playNew(sizeNow()), { class: canHelp ? null : "main" }),
      button("Today's puzzle", () => playNew(sizeNow(), today()), { title: "The same for everyone" }),
      choice(
        "Size",
        SIZES.map((n) => [String(n), `${n} × ${n}`]),
        String(sizeNow()),
        choose,
      ),
      numberField("seed", "Number", seed, (value) => playNew(sizeNow(), Number(value)), { min: 0, max: MOST_SEED }),
    ),
    bar(el("label", { class: "check" }, timer, " Timer"), ui.timer ? el("output", { id: "time", "aria-label": "Time" }) : null),
  ];
}
