// The panel to play in: what is left to do, and hints that continue the pipes on the board.

import { fresh, light, mistakesNow, say, solutionLines, tried, whyNow } from "./actions.js";
import { askHint } from "./answer.js";
import { faultWords } from "./api.js";
import { fromPuzzle, puzzleOf } from "./board.js";
import { bar, button, check, choice, el, plural } from "./dom.js";
import { isSolved, left, linesOfPlay, mistakesIn } from "./pipes.js";
import { answerNow, askHere } from "./solving.js";
import { notice, store, ui } from "./state.js";

const SIZES = [5, 6, 7, 8, 9, 10, 12, 15];
const USUAL_SIZE = 7;
const HOW = "Drag from a dot to its partner, or tap a dot, then where its pipe goes. Drag back to erase. Cover every cell.";

// Return as many colours as boards of the game have: 5 on 5 × 5, 9 on 9 × 9.
/** @param {number} cols @param {number} rows */
export const usualColours = (cols, rows) => Math.max(2, Math.round(Math.sqrt(cols * rows)));

// Open a new puzzle with its solution hidden. The same query makes the same puzzle.
/** @param {Record<string, any>} query */
export async function newPuzzle({ seed = Math.floor(Math.random() * 1e6), ...query }) {
  const { puzzle, difficulty } = await askHere("generate", { query: { ...query, seed } });
  const board = fromPuzzle(puzzle);
  fresh(board, { tab: store.now.board ? ui.tab : "Play", made: { grade: difficulty, of: board } });
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
/** @param {Board} board @param {boolean} isOver */
function timeWords(board, isOver) {
  const time = times.get(board) ?? { began: Date.now() };
  times.set(board, time);
  if (!isOver) return "";
  time.took ??= Math.round((Date.now() - time.began) / 1000);
  return ` In ${Math.floor(time.took / 60)}:${String(time.took % 60).padStart(2, "0")}.`;
}

function startOver() {
  times.delete(store.board);
  store.push({ played: [] });
}

/** @param {Doc & {board: Board}} doc */
export function playPanel({ board, played }) {
  const { odd, used } = puzzleOf(board);
  const isPuzzle = !odd.length && used.length > 0;
  const isOver = isPuzzle && isSolved(board, played);
  const { flows, cells } = left(board, played);
  const todo = `${plural(flows, "flow")} to join, ${plural(cells, "cell")} to cover.`;
  const words = isOver ? "Solved!" : isPuzzle ? todo : "This is no puzzle yet: every colour needs two dots.";
  const time = timeWords(board, isOver);
  const canHelp = answerNow()?.status === "solved" && !isOver;
  const size = board.rows === board.cols && SIZES.includes(board.rows) ? board.rows : USUAL_SIZE;
  const sizes = SIZES.map((n) => [String(n), `${n} × ${n}`]);
  return [
    el("p", { class: "large", role: "status", text: `${words}${ui.timed ? time : ""} ${gradeWords()}` }),
    bar(
      button("Hint", hintInPlay, { disabled: !canHelp, class: canHelp ? "main" : null }),
      button("Check", () => tellMistakes("No mistakes so far."), { disabled: !canHelp, title: "Check for mistakes" }),
      button("Start over", startOver, { disabled: !played.some(Boolean) }),
    ),
    bar(
      button("Another one", () => playNew(size), { class: canHelp ? null : "main" }),
      button("Today's puzzle", () => playNew(size, today()), { title: "The same for everyone" }),
      choice("Size", sizes, String(size), (value) => playNew(Number(value))),
      check("Time", ui.timed, (timed) => store.set({ timed })),
    ),
    el("p", { class: "hint", role: "status", "data-why": true, text: whyNow() || (isOver || mistakesNow().length ? "" : HOW) }),
  ];
}
