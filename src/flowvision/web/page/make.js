// The panel to make puzzles with: empty boards, generated ones, and the written form.

import { edit, fresh } from "./actions.js";
import { blank, textOf } from "./board.js";
import { bar, button, el } from "./dom.js";
import { gradeWords, newPuzzle, usualColours } from "./play.js";
import { store } from "./state.js";
import { faultWords } from "./words.js";
import { boardIn } from "./written.js";

const OTHERS = ["holes", "walls", "bridges", "warps"];

/** @returns {Panel} */
export function makePanel() {
  // A number to be typed, by its name in the query; its label says what it is.
  const fields = Object.fromEntries(
    [["cols", 7, 2, 40], ["rows", 7, 2, 40], ["colours", "", 1, 60], ...OTHERS.map((name) => [name, 0, 0, 400])].map(
      ([name, value, min, max]) => [name, el("input", { type: "number", name, value, min, max })],
    ),
  );
  /** @param {string} name @param {string[][]} options */
  const choice = (name, options) => el("select", { name }, ...options.map(([value, text]) => el("option", { value, text })));
  const tiling = choice("tiling", [
    ["square", "Squares"],
    ["hex", "Hexagons"],
  ]);
  const difficulty = choice("difficulty", [["", "any"], ...["easy", "medium", "hard", "expert"].map((grade) => [grade, grade])]);
  /** @param {string} text @param {HTMLElement} input */
  const label = (text, input) => el("label", {}, el("span", { text }), input);
  const form = (/** @type {any[]} */ ...labels) => el("div", { class: "grid-form" }, ...labels);
  const said = el("p", { class: "bad-words", role: "alert" });
  const text = el("textarea", { spellcheck: "false", "aria-label": "The puzzle as text", "aria-describedby": "text-fault" });
  const fault = el("p", { class: "bad-words", id: "text-fault", role: "alert" });
  const grade = el("output", {});
  const generateButton = button("Generate one", () => generate(), { class: "main" });
  const node = el(
    "div",
    {},
    form(label("Columns", fields.cols), label("Rows", fields.rows), label("Cells", tiling), label("Difficulty", difficulty)),
    bar(
      button("Empty board", () => empty()),
      generateButton,
      grade,
    ),
    el(
      "details",
      {},
      el("summary", { text: "Options" }),
      form(...["colours", ...OTHERS].map((name) => label(name[0].toUpperCase() + name.slice(1), fields[name]))),
    ),
    said,
    el("h2", { text: "As text" }),
    el("p", {
      class: "hint",
      text: ". empty, # hole, + bridge, a letter for each dot; then lines such as “wall 1,1/1,2”.",
    }),
    text,
    fault,
  );
  let waiting = 0;
  let reading = new AbortController();
  /** @type {Board|null} */
  let typed = null;

  /** @param {HTMLInputElement} input @param {number} low @param {number} most */
  const within = (input, low, most) => Math.min(most, Math.max(low, Math.round(Number(input.value) || low)));

  function empty() {
    fresh(blank(within(fields.rows, 2, 40), within(fields.cols, 2, 40), tiling.value), { tab: "Correct" });
  }

  async function generate() {
    said.textContent = "";
    if (!Object.values(fields).every((field) => field.reportValidity())) return;
    generateButton.disabled = true;
    const query = {
      size: `${within(fields.cols, 3, 40)}x${within(fields.rows, 3, 40)}`,
      tiling: tiling.value,
      colours: fields.colours.value || (difficulty.value ? 0 : usualColours(within(fields.cols, 3, 40), within(fields.rows, 3, 40))),
      difficulty: difficulty.value,
      ...Object.fromEntries(OTHERS.map((name) => [name, Number(fields[name].value) || ""])),
    };
    try {
      await newPuzzle(query);
    } catch (error) {
      said.textContent = faultWords(error);
    }
    generateButton.disabled = false;
  }

  text.addEventListener("input", () => {
    clearTimeout(waiting);
    reading.abort(); // what was typed before: nobody waits for it
    waiting = setTimeout(parse, 250);
  });

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

  function show() {
    const { board } = store;
    grade.textContent = gradeWords();
    // What is being typed, or was just now, is not overwritten.
    if (board === typed || waiting || document.activeElement === text) return;
    text.value = textOf(board);
    text.disabled = !!board.free;
    fault.textContent = "";
  }
  return { name: "Make", node, show };
}
