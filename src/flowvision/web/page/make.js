// The panel to make puzzles with: empty boards, generated ones, and the written form.

import { edit, fresh } from "./actions.js";
import { object } from "./api.js";
import { blank, fromPuzzle, textOf } from "./board.js";
import { bar, button, el } from "./dom.js";
import { usualColours } from "./playing.js";
import { store } from "./state.js";

export function makePanel() {
  const number = (name, value, min, max) => el("input", { type: "number", name, value, min, max });
  const tiling = el("select", {}, el("option", { value: "square", text: "Squares" }), el("option", { value: "hex", text: "Hexagons" }));
  const grades = ["any", "easy", "medium", "hard", "expert"];
  const difficulty = el(
    "select",
    { name: "difficulty" },
    ...grades.map((grade) => el("option", { value: grade === "any" ? "" : grade, text: grade })),
  );
  const fields = {
    cols: number("cols", 7, 2, 40),
    rows: number("rows", 7, 2, 40),
    colours: number("colours", "", 1, 60),
    holes: number("holes", 0, 0, 400),
    walls: number("walls", 0, 0, 400),
    bridges: number("bridges", 0, 0, 100),
    warps: number("warps", 0, 0, 80),
  };
  const label = (text, input) => el("label", {}, el("span", { text }), input);
  const said = el("p", { class: "bad-words", role: "alert" });
  const text = el("textarea", { spellcheck: "false", "aria-label": "The puzzle as text", "aria-describedby": "text-fault" });
  const fault = el("p", { class: "bad-words", id: "text-fault", role: "alert" });
  const generateButton = button("Generate one", () => generate(), { class: "main" });
  const node = el(
    "div",
    {},
    el(
      "div",
      { class: "grid-form" },
      label("Columns", fields.cols),
      label("Rows", fields.rows),
      label("Cells", tiling),
      label("Difficulty", difficulty),
    ),
    bar(
      button("Empty board", () => empty()),
      generateButton,
    ),
    el(
      "details",
      {},
      el("summary", { text: "Options" }),
      el(
        "div",
        { class: "grid-form" },
        label("Colours", fields.colours),
        label("Holes", fields.holes),
        label("Walls", fields.walls),
        label("Bridges", fields.bridges),
        label("Warps", fields.warps),
      ),
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
  let typed = null;

  const held = (input, low, most) => Math.min(most, Math.max(low, Math.round(Number(input.value) || low)));

  function empty() {
    fresh(blank(held(fields.rows, 2, 40), held(fields.cols, 2, 40), tiling.value));
  }

  async function generate() {
    said.textContent = "";
    generateButton.disabled = true;
    const query = {
      size: `${held(fields.cols, 3, 40)}x${held(fields.rows, 3, 40)}`,
      tiling: tiling.value,
      colours: fields.colours.value || (difficulty.value ? 0 : usualColours(held(fields.cols, 3, 40), held(fields.rows, 3, 40))),
      difficulty: difficulty.value,
      seed: Math.floor(Math.random() * 1e6),
    };
    for (const name of ["holes", "walls", "bridges", "warps"]) if (Number(fields[name].value)) query[name] = fields[name].value;
    try {
      fresh(fromPuzzle((await object("generate", { query, signal: store.whileSeen("board") })).puzzle), { mode: "part" });
    } catch (error) {
      if (error.name !== "AbortError") said.textContent = `${error.message} ${error.error?.hint ?? ""}`;
    }
    generateButton.disabled = false;
  }

  text.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(parse, 250);
  });

  async function parse() {
    const written = text.value;
    try {
      const made = await object("puzzle", { body: written.trimStart().startsWith("{") ? written : `${written}\n` });
      if (text.value !== written) return;
      fault.textContent = made.puzzle?.record ? "" : (made.reason ?? made.message ?? "This is no puzzle.");
      if (made.puzzle?.record) {
        const board = fromPuzzle(made.puzzle);
        typed = board;
        edit(board);
      }
    } catch (error) {
      if (error.name !== "AbortError") fault.textContent = error.message;
    }
  }

  function show() {
    if (store.now.board === typed || document.activeElement === text) return;
    text.value = textOf(store.now.board);
    text.disabled = !!store.now.board.free;
    fault.textContent = "";
  }
  return { name: "Make", node, show };
}
