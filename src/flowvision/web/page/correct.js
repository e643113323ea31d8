// The panel to put things right with: tools, colours, columns and rows.

import { addColour, changeSide, chooseBrush, chooseTool, edit, reset, resize, spareColour } from "./actions.js";
import { dotsOf, flowNames, inkOn } from "./board.js";
import { bar, button, el, fill, svg } from "./dom.js";
import { cleared } from "./edits.js";
import { readAgain } from "./reading.js";
import { store, ui } from "./state.js";

export const TOOLS = [
  ["dot", "Dot"],
  ["wall", "Wall"],
  ["hole", "Hole"],
  ["bridge", "Bridge"],
  ["warp", "Warp"],
  ["clear", "Erase"],
];
const SIDES = ["top", "bottom", "left", "right"];

/** @returns {Panel} */
export function correctPanel() {
  const toolBar = el("div", { class: "segments", role: "group", "aria-label": "Tool" });
  const palette = el("div", { class: "bar palette", role: "group", "aria-label": "Colour of the dot" });
  const colour = el("input", {
    type: "color",
    class: "swatch",
    value: "#ff8800",
    "aria-label": "Another colour",
    title: "Another colour",
    onchange: () => addColour(colour.value),
  });
  const tools = el("fieldset", {}, el("legend", { text: "Tap a cell to place" }), toolBar, palette);
  const columns = stepper(
    "Columns",
    () => size()[1],
    (n) => resize(size()[0] || n, n),
  );
  const rows = stepper(
    "Rows",
    () => size()[0],
    (n) => resize(n, size()[1] || n),
  );
  const sizes = bar(columns.node, rows.node);
  const sides = el(
    "details",
    {},
    el("summary", { text: "A row or column more or less on one side" }),
    bar(
      ...SIDES.map((side) =>
        el(
          "span",
          { class: "steps" },
          el("span", { text: side }),
          button("−", () => changeSide(side, -1), { "aria-label": `One less at the ${side}` }),
          button("+", () => changeSide(side, 1), { "aria-label": `One more at the ${side}` }),
        ),
      ),
    ),
  );
  const count = el("input", { type: "number", min: 1, max: 60, placeholder: "?", "aria-label": "Colours" });
  const counted = el("span", { class: "steps" }, el("span", { text: "Colours" }), count);
  const letters = el("input", { type: "checkbox", onchange: () => store.set({ letters: letters.checked }) });
  const reread = button("Read again", again);
  const back = button("Back to what was recognised", reset);
  const empty = button("Remove all dots", () => edit(cleared(store.board)));
  const node = el(
    "div",
    {},
    tools,
    sizes,
    sides,
    bar(counted, reread),
    bar(back, empty, el("label", { class: "check" }, letters, " Letters on dots")),
  );

  const size = () => [store.board.rows, store.board.cols];
  count.addEventListener("keydown", (event) => event.key === "Enter" && again());

  function again() {
    const { board } = store;
    const { crop, reading, read } = store.now;
    const isSized = board.tiling === "square" && (!reading?.ok || read?.board.rows !== board.rows || read.board.cols !== board.cols);
    readAgain({ grid: isSized ? size() : null, crop, colours: count.value || null });
  }

  /** @param {Flow} flow @param {number} n @param {boolean} lacks its other dot */
  function swatch(flow, n, lacks) {
    const name = flowNames(store.board)[n];
    const made = button("", () => chooseBrush(flow.rgb), {
      class: "swatch",
      "aria-pressed": String(flow.rgb === ui.brush),
      "aria-label": name + (lacks ? ", 1 of 2 missing" : ""),
      title: name,
    });
    made.append(
      svg(
        "svg",
        { viewBox: "0 0 40 40", "aria-hidden": "true" },
        svg("rect", { width: 40, height: 40, fill: flow.rgb }),
        svg("text", {
          x: 20,
          y: 27,
          "text-anchor": "middle",
          "font-size": 20,
          fill: inkOn(flow.rgb),
          text: (ui.letters ? flow.letter : "") + (lacks ? "!" : ""),
        }),
      ),
    );
    return made;
  }

  function show(/** @type {boolean} */ seen) {
    if (!seen) return;
    const { board } = store;
    const { picture, read: recognised, pending } = store.now;
    const isOff = (/** @type {string} */ name) =>
      (board.tiling !== "square" && (name === "bridge" || name === "warp")) || (!!board.free && name === "hole");
    fill(toolBar, [ui.tool, board.tiling], () =>
      TOOLS.map(([name, text]) =>
        button(text, () => chooseTool(name), { "aria-pressed": String(ui.tool === name), disabled: isOff(name) }),
      ),
    );
    const counts = dotsOf(board).map((keys) => keys.length);
    fill(palette, [board.flows, counts, ui.brush, ui.letters, !!picture], () => [
      ...(picture && !board.free
        ? [
            button("From the picture", () => chooseBrush("seen"), {
              "aria-label": "Colour from the picture",
              "aria-pressed": String(ui.brush === "seen"),
              title: "The colour that the picture has there",
            }),
          ]
        : []),
      ...board.flows.flatMap((flow, n) => (counts[n] || flow.rgb === ui.brush || !picture ? [swatch(flow, n, counts[n] === 1)] : [])),
      button("+", () => addColour(spareColour(board.flows)), { class: "swatch", "aria-label": "One more colour" }),
      colour,
    ]);
    sizes.hidden = !!board.free && !picture;
    sides.hidden = !!board.free;
    columns.show();
    rows.show();
    back.hidden = !recognised;
    back.disabled = recognised?.board === board;
    counted.hidden = reread.hidden = !picture;
    reread.disabled = pending;
    letters.checked = ui.letters;
  }
  return { name: "Correct", node, show };
}

// A number to type, or to step through.
/** @param {string} word @param {() => number} value @param {(n: number) => void} set */
function stepper(word, value, set) {
  const within = (/** @type {number} */ n) => Math.min(40, Math.max(2, Math.round(n || 7)));
  const input = el("input", {
    type: "number",
    min: 2,
    max: 40,
    "aria-label": word,
    // It comes as well when the panel goes, with its board.
    onchange: () => {
      if (store.now.board) set(within(Number(input.value) || value()));
      if (store.now.board) input.value = String(value());
    },
  });
  const fewer = button("−", () => set(within(value() - 1)), { "aria-label": `Fewer ${word.toLowerCase()}` });
  const more = button("+", () => set(within(value() + 1)), { "aria-label": `More ${word.toLowerCase()}` });
  const node = el("span", { class: "steps" }, el("span", { text: word }), fewer, input, more);
  return {
    node,
    show() {
      if (document.activeElement !== input) input.value = String(value());
      fewer.disabled = value() <= 2;
      more.disabled = value() >= 40;
    },
  };
}
