// The panel to make puzzles in: empty boards, generated ones, and the puzzle as text.

import { fresh } from "./actions.js";
import { faultWords } from "./api.js";
import { blank, textOf } from "./board.js";
import { bar, button, choice, el, stepper } from "./dom.js";
import { gradeWords, newPuzzle } from "./play.js";
import { boardIn } from "./solving.js";
import { store, ui } from "./state.js";

const GRADES = [["", "any difficulty"], ...["easy", "medium", "hard", "expert"].map((grade) => [grade, grade])];
const TILINGS = [
  ["square", "Squares"],
  ["hex", "Hexagons"],
];
const TYPING_MS = 300;
/** Larger puzzles are rarely found in time. */
const MAX_GENERATED = 20;

/** @param {string} name @param {string|number} value */
const wish = (name, value) => store.set({ wishes: { ...wishesNow(), [name]: value } });
// Return what is to be made; its size follows the board.
function wishesNow() {
  const { board } = store.now;
  return ui.wishes.of === board || !board || board.free ? ui.wishes : { ...ui.wishes, cols: board.cols, rows: board.rows, of: board };
}

/** What is typed, and on which board it is seen. @type {{text: string, fault: string, of: Board|null}} */
let typed = { text: "", fault: "", of: null };
let timer = 0;

// Read what was typed once nothing more has come for a while.
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

/** @param {Doc & {board: Board}} doc */
export function makePanel({ board }) {
  const wishes = wishesNow();
  const { cols, rows, tiling, difficulty } = wishes;
  const { text, fault } = typed.of === board ? typed : { text: textOf(board), fault: "" };
  return [
    bar(
      stepper("Columns", cols, (n) => wish("cols", n)),
      stepper("Rows", rows, (n) => wish("rows", n)),
    ),
    bar(
      choice("Cells", TILINGS, tiling, (value) => wish("tiling", value)),
      choice("Difficulty", GRADES, difficulty, (value) => wish("difficulty", value)),
    ),
    bar(
      button("Generate one", () => newPuzzle(wishes), {
        class: "main",
        disabled: Math.max(cols, rows) > MAX_GENERATED,
        title: `Up to ${MAX_GENERATED} × ${MAX_GENERATED}`,
      }),
      button("Empty board", () => fresh(blank(rows, cols, tiling), { tab: "Correct" })),
      el("output", { text: gradeWords() }),
    ),
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
