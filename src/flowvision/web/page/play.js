// The Play and Make panels.

import { fresh, mistakesNow, see, solutionLines, tried } from "./actions.js";
import { askHint, share } from "./answer.js";
import { faultWords } from "./api.js";
import { blank, fromAnswer, textOf } from "./board.js";
import { bar, button, choice, el } from "./dom.js";
import { isSolved, linesOfPlay, mistakesIn } from "./pipes.js";
import { answerNow, askHere, boardIn } from "./solving.js";
import { notice, store, ui } from "./state.js";

const SIZES = [5, 6, 7, 8, 9, 10, 12, 15];
const USUAL_SIZE = 7;
const HOW = "Drag from a dot to its partner, or tap a dot, then where its pipe goes. Drag back to erase. Cover every cell.";
const GRADES = [["", "any difficulty"], ...["easy", "medium", "hard", "expert"].map((grade) => [grade, grade])];
const TILINGS = [
  ["square", "Squares"],
  ["hex", "Hexagons"],
];
const TYPING_MS = 300;

// Open a new puzzle with its solution hidden. The same query makes the same puzzle.
async function newPuzzle(/** @type {Record<string, any>} */ { size, tiling, difficulty, seed = Math.floor(Math.random() * 1e6) }) {
  const colours = difficulty ? 0 : size;
  try {
    const made = await askHere("generate", { query: { size: `${size}x${size}`, tiling, difficulty, colours, seed } });
    const board = fromAnswer(made.puzzle.board, made.puzzle.flows);
    fresh(board, { tab: store.now.board ? ui.tab : "Play", made: { grade: made.difficulty, of: board } });
  } catch (error) {
    notice(faultWords(error));
  }
}

export const startPlaying = () => newPuzzle({ size: USUAL_SIZE });
const today = () => Number(new Date().toLocaleDateString("sv").replaceAll("-", ""));

const sizeNow = ({ rows, cols }) => (rows === cols && SIZES.includes(rows) ? rows : USUAL_SIZE);
const SIZE_WORDS = SIZES.map((n) => [String(n), `${n} × ${n}`]);
const sizeChoice = (size, set) => choice("Size", SIZE_WORDS, String(size), (value) => set(Number(value)));

function gradeWords() {
  const { made, board } = store.now;
  return made?.grade && made.of === board ? `Difficulty: ${made.grade}.` : "";
}

function tellMistakes(none) {
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

export function playPanel({ board, played }) {
  const isOver = isSolved(board, played);
  const canHelp = answerNow()?.status === "solved" && !isOver;
  const size = sizeNow(board);
  return [
    bar(
      canHelp ? button("Hint", hintInPlay, { class: "main" }) : null,
      canHelp ? button("Check", () => tellMistakes("No mistakes so far."), { title: "Check for mistakes" }) : null,
      played.some(Boolean) ? button("Start over", () => store.push({ played: [] })) : null,
      button("Share", share),
    ),
    bar(
      button("New puzzle", () => newPuzzle({ size }), { class: canHelp ? null : "main" }),
      sizeChoice(size, (n) => newPuzzle({ size: n })),
      button("Today's", () => newPuzzle({ size, seed: today() }), { title: "Today's puzzle is the same for everyone" }),
    ),
  ];
}

export const howToPlay = (board, played) => `${gradeWords()} ${isSolved(board, played) || mistakesNow().length ? "" : HOW}`.trim();

/** The typed text, its fault, and the board it belongs to. @type {{text: string, fault: string, of: Board|null}} */
let typed = { text: "", fault: "", of: null };
let timer = 0;

function type({ target }) {
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

const wish = (part) => store.set({ wishes: { ...ui.wishes, ...part } });

export function makePanel({ board }) {
  const { tiling, difficulty } = ui.wishes;
  const size = ui.wishes.size ?? sizeNow(board);
  const { text, fault } = typed.of === board ? typed : { text: textOf(board), fault: "" };
  const grade = gradeWords();
  return [
    bar(
      sizeChoice(size, (n) => wish({ size: n })),
      choice("Cells", TILINGS, tiling, (value) => wish({ tiling: value })),
      choice("Difficulty", GRADES, difficulty, (value) => wish({ difficulty: value })),
    ),
    bar(
      button("Generate a puzzle", () => newPuzzle({ size, tiling, difficulty }), { class: "main" }),
      button("Empty board", () => fresh(blank(size, size, tiling), { tab: "Correct" })),
    ),
    el("output", { text: grade && `${grade} Undo brings back the previous board.` }),
    el("h2", { text: "As text" }),
    el("p", { class: "hint", text: ". empty, # hole, + bridge, a letter for each dot; then lines such as “wall 1,1/1,2”." }),
    el("textarea", {
      spellcheck: "false",
      "aria-label": "The puzzle as text",
      wrap: "off",
      disabled: !!board.free,
      value: text,
      oninput: type,
    }),
    el("p", { class: "bad-words", id: "text-fault", role: "alert", text: fault }),
  ];
}
