// The Correct panel: tools, colours, the outline.

import { acts, addColour, brushNow, readCrop } from "./actions.js";
import { dotsOf, flowNames, inkOn } from "./board.js";
import { button, el, icon, iconButton, row, strip } from "./dom.js";
import { readAgain } from "./reading.js";
import { answerNow } from "./solving.js";
import { store, ui } from "./state.js";
import { isCovered, isFrameOpen, isUseless } from "./verdict.js";

/** @type {[name: string, text: string, icon: string, todo: string][]} */
const TOOLS = [
  ["dot", "Dot", "M12 7a5 5 0 1 0 .1 0", "Tap a dot to remove it, a cell to add one."],
  ["clear", "Erase", "m8 20-5-5L14 4l6 6-10 10zm6 0h6", "Tap what to erase."],
  ["wall", "Wall", "M12 3v18M4 7h4m8 0h4M4 17h4m8 0h4", "Tap a line between two cells."],
  ["hole", "Hole", "M5 5h14v14H5zM5 5l14 14M19 5 5 19", "Tap a cell to make it a hole."],
  ["bridge", "Bridge", "M3 9h18M3 15h18M12 3v4m0 10v4", "Tap a cell where two pipes cross."],
  ["warp", "Warp", "M3 12h7M7 8l-4 4 4 4m7-4h7m-4-4 4 4-4 4", "Tap a cell at the edge to open it."],
  ["size", "Outline", "M6 6h12v12H6zM12 1v4m0 14v4M1 12h4m14 0h4", "add or remove rows and columns."],
];
export const isOutlining = () => !!ui.crop || ui.tool === "size";
// Say what to do with the tool; an outline has a size in columns and rows.
export function todoNow(size = `${store.now.board?.cols} × ${store.now.board?.rows}`) {
  const todo = ui.crop ? "drag the corners to the board." : TOOLS.find(([name]) => name === ui.tool)?.[3];
  return isOutlining() ? `${size}: ${todo}` : todo;
}

// Tell if no tool can help: dots under a cover can still be set.
const isHopeless = (/** @type {Doc} */ doc) => isUseless(doc, answerNow()) && !isCovered(doc);
export const isTapping = (/** @type {Doc} */ doc) => ui.tool === "dot" && !ui.crop && !isHopeless(doc);

/** @param {Flow} flow @param {string} name @param {boolean} isLone @param {boolean} isChosen */
function swatch({ rgb, letter }, name, isLone, isChosen) {
  const choose = () => store.set({ brush: letter, tool: "dot" });
  const made = button((ui.letters ? letter : "") + (isLone ? "!" : ""), choose, {
    class: "swatch",
    "aria-pressed": String(isChosen),
    "aria-label": name + (isLone ? ", 1 of 2 missing" : ""),
    title: name,
  });
  Object.assign(made.style, { background: rgb, color: inkOn(rgb) });
  return made;
}

// The outline is changed on the board itself: these buttons end it, or read the picture in it.
function outlinePanel(/** @type {Opened} */ doc) {
  const leave = () => store.set({ crop: null, tool: "dot" });
  const disabled = doc.pending || !doc.shown;
  const { board } = doc;
  const again = () => readAgain({ grid: board.tiling === "square" ? [board.rows, board.cols] : null });
  if (ui.crop)
    return row(iconButton("cancel", "Cancel", leave), iconButton("picture", "Read this part", readCrop, { class: "main", disabled }));
  return row(
    doc.picture ? iconButton("redo", "Read again", again, { disabled, title: "Read the picture with this size" }) : null,
    isFrameOpen(doc)
      ? iconButton("Answer", "The outline is right", acts.framed, { class: "main" })
      : iconButton("Answer", "Done", leave, { class: answerNow()?.mends?.length ? "" : "main" }),
  );
}

function palette(/** @type {Opened} */ { board, picture }) {
  const counts = dotsOf(board).map((keys) => keys.length);
  const names = flowNames(board);
  const swatches = board.flows.flatMap((flow, n) =>
    counts[n] || n === brushNow() ? [swatch(flow, names[n], counts[n] === 1, n === brushNow())] : [],
  );
  const auto = button("Auto", () => store.set({ brush: "seen", tool: "dot" }), {
    "aria-pressed": String(brushNow() < 0),
    title: picture ? "A new dot takes its colour from the picture" : "Two dots of each colour, one colour after another",
  });
  return strip("Colour of the dot", auto, ...swatches, button("+", addColour, { class: "swatch", "aria-label": "One more colour" }));
}

export function correctPanel(/** @type {Opened} */ doc) {
  const { board } = doc;
  if (isOutlining()) return [outlinePanel(doc)];
  if (isUseless(doc, answerNow())) return [];
  const isOff = (/** @type {string} */ name) =>
    (board.tiling !== "square" && (name === "bridge" || name === "warp")) || (!!board.free && (name === "hole" || name === "size"));
  const tools = TOOLS.map(([name, text, path], n) => {
    const given = { "aria-pressed": String(ui.tool === name), "aria-keyshortcuts": n + 1 };
    return isOff(name) ? null : button(text, () => acts.tool(name), given, icon(path));
  });
  const group = el("div", { class: "row tools", role: "group", "aria-label": "Tool" }, ...tools);
  return [group, ui.tool === "dot" ? palette(doc) : null];
}
