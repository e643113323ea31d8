// The solver's search, step by step: each with its colour, its way and its reason.

import { see, seenNow, tried } from "./actions.js";
import { flowNames, geometry, keyOf, pairKey, puzzleOf } from "./board.js";
import { el, iconButton, row } from "./dom.js";
import { askAbout } from "./solving.js";
import { NONE, store, ui } from "./state.js";

/** Steps a second; seconds that a long search takes; most drawings a second. */
const [USUAL_PACE, MAX_SECONDS, FRAMES] = [4, 20, 30];

// Show the backtracking search: both ends of every pipe grow or retreat.
export const watchSearch = tried(async () => {
  const { board } = /** @type {Opened} */ (store.now);
  const { record, used } = puzzleOf(board);
  /** @type {{steps: Move[], ended: string}} */
  const { steps, ended } = await askAbout("search", { puzzle: record });
  const names = flowNames(board);
  const keys = geometry(board).cells.map(({ key }) => key);
  const linesAt = (/** @type {number} */ at) => {
    /** @type {Key[][][]} */
    const pipes = record.pairs.map((pair) => pair.map((dot) => [keyOf(dot)]));
    for (const [kind, flow, start, cell] of steps.slice(0, at)) {
      const [ends, from, key] = [pipes[flow], keys[start], keys[cell]];
      if (kind === "grow") ends.find((end) => end.at(-1) === from)?.push(key);
      else if (kind === "back") ends.find((end) => end.at(-1) === key && end.at(-2) === from)?.pop();
    }
    return pipes.flatMap((ends, n) => ends.map((path) => ({ flow: used[n], path })));
  };
  const last = steps.length;
  /** @returns {Step} */
  const stepAt = (/** @type {number} */ at) => {
    const lines = linesAt(at);
    if (at === last) return { words: ended === "solved" ? `Solved in ${last} steps.` : `There is ${ended}.`, lines, cells: [], ink: "" };
    if (!at) return { words: "Only the dots: no step yet.", lines, cells: [], ink: "" };
    const [kind, flow, start, cell, why, direction] = steps[at - 1];
    const name = names[used[flow]].replace(/^./, (letter) => letter.toUpperCase());
    const way = board.warps.has(pairKey(keys[start], keys[cell])) ? "over the edge" : direction;
    const forward = why ? `${name} goes ${way}: ${why}.` : `${name} tries ${way}.`;
    const words = kind === "back" ? `${name} steps back${why ? `: ${why}` : ""}.` : forward;
    return { words, lines, cells: [keys[cell]], ink: board.flows[used[flow]].rgb };
  };
  if (ui.tab !== "Answer") return;
  see({ why: "", tone: "", ink: "", show: { at: 0, last, stepAt } });
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) run();
});

let timer = 0;
export const isRunning = () => !!timer;
function run() {
  const { show } = seenNow();
  timer = 0;
  if (!show || ui.tab !== "Answer" || show.at >= show.last) return store.changed();
  const pace = Math.max(USUAL_PACE, show.last / MAX_SECONDS);
  const steps = Math.ceil(pace / FRAMES);
  timer = window.setTimeout(run, (1000 * steps) / pace);
  go(show.at + steps);
}
function pause() {
  clearTimeout(timer);
  timer = 0;
}
function go(/** @type {number} */ to) {
  const { show } = seenNow();
  if (!show) return;
  const at = Math.min(show.last, Math.max(0, to));
  const { cells, ink } = show.stepAt(at);
  see({ show: { ...show, at }, lit: cells, ink });
}
function goTo(/** @type {number} */ at) {
  pause();
  go(at);
}

export function watchPanel(/** @type {Show} */ show) {
  const { at, last } = show;
  const toggle = () => {
    if (isOver) go(0);
    if (!timer) return run();
    pause();
    store.changed();
  };
  const oninput = (/** @type {any} */ { target }) => goTo(Number(target.value));
  const done = () => {
    pause();
    see({ ...NONE, of: store.now.board });
  };
  const isOver = at >= last;
  const [name, text] = timer ? ["pause", "Pause"] : isOver ? ["redo", "Again"] : ["Play", "Run"];
  return [
    el("input", { type: "range", min: 0, max: last, value: at, "aria-label": "Step of the search", oninput }),
    row(
      iconButton("back", "Back", () => goTo(at - 1), { "aria-label": "One step back", disabled: !at }),
      iconButton(name, text, toggle, { class: isOver ? "" : "main" }),
      isOver ? null : iconButton("forward", "Next", () => goTo(at + 1), { "aria-label": "Next step" }),
      iconButton("Answer", isOver ? "See the answer" : "Done", done, { class: isOver ? "main" : "" }),
    ),
  ];
}
