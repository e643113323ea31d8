// The Play panel, and new puzzles.

import { fresh, see, solutionLines, tried } from "./actions.js";
import { askHint, extra, lettersButton, share, unfolder } from "./answer.js";
import { faultWords } from "./api.js";
import { fromAnswer } from "./board.js";
import { chips, el, iconButton, plural, row, svg } from "./dom.js";
import { isDone, isSolved, left, linesOfPlay, mistakesIn, trimmed } from "./pipes.js";
import { answerNow, askHere } from "./solving.js";
import { begin, NONE, notice, store, ui } from "./state.js";

const SIZES = [5, 6, 7, 8, 9, 10, 12, 15].map((n) => `${n}x${n}`);
const USUAL_SIZE = "7x7";
/** Boards with so many rows or columns can be enlarged. */
const MIN_ZOOMED = 12;

// Open a new puzzle with its solution hidden. The same query makes the same puzzle.
export async function newPuzzle(
  /** @type {Record<string, any>} */ { size, tiling, difficulty, isToday, seed = Math.floor(Math.random() * 1e6) },
) {
  const colours = difficulty ? 0 : Math.min(...size.split("x"));
  const end = begin({ making: `Making a puzzle of ${size.replace("x", " × ")} cells …`, unfolded: "" });
  try {
    const made = await askHere("generate", { query: { size, tiling, difficulty, colours, seed } });
    const board = fromAnswer(made.puzzle.board, made.puzzle.flows);
    fresh(board, { tab: store.now.board ? ui.tab : "Play", made: { grade: made.difficulty, of: board, isToday } });
  } catch (error) {
    notice(faultWords(error));
  } finally {
    end();
  }
}

export const startPlaying = () => newPuzzle({ size: USUAL_SIZE });
export const sizeNow = (/** @type {Board} */ { rows, cols, free }) => (free ? USUAL_SIZE : `${cols}x${rows}`);
/** @param {string} size @param {(size: string) => void} set */
export const sizeChips = (size, set) =>
  chips("Size", Object.fromEntries([...new Set([...SIZES, size])].map((one) => [one.replace("x", "×"), one])), size, set);

// Take back each pipe to its last cell that is right.
function takeBack() {
  const { played } = store.now;
  const wrong = mistakesIn(played, solutionLines());
  const upTo = (/** @type {Key[]} */ pipe, at = pipe.findIndex((key) => wrong.includes(key))) => (at < 0 ? pipe : pipe.slice(0, at));
  store.push({ played: trimmed(played.map((pipe) => pipe && upTo(pipe))) }, { mistakes: false, seen: NONE });
}

function tellMistakes(/** @type {string} */ none) {
  const { length } = mistakesIn(store.now.played, solutionLines());
  const why = length ? `${plural(length, "cell")} differ${length > 1 ? "" : "s"} from the solution.` : none;
  see({ why, ink: "", ghost: [], tone: length ? "bad" : none && "good" }, { mistakes: length > 0 });
  return length > 0;
}

const hintInPlay = tried(async () => {
  const { played, id } = store.now;
  if (tellMistakes("")) return;
  const { why, ink, steps } = await askHint(linesOfPlay(played));
  if (store.now.id === id) see({ why, ink, tone: "tip", ghost: steps });
});

/** @type {WeakMap<Board, Game>} */
const games = new WeakMap();
const [BEST, STREAK, DAY_MS] = ["flowvision-best", "flowvision-streak", 86_400_000];
const today = () => Math.floor((Date.now() - 60_000 * new Date().getTimezoneOffset()) / DAY_MS);

// Keep a record in this browser if one is given, and return it; the browser may keep none.
function record(/** @type {string} */ name, /** @type {any} */ made = null) {
  try {
    if (made) localStorage.setItem(name, JSON.stringify(made));
    return JSON.parse(localStorage.getItem(name) ?? "{}");
  } catch {
    return made ?? {};
  }
}

const secondsSince = (/** @type {number} */ began) => Math.max(1, Math.round((Date.now() - began) / 1000));
const kindOf = (/** @type {Board} */ board, /** @type {Doc["made"]} */ made) => `${board.tiling} ${sizeNow(board)} ${made?.grade ?? ""}`;

// Keep the best time of this kind of board, and the days in a row; return what to show of them.
function won(/** @type {Board} */ board, /** @type {number} */ took) {
  const { made } = store.now;
  const [all, last, kind] = [record(BEST), record(STREAK), kindOf(board, made)];
  const best = all[kind] ?? took;
  record(BEST, { ...all, [kind]: Math.min(best, took) });
  if (!made?.isToday) return { took, best, streak: 0 };
  const days = last.day === today() ? last.days : last.day === today() - 1 ? last.days + 1 : 1;
  record(STREAK, { day: today(), days });
  return { took, best, streak: days };
}

export function countMove(/** @type {Board} */ board, /** @type {boolean} */ isOver) {
  const game = games.get(board) ?? { moves: 0, began: Date.now(), took: 0, best: 0, streak: 0 };
  const end = isOver && !game.took ? won(board, secondsSince(game.began)) : {};
  games.set(board, { ...game, ...end, moves: game.moves + 1 });
}

// Return the headline of a solved board: perfect if every flow took one move.
export function praiseOf(/** @type {Doc} */ { board, played }) {
  const game = board && games.get(board);
  if (game && game.took < game.best) return "New best!";
  return game?.moves === left(/** @type {Board} */ (board), played).all.flows ? "Perfect!" : "Solved!";
}

// Return a disc for each flow, filled once its pipe is whole.
export function flowDiscs(/** @type {Opened} */ { board, played }) {
  const flows = [...new Set(board.dots.values())];
  const discs = flows.map((flow, n) => {
    const { rgb } = board.flows[flow];
    return svg("circle", { cx: 12 * n + 6, cy: 6, r: 4, stroke: rgb, fill: isDone(board, played[flow], flow) ? rgb : "none" });
  });
  return svg("svg", { viewBox: `0 0 ${12 * flows.length} 12` }, ...discs);
}

const timeWords = (/** @type {number} */ seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

// Return the figures of a solved board, else moves, time and difficulty in one line.
export function scoreOf(/** @type {Doc} */ { board, made, played }) {
  const game = board && games.get(board);
  if (board && game?.took && isSolved(board, played)) return figuresOf(game);
  const facts = board && made?.of === board ? [sizeNow(board).replace("x", "×"), made.grade] : [];
  const todo = played.some(Boolean) ? "" : "Drag from dot to dot";
  const done = game ? [plural(game.moves, "move"), timeWords(game.took || secondsSince(game.began))] : [todo];
  return [el("span", { text: [...done, ...facts].filter(Boolean).join(" · ") })];
}

function figuresOf(/** @type {Game} */ { moves, took, best, streak }) {
  const figure = (/** @type {number|string} */ value, /** @type {string} */ words) => el("span", {}, el("b", { text: value }), words);
  return [
    figure(timeWords(took), "time"),
    took > best ? figure(timeWords(best), "best") : null,
    figure(moves, moves === 1 ? "move" : "moves"),
    streak ? figure(streak, streak === 1 ? "day" : "days") : null,
  ];
}

export function playPanel(/** @type {Opened} */ { board, played }) {
  const disabled = answerNow()?.status !== "solved";
  const size = sizeNow(board);
  const zoom = () => store.set({ isZoomed: !ui.isZoomed });
  const restart = () => games.delete(board) && store.push({ played: [] });
  if (isSolved(board, played))
    return [
      row(
        iconButton("restart", "Restart", restart),
        iconButton("next", "Next level", () => newPuzzle({ size }), { class: "main" }),
        iconButton("share", "Share", share),
      ),
    ];
  return [
    row(
      iconButton("hint", "Hint", hintInPlay, { disabled }),
      ui.mistakes
        ? iconButton("undo", "Take back", takeBack, { class: "main" })
        : iconButton("check", "Check", () => tellMistakes("No mistakes so far."), { disabled }),
      Math.max(board.rows, board.cols) < MIN_ZOOMED
        ? null
        : iconButton("zoom", "Zoom", zoom, { "aria-pressed": String(ui.isZoomed), class: "small-only" }),
      iconButton("restart", "Restart", restart, { disabled: !played.some(Boolean) }),
      iconButton("dice", "New", () => newPuzzle({ size })),
      unfolder("more", "More"),
    ),
    extra(
      "more",
      el("p", { class: "hint", text: "New board" }),
      sizeChips(size, (one) => newPuzzle({ size: one })),
      row(
        iconButton("day", "Daily puzzle", () => newPuzzle({ size, seed: today(), isToday: true }), { title: "The same for everyone" }),
        iconButton("share", "Share", share),
        lettersButton(),
      ),
    ),
  ];
}
