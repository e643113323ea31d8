// The Play and Make panels.

import { fresh, mistakesNow, open, see, solutionLines, tried } from "./actions.js";
import { askHint, extra, moreButton, share } from "./answer.js";
import { faultWords } from "./api.js";
import { blank, fromAnswer, textOf } from "./board.js";
import { bar, button, choice, el, iconButton, plural, row } from "./dom.js";
import { isSolved, left, linesOfPlay, mistakesIn } from "./pipes.js";
import { answerNow, askHere, boardIn } from "./solving.js";
import { begin, notice, store, ui } from "./state.js";

const SIZES = [5, 6, 7, 8, 9, 10, 12, 15].map((n) => `${n}x${n}`);
const USUAL_SIZE = "7x7";
/** Boards with so many rows or columns can be enlarged. */
const MIN_ZOOMED = 12;
const HOW = "Drag from a dot to its partner, or tap a dot, then where its pipe goes. Drag back to erase. Cover every cell.";
const GRADES = [["", "any"], ...["easy", "medium", "hard", "expert"].map((grade) => [grade, grade])];
const TILINGS = [
  ["square", "squares"],
  ["hex", "hexagons"],
];
const TYPING_MS = 300;

// Open a new puzzle with its solution hidden. The same query makes the same puzzle.
async function newPuzzle(/** @type {Record<string, any>} */ { size, tiling, difficulty, seed = Math.floor(Math.random() * 1e6) }) {
  const colours = difficulty ? 0 : Math.min(...size.split("x"));
  const end = begin({ making: `Making a puzzle of ${size.replace("x", " × ")} cells …` });
  try {
    const made = await askHere("generate", { query: { size, tiling, difficulty, colours, seed } });
    const board = fromAnswer(made.puzzle.board, made.puzzle.flows);
    fresh(board, { tab: store.now.board ? ui.tab : "Play", made: { grade: made.difficulty, of: board } });
  } catch (error) {
    notice(faultWords(error));
  } finally {
    end();
  }
}

export const startPlaying = () => newPuzzle({ size: USUAL_SIZE });
const today = () => Number(new Date().toLocaleDateString("sv").replaceAll("-", ""));

const sizeNow = (/** @type {Board} */ { rows, cols, free }) => (free ? USUAL_SIZE : `${cols}x${rows}`);
function sizeChoice(/** @type {string} */ size, /** @type {(size: string) => void} */ set) {
  const sizes = SIZES.includes(size) ? SIZES : [...SIZES, size];
  return choice(
    "Size",
    sizes.map((one) => [one, one.replace("x", " × ")]),
    size,
    set,
  );
}

function tellMistakes(/** @type {string} */ none) {
  const isWrong = mistakesIn(store.now.played, solutionLines()).length > 0;
  store.set({ mistakes: isWrong });
  see({ why: isWrong ? "Ringed cells differ from the solution." : none });
  return isWrong;
}

const hintInPlay = tried(async () => {
  const { played, id } = store.now;
  if (tellMistakes("")) return;
  const { why, cells } = await askHint("next", linesOfPlay(played));
  if (store.now.id !== id) return;
  see({ why, lit: cells });
});

/** What was done on a board in play; times in ms. @type {WeakMap<Board, {moves: number, began: number, took: number}>} */
const games = new WeakMap();

export function countMove(/** @type {Board} */ board, /** @type {boolean} */ isOver) {
  const game = games.get(board) ?? { moves: 0, began: Date.now(), took: 0 };
  games.set(board, { ...game, moves: game.moves + 1, took: game.took || (isOver ? Date.now() - game.began : 0) });
}

// Tell if every flow took one move.
export const isPerfect = (/** @type {Doc} */ { board, played }) => !!board && games.get(board)?.moves === left(board, played).all.flows;

// Return difficulty until the game is won, moves and time.
export function scoreWords(/** @type {Doc} */ { board, made, played }) {
  const game = board && games.get(board);
  const seconds = game ? Math.floor((game.took || Date.now() - game.began) / 1000) : 0;
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const grade = made && made.of === board && !isSolved(board, played) ? made.grade : "";
  return [grade, game && plural(game.moves, "move"), game && time].filter(Boolean).join(" · ");
}

export function playPanel(/** @type {Opened} */ { board, played }) {
  const isOver = isSolved(board, played);
  const disabled = answerNow()?.status !== "solved";
  const size = sizeNow(board);
  const zoom = () => store.set({ isZoomed: !ui.isZoomed });
  const restart = () => games.delete(board) && store.push({ played: [] });
  return [
    row(
      isOver ? null : iconButton("hint", "Hint", hintInPlay, { disabled }),
      isOver ? null : iconButton("check", "Check", () => tellMistakes("No mistakes so far."), { title: "Check for mistakes", disabled }),
      Math.max(board.rows, board.cols) < MIN_ZOOMED
        ? null
        : iconButton("zoom", "Zoom", zoom, { "aria-pressed": String(ui.isZoomed), class: "small-only" }),
      iconButton("restart", "Restart", restart, { disabled: !played.some(Boolean) }),
      iconButton(isOver ? "next" : "add", isOver ? "Next level" : "New", () => newPuzzle({ size }), { class: isOver ? "main" : null }),
      moreButton(),
    ),
    extra(
      sizeChoice(size, (one) => newPuzzle({ size: one })),
      button("Today's", () => newPuzzle({ size, seed: today() }), { title: "Today's puzzle is the same for everyone" }),
      button("Share", share),
    ),
  ];
}

export const howToPlay = (/** @type {Opened} */ { board, played }) =>
  isSolved(board, played) || played.some(Boolean) || mistakesNow().length ? "" : HOW;

/** The typed text, its fault, and the board it belongs to. @type {{text: string, fault: string, of: Board|null}} */
let typed = { text: "", fault: "", of: null };
let timer = 0;

function type(/** @type {any} */ { target }) {
  typed = { text: target.value, fault: "", of: store.now.board };
  clearTimeout(timer);
  timer = window.setTimeout(parse, TYPING_MS);
}

async function parse() {
  const mine = typed;
  try {
    const board = await boardIn(mine.text);
    if (mine !== typed || mine.of !== store.now.board) return;
    fresh(board, { tab: "Make" });
    typed = { ...mine, of: store.now.board };
  } catch (error) {
    typed = { ...mine, fault: faultWords(error) };
    store.changed();
  }
}

const wish = (/** @type {Record<string, any>} */ part) => store.set({ wishes: { ...ui.wishes, ...part } });

export function makePanel(/** @type {Opened} */ { board }) {
  const { tiling, difficulty } = ui.wishes;
  const size = ui.wishes.size ?? sizeNow(board);
  const { text, fault } = typed.of === board ? typed : { text: textOf(board), fault: "" };
  const [cols, rows] = size.split("x").map(Number);
  const { made } = store.now;
  const grade = made?.of === board ? made?.grade : "";
  return [
    bar(
      sizeChoice(size, (one) => wish({ size: one })),
      choice("Cells", TILINGS, tiling, (value) => wish({ tiling: value })),
      choice("Difficulty", GRADES, difficulty, (value) => wish({ difficulty: value })),
    ),
    bar(
      button("Generate", () => newPuzzle({ size, tiling, difficulty }), { class: "main" }),
      answerNow()?.status === "solved" ? button("Play this", () => open("Play")) : null,
      button("Empty board", () => fresh(blank(rows, cols, tiling), { tab: "Correct" })),
    ),
    el("output", { text: grade && `Difficulty: ${grade}.${store.can(-1) ? " Undo brings back the previous board." : ""}` }),
    el(
      "details",
      {},
      el("summary", { text: "As text" }),
      el("p", { class: "hint", text: ". empty, # hole, + bridge, a letter for each dot; then lines such as “wall 1,1/1,2”." }),
      el("textarea", {
        spellcheck: "false",
        "aria-label": "The puzzle as text",
        wrap: "off",
        disabled: !!board.free,
        value: text,
        oninput: type,
      }),
    ),
    el("p", { class: "bad-words", id: "text-fault", role: "alert", text: fault }),
  ];
}
