// The empty page: a board that is solved once before one's eyes, and samples to try.

import { queued } from "./api.js";
import { fromAnswer } from "./board.js";
import { $, button, el } from "./dom.js";
import { take } from "./reading.js";
import { BoardView } from "./view.js";

const SAMPLES = ["7 × 7", "with holes", "hexagons"];
const BEGIN_MS = 900;
const EACH_MS = 420;
// A board of 5 × 5: a colour and its path, cell by cell.
const DEMO = [
  ["#ff0000", "00 10 20 30 40 41"],
  ["#009000", "02 01 11 21 31"],
  ["#eae000", "04 03 13 23 33"],
  ["#0c29fe", "12 22 32 42"],
  ["#fb8900", "14 24 34 44 43"],
].map(([rgb, cells]) => ({ rgb, letter: "", path: cells.split(" ").map(([r, c]) => [Number(r), Number(c)]) }));

let isBegun = false;

// Called whenever the empty page is seen: all of it happens once.
export function showStart() {
  if (isBegun) return;
  isBegun = true;
  const board = fromAnswer(
    { rows: 5, cols: 5, tiling: "square" },
    DEMO.map((flow) => ({ ...flow, ends: [flow.path[0], flow.path[flow.path.length - 1]] })),
  );
  const lines = DEMO.map(({ path }, flow) => ({ flow, path, grow: BEGIN_MS + flow * EACH_MS }));
  new BoardView($("demo")).show(board, null, { lines });
  for (const one of $("demo").querySelectorAll("[role]")) for (const name of ["role", "tabindex", "aria-label"]) one.removeAttribute(name);
  loadSamples();
}

async function loadSamples() {
  for (const [n, words] of SAMPLES.entries()) {
    const blob = await queued(`sample/${n}`).catch(() => null);
    if (!blob) return;
    const url = URL.createObjectURL(blob);
    const made = button("", () => take(new File([blob], `sample ${words}.png`)), { "aria-label": `Try a sample: ${words}` });
    made.append(el("img", { src: url, alt: "", onload: () => URL.revokeObjectURL(url) }));
    $("samples").append(made);
    $("samples").hidden = false;
  }
}
