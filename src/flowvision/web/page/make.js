// The panel to make puzzles with: empty boards, generated ones, and the written form.

import { edit, fresh } from "./actions.js";
import { faultWords } from "./advice.js";
import { blank, textOf } from "./board.js";
import { bar, button, choice, el, numberField } from "./dom.js";
import { gradeWords, newPuzzle, usualColours } from "./play.js";
import { store, ui } from "./state.js";
import { boardIn } from "./written.js";

const OTHERS = ["holes", "walls", "bridges", "warps"];
const TYPING_MS = 250;
const MOST_MADE = 20; // larger ones are rarely found in time

/** @param {string} name @param {string|number} value */
const wish = (name, value) => store.set({ wishes: { ...ui.wishes, [name]: value } });

function empty() {
  const { cols, rows, tiling } = ui.wishes;
  fresh(blank(Number(rows), Number(cols), tiling), { tab: "Correct" });
}

async function generate() {
  const { cols, rows, tiling, colours, difficulty, ...others } = ui.wishes;
  const counts = Object.fromEntries(OTHERS.map((name) => [name, Number(others[name]) || ""]));
  const count = colours || (difficulty ? 0 : usualColours(cols, rows));
  store.set({ fault: "", isMaking: true });
  try {
    await newPuzzle({ size: `${cols}x${rows}`, tiling, colours: count, difficulty, ...counts });
  } catch (error) {
    ui.fault = faultWords(error);
  }
  store.set({ isMaking: false });
}

// The written form stands below. What is typed is read once nothing more has come for a while.
let waiting = 0;
let reading = new AbortController();
const text = el("textarea", { spellcheck: "false", "aria-label": "The puzzle as text", "aria-describedby": "text-fault" });
const fault = el("p", { class: "bad-words", id: "text-fault", role: "alert" });
const form = el("p", { class: "hint", text: ". empty, # hole, + bridge, a letter for each dot; then lines such as “wall 1,1/1,2”." });
/** @type {Board|null} */
let typed = null;
text.addEventListener("input", () => {
  clearTimeout(waiting);
  reading.abort();
  waiting = setTimeout(parse, TYPING_MS);
});
export const writing = {
  node: el("section", {}, el("h2", { text: "As text" }), form, text, fault),
  show() {
    const { board } = store.now;
    this.node.hidden = !board || ui.tab !== "Make";
    // What is being typed, or was just now, is not overwritten.
    if (!board || board === typed || waiting || document.activeElement === text) return;
    text.value = textOf(board);
    text.disabled = !!board.free;
    fault.textContent = "";
  },
};

async function parse() {
  const [written, mine] = [text.value, waiting];
  reading = new AbortController();
  try {
    const { board, faith } = await boardIn(written, reading.signal);
    if (text.value !== written) return;
    fault.textContent = "";
    if (isOfPicture(board)) edit(board);
    else fresh(board, { faith });
    typed = store.now.board;
  } catch (error) {
    if (text.value === written) fault.textContent = faultWords(error);
  }
  if (waiting === mine) waiting = 0;
}

// Whether a text is the board of the picture, put right: another one is a puzzle of its own.
/** @param {Board} made */
function isOfPicture({ rows, cols, tiling, dots }) {
  const { board, picture } = store.now;
  if (!board || !picture) return true;
  const same = [...dots.keys()].filter((key) => board.dots.has(key)).length;
  return board.rows === rows && board.cols === cols && board.tiling === tiling && 2 * same >= board.dots.size;
}

/** @type {Board|null} */
let sized = null;

/** @param {Doc & {board: Board}} doc */
export function makePanel({ board }) {
  // Fields of size follow the board.
  if (board !== sized && !board.free) Object.assign(ui.wishes, { cols: board.cols, rows: board.rows });
  sized = board;
  const { wishes } = ui;
  /** @param {string} name @param {number} min @param {number} max */
  const field = (name, min, max) =>
    numberField(name, name[0].toUpperCase() + name.slice(1), wishes[name] ?? "", (value) => wish(name, Number(value)), { min, max });
  const grades = [["", "any difficulty"], ...["easy", "medium", "hard", "expert"].map((grade) => [grade, grade])];
  const isLarge = Math.max(wishes.cols, wishes.rows) > MOST_MADE;
  const tilings = [
    ["square", "Squares"],
    ["hex", "Hexagons"],
  ];
  const columns = numberField("cols", "Columns", wishes.cols, (value) => wish("cols", Number(value)), { min: 2, max: 40 });
  return [
    el("div", { class: "fields" }, columns, field("rows", 2, 40)),
    bar(
      choice("Cells", tilings, wishes.tiling, (value) => wish("tiling", value)),
      choice("Difficulty", grades, wishes.difficulty ?? "", (value) => wish("difficulty", value)),
    ),
    bar(
      button("Generate one", generate, { class: "main", disabled: ui.isMaking || isLarge, title: `Up to ${MOST_MADE} × ${MOST_MADE}` }),
      button("Empty board", empty),
      el("output", { text: gradeWords() }),
    ),
    el("p", { class: "bad-words", role: "alert", text: ui.fault }),
    el(
      "details",
      {},
      el("summary", { text: "Options" }),
      el("div", { class: "fields" }, field("colours", 1, 60), ...OTHERS.map((name) => field(name, 0, 400))),
    ),
  ];
}
