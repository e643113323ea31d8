// The panel to put things right with: tools, colours, columns and rows.

import { addColour, changeSide, chooseBrush, chooseTool, edit, lineOf, reset, resize, spareColour } from "./actions.js";
import { dotsOf, flowNames, inkOn } from "./board.js";
import { bar, button, el, numberField, svg } from "./dom.js";
import { cleared } from "./edits.js";
import { readAgain } from "./reading.js";
import { store, ui } from "./state.js";

/** @type {[name: string, text: string, icon: string][]} */
const TOOLS = [
  ["dot", "Dot", "M12 7a5 5 0 1 0 .1 0"],
  ["wall", "Wall", "M12 3v18M4 7h4m8 0h4M4 17h4m8 0h4"],
  ["hole", "Hole", "M5 5h14v14H5zM5 5l14 14M19 5 5 19"],
  ["bridge", "Bridge", "M3 9h18M3 15h18M12 3v4m0 10v4"],
  ["warp", "Warp", "M3 12h7M7 8l-4 4 4 4m7-4h7m-4-4 4 4-4 4"],
  ["clear", "Erase", "m8 20-5-5L14 4l6 6-10 10zm6 0h6"],
];
const SIDES = ["top", "bottom", "left", "right"];
const [FEWEST, MOST, USUAL] = [2, 40, 7];

// A number to type, or to step through.
/** @param {string} word @param {number} value @param {(n: number) => void} set */
function stepper(word, value, set) {
  const within = (/** @type {number} */ n) => Math.min(MOST, Math.max(FEWEST, Math.round(n || USUAL)));
  const given = { type: "number", min: FEWEST, max: MOST, value: value || "", "aria-label": word };
  // Its change comes as well when the panel goes, with its board.
  const input = el("input", { ...given, onchange: () => store.now.board && set(within(Number(input.value))) });
  const step = (/** @type {number} */ by) => set(within((Number(input.value) || USUAL) + by));
  return el(
    "span",
    { class: "steps" },
    el("span", { text: word }),
    button("−", () => step(-1), { "aria-label": `Fewer ${word.toLowerCase()}`, disabled: value === FEWEST }),
    input,
    button("+", () => step(1), { "aria-label": `More ${word.toLowerCase()}`, disabled: value === MOST }),
  );
}

/** @param {Flow} flow @param {string} name @param {boolean} lacks its other dot */
function swatch(flow, name, lacks) {
  const made = button("", () => chooseBrush(flow.rgb), {
    class: "swatch",
    "aria-pressed": String(flow.rgb === ui.brush),
    "aria-label": name + (lacks ? ", 1 of 2 missing" : ""),
    title: name,
  });
  const text = (ui.letters ? flow.letter : "") + (lacks ? "!" : "");
  const ink = { x: 20, y: 27, "text-anchor": "middle", "font-size": 20, fill: inkOn(flow.rgb), text };
  made.append(
    svg("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, svg("rect", { width: 40, height: 40, fill: flow.rgb }), svg("text", ink)),
  );
  return made;
}

function sidesPart() {
  const step = (/** @type {string} */ name, /** @type {number} */ by) =>
    button(by > 0 ? "+" : "−", () => changeSide(name, by), { "aria-label": `One ${by > 0 ? "more" : "less"} at the ${name}` });
  const sides = SIDES.flatMap((name) => [el("span", { text: `${lineOf(name)} at the ${name}` }), step(name, -1), step(name, 1)]);
  const toggle = () => store.set({ isSided: !ui.isSided });
  return el(
    "div",
    {},
    button("On one side …", toggle, { class: "link", "aria-expanded": String(ui.isSided) }),
    ui.isSided ? el("div", { class: "sides" }, ...sides) : null,
  );
}

// The picture is read once more, with the size of the board where nobody else says it.
function again() {
  const { board, now } = store;
  const { crop, reading, read } = now;
  const isOther = !reading?.ok || read?.board.rows !== board.rows || read.board.cols !== board.cols;
  readAgain({ grid: board.tiling === "square" && isOther ? [board.rows, board.cols] : null, crop, colours: ui.wishes.count || null });
}

/** @param {Doc & {board: Board}} doc */
export function correctPanel({ board, picture, read, pending }) {
  const isOff = (/** @type {string} */ name) =>
    (board.tiling !== "square" && (name === "bridge" || name === "warp")) || (!!board.free && name === "hole");
  const tools = TOOLS.map(([name, text, icon]) => {
    const made = button(text, () => chooseTool(name), { "aria-pressed": String(ui.tool === name), disabled: isOff(name) });
    made.prepend(svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: icon })));
    return made;
  });
  const counts = dotsOf(board).map((keys) => keys.length);
  const names = flowNames(board);
  const own = board.flows.flatMap((flow, n) =>
    counts[n] || flow.rgb === ui.brush || !picture ? [swatch(flow, names[n], counts[n] === 1)] : [],
  );
  const seen = button("As in the picture", () => chooseBrush("seen"), {
    "aria-pressed": String(ui.brush === "seen"),
    title: "A dot gets the colour that the picture has there",
  });
  const colour = el("input", { type: "color", class: "swatch", "aria-label": "Another colour", title: "Another colour" });
  colour.addEventListener("change", () => addColour(colour.value));
  const { rows, cols } = board;
  const isSized = !board.free || !!picture;
  return [
    el("div", { class: "segments tools", role: "group", "aria-label": "Tool" }, ...tools),
    el(
      "div",
      { class: "bar palette", role: "group", "aria-label": "Colour of the dot" },
      picture && !board.free ? seen : null,
      ...own,
      button("+", () => addColour(spareColour(store.board.flows)), { class: "swatch", "aria-label": "One more colour" }),
      colour,
    ),
    isSized ? stepper("Columns", cols, (n) => resize(store.board.rows || n, n)) : null,
    isSized ? stepper("Rows", rows, (n) => resize(n, store.board.cols || n)) : null,
    board.free ? null : sidesPart(),
    picture
      ? bar(
          button("Read again", again, { disabled: pending }),
          numberField("count", "with colours", ui.wishes.count ?? "", (count) => store.set({ wishes: { ...ui.wishes, count } }), {
            min: 1,
            max: 60,
            placeholder: "?",
          }),
        )
      : null,
    bar(
      read ? button("Back to what was recognised", reset, { disabled: read.board === board }) : null,
      button("Remove all dots", () => edit(cleared(store.board))),
    ),
  ];
}
