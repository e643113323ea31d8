// The panel to play in: new puzzles, and hints that continue the pipes on the board.

import { fresh, light, mistakesNow, say, solutionLines, tried, whyNow } from "./actions.js";
import { askHint } from "./answer.js";
import { faultWords } from "./api.js";
import { fromPuzzle } from "./board.js";
import { bar, button, choice, el } from "./dom.js";
import { isSolved, linesOfPlay, mistakesIn } from "./pipes.js";
import { answerNow, askHere } from "./solving.js";
import { notice, store, ui } from "./state.js";

const SIZES = [5, 6, 7, 8, 9, 10, 12, 15];
const USUAL_SIZE = 7;
const HOW = "Drag from a dot to its partner, or tap a dot, then where its pipe goes. Drag back to erase. Cover every cell.";

// Open a new puzzle with its solution hidden, and as many colours as boards of the game have. The same query makes the same puzzle.
/** @param {Record<string, any>} query */
export async function newPuzzle({ cols, rows, tiling, difficulty, seed = Math.floor(Math.random() * 1e6) }) {
  const colours = difficulty ? 0 : Math.max(2, Math.round(Math.sqrt(cols * rows)));
  try {
    const made = await askHere("generate", { query: { size: `${cols}x${rows}`, tiling, difficulty, colours, seed } });
    const board = fromPuzzle(made.puzzle);
    fresh(board, { tab: store.now.board ? ui.tab : "Play", made: { grade: made.difficulty, of: board } });
  } catch (error) {
    notice(faultWords(error));
  }
}

/** @param {number} size @param {number} [seed] */
const playNew = (size, seed) => newPuzzle({ cols: size, rows: size, seed });
export const startPlaying = () => playNew(USUAL_SIZE);
const today = () => Number(new Date().toLocaleDateString("sv").replaceAll("-", ""));

export function gradeWords() {
  const { made, board } = store.now;
  return made?.grade && made.of === board ? `Difficulty: ${made.grade}.` : "";
}

function tellMistakes(/** @type {string} */ none) {
  const isWrong = mistakesIn(store.now.played, solutionLines()).length > 0;
  store.set({ mistakes: isWrong });
  say(isWrong ? "Ringed: the solution goes another way." : none);
  return isWrong;
}

export const hintInPlay = tried(async () => {
  const { played, id } = store.now;
  if (tellMistakes("")) return;
  const { why, cells } = await askHint("next", linesOfPlay(played));
  if (store.now.id !== id) return;
  light(cells);
  say(why);
});

/** When each board was first played, and the seconds until it was solved. @type {WeakMap<Board, {began: number, took?: number}>} */
const times = new WeakMap();
// Return the time that a board took, for those who turned it on.
export function timeWords(/** @type {Doc} */ { board, played }) {
  if (!board || ui.tab !== "Play") return "";
  const time = times.get(board) ?? { began: Date.now() };
  times.set(board, time);
  if (!isSolved(board, played)) return "";
  time.took ??= Math.round((Date.now() - time.began) / 1000);
  return ui.timed ? ` In ${Math.floor(time.took / 60)}:${String(time.took % 60).padStart(2, "0")}.` : "";
}

function startOver() {
  times.delete(store.board);
  store.push({ played: [] });
}

/** @param {Doc & {board: Board}} doc */
export function playPanel({ board, played }) {
  const isOver = isSolved(board, played);
  const canHelp = answerNow()?.status === "solved" && !isOver;
  const size = board.rows === board.cols && SIZES.includes(board.rows) ? board.rows : USUAL_SIZE;
  const sizes = SIZES.map((n) => [String(n), `${n} × ${n}`]);
  const how = isOver || mistakesNow().length ? "" : HOW;
  return [
    bar(
      button("Hint", hintInPlay, { disabled: !canHelp, class: canHelp ? "main" : null }),
      button("Check", () => tellMistakes("No mistakes so far."), { disabled: !canHelp, title: "Check for mistakes" }),
      button("Start over", startOver, { disabled: !played.some(Boolean) }),
    ),
    bar(
      button("New puzzle", () => playNew(size), { class: canHelp ? null : "main" }),
      choice("Size", sizes, String(size), (value) => playNew(Number(value))),
      button("Today's", () => playNew(size, today()), { title: "Today's puzzle is the same for everyone" }),
    ),
    el("p", { class: "hint", role: "status", "data-why": true, text: whyNow() || `${gradeWords()} ${how}` }),
  ];
}
