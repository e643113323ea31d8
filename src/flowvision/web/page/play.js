// The panel to play in: what is left to do, and help that goes on from the pipes on the board.

import { answerNow, fresh, light, solutionLines } from "./actions.js";
import { object } from "./api.js";
import { flowNames, fromPuzzle, keyOf, placeOf, puzzleOf } from "./board.js";
import { announce, bar, button, el, plural } from "./dom.js";
import { isSolved, left, mistakesIn, stepsOf } from "./pipes.js";
import { askHere } from "./solving.js";
import { notice, store, ui } from "./state.js";
import { faultWords } from "./words.js";

const SIZES = [5, 6, 7, 8, 9, 10, 12, 15];
const TICK_MS = 1000;
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
export const startPlaying = () => playNew(7);

/** When each board was first seen here, and when it was solved, 0: not yet. @type {WeakMap<Board, {started: number, solved: number}>} */
const times = new WeakMap();
function timeOf(/** @type {Board} */ board) {
  const time = times.get(board) ?? { started: Date.now(), solved: 0 };
  times.set(board, time);
  return time;
}

// What is known of the puzzle of now, where it is a generated one.
export const madeNow = () => (store.now.entry === store.now.board ? store.now.made : null);
export const gradeWords = () => (madeNow()?.grade ? `Difficulty: ${madeNow()?.grade}.` : "");
const today = () => Number(new Date().toLocaleDateString("sv").replaceAll("-", ""));

/** @returns {Panel & {hint: () => void}} */
export function playPanel() {
  const said = el("p", { class: "large", role: "status" });
  const why = el("p", { class: "hint", role: "status", text: HOW });
  const size = el(
    "select",
    { "aria-label": "Size", onchange: () => begin() },
    ...SIZES.map((n) => el("option", { value: n, text: `${n} × ${n}`, selected: n === 7 })),
  );
  const number = el("input", {
    type: "number",
    min: 0,
    max: 1e9,
    "aria-label": "Number",
    onchange: () => number.reportValidity() && begin(Number(number.value)),
  });
  const another = button("Another one", () => begin(), { class: "main" });
  const daily = button("Today's puzzle", () => begin(today()), { title: "The same for everyone" });
  async function begin(/** @type {number|undefined} */ seed = undefined) {
    another.disabled = daily.disabled = true;
    await playNew(Number(size.value), seed);
    another.disabled = daily.disabled = false;
  }
  const check = button("Check for mistakes", () => tellMistakes("No mistakes so far."));
  const reset = button("Start over", () => {
    times.delete(store.board);
    store.push({ played: [] });
  });
  const help = button("Hint", hint);
  const timer = el("input", { type: "checkbox", onchange: () => store.set({ timer: timer.checked }) });
  const clock = el("output", { "aria-label": "Time" });
  const node = el(
    "div",
    {},
    said,
    bar(help, check, reset),
    why,
    bar(another, daily, size, el("label", { class: "check" }, "Number", number)),
    bar(el("label", { class: "check" }, timer, " Timer"), clock),
  );

  // Whether there are any: they are ringed.
  function tellMistakes(/** @type {string} */ none) {
    const isWrong = mistakesIn(store.now.played, solutionLines()).length > 0;
    why.textContent = isWrong ? "Ringed: the solution goes another way." : none;
    store.set({ mistakes: isWrong });
    return isWrong;
  }

  async function hint() {
    const { board } = store;
    const { played, id } = store.now;
    const { record, used } = puzzleOf(board);
    if (tellMistakes("")) return;
    help.disabled = true;
    try {
      const made = await askHere("hint", {
        puzzle: record,
        names: used.map((n) => flowNames(board)[n]).join(),
        known: stepsOf(played).map(([a, b]) => [placeOf(board, a), placeOf(board, b)]),
      });
      if (store.now.id !== id) return;
      why.textContent = made.why;
      announce(made.why);
      light(made.hint.flatMap((/** @type {{cells: Place[]}} */ { cells }) => cells.map(keyOf)));
    } catch (error) {
      why.textContent = faultWords(error);
    } finally {
      help.disabled = false;
    }
  }

  function tick() {
    if (node.hidden || !store.now.board) return;
    const { started, solved } = timeOf(store.board);
    const ms = (solved || Date.now()) - started;
    clock.textContent = ui.timer ? `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}` : "";
  }
  setInterval(tick, TICK_MS);

  /** @type {{board: Board|null, played: Pipes|null}} */
  const shown = { board: null, played: null };
  function show(/** @type {boolean} */ seen) {
    if (!seen) return;
    const { board } = store;
    const { played } = store.now;
    const { odd, used } = puzzleOf(board);
    const isOver = !odd.length && used.length > 0 && isSolved(board, played);
    const { flows, cells } = left(board, played);
    said.className = `large ${isOver ? "good-words" : ""}`;
    const words = isOver
      ? "Solved!"
      : odd.length || !used.length
        ? "This is no puzzle yet: every colour needs two dots."
        : `${plural(flows, "flow")} to join, ${plural(cells, "cell")} to cover.`;
    if (document.activeElement !== number) number.value = String(madeNow()?.seed ?? "");
    const all = `${words} ${gradeWords()}`;
    if (said.textContent !== all) said.textContent = all;
    const time = timeOf(board);
    time.solved = isOver ? time.solved || Date.now() : 0;
    const isSettled = answerNow()?.status === "solved";
    check.disabled = help.disabled = !isSettled || isOver;
    reset.disabled = !played.some(Boolean);
    timer.checked = ui.timer;
    tick();
    if (shown.board !== board || shown.played !== played) why.textContent = HOW;
    shown.board = board;
    shown.played = played;
  }
  return { name: "Play", node, show, hint };
}
