// The panel to put things right with: tools, colours, rows and columns.

import { COLOURS, countsOf, flowName, inkOn } from "./board.js";
import { button, el, svg } from "./dom.js";
import * as edits from "./edits.js";

export const TOOLS = [["dot", "Dot"], ["wall", "Wall"], ["hole", "Hole"], ["bridge", "Bridge"], ["warp", "Warp"], ["clear", "Erase"]];

export function correctPanel(app) {
  const tools = el("fieldset", {}, el("legend", { text: "Tap a cell to set" }));
  const toolBar = el("div", { class: "bar" });
  const palette = el("div", { class: "bar", role: "group", "aria-label": "Colour of the dot" });
  const colour = el("input", { type: "color", class: "swatch", value: "#ff8800", "aria-label": "Another colour", onchange: (event) => app.addColour(event.target.value) });
  tools.append(toolBar, palette);
  const size = el("div", { class: "bar" });
  const again = button("Back to what was recognised", () => app.reset());
  const empty = button("Clear", () => app.edit(edits.cleared(app.board)));
  const read = button("Read again", () => app.readAgain());
  const node = el("div", {}, tools, size, el("div", { class: "bar" }, read, again, empty));

  function swatch(flow, n, missing) {
    const made = button("", () => app.chooseBrush(n), { class: "swatch", "aria-pressed": String(app.brush === n), "aria-label": `${flowName(flow)}${missing ? `, ${missing} of 2 missing` : ""}`, title: flowName(flow) });
    made.append(svg("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, svg("rect", { width: 40, height: 40, fill: flow.rgb }), svg("text", { x: 20, y: 27, "text-anchor": "middle", "font-size": 20, fill: inkOn(flow.rgb), text: flow.letter + (missing ? "!" : "") })));
    return made;
  }

  function stepper(word, value, set) {
    return el("span", { class: "steps" }, el("span", { text: word }),
      button("−", () => set(value - 1), { "aria-label": `Fewer ${word.toLowerCase()}`, disabled: value <= 2 }),
      el("output", { text: value }),
      button("+", () => set(value + 1), { "aria-label": `More ${word.toLowerCase()}`, disabled: value >= 40 }));
  }

  function show() {
    const { board } = app;
    const { picture, recognised } = app.now;
    toolBar.replaceChildren(...TOOLS.map(([name, text]) => button(text, () => app.chooseTool(name), { "aria-pressed": String(app.tool === name), disabled: (board.tiling !== "square" && (name === "bridge" || name === "warp")) || (!!board.free && name === "hole") })));
    const counts = countsOf(board);
    palette.replaceChildren(
      ...(picture && !board.free ? [button("As seen", () => app.chooseBrush("seen"), { "aria-pressed": String(app.brush === "seen"), title: "The colour that the picture has there" })] : []),
      ...board.flows.map((flow, n) => (counts[n].length || n === app.brush || !picture ? swatch(flow, n, counts[n].length === 1 ? 1 : 0) : null)).filter(Boolean),
      button("+", () => app.nextColour(), { class: "swatch", "aria-label": "One more colour", disabled: board.flows.length >= 62 }), colour,
    );
    size.replaceChildren(...(board.free ? [] : [stepper("Rows", board.rows, (n) => app.resize(n, board.cols)), stepper("Columns", board.cols, (n) => app.resize(board.rows, n))]));
    again.hidden = !recognised;
    again.disabled = recognised?.board === board;
    read.hidden = !picture;
  }
  return { name: "Correct", node, show };
}

export const spareColour = (flows) => COLOURS.find(([rgb]) => !flows.some((flow) => flow.rgb === rgb))?.[0] ?? `#${Math.floor((flows.length * 2654435761) % 16777216).toString(16).padStart(6, "0")}`;
