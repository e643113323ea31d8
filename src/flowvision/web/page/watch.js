// The solver's search, step by step: each with its colour, its way and its reason.

import { see, seenNow, tried } from "./actions.js";
import { flowNames, geometry, keyOf, pairKey, puzzleOf } from "./board.js";
import { el, iconButton, row } from "./dom.js";
import { askAbout } from "./solving.js";
import { NONE, store, ui } from "./state.js";

/** Steps a second; seconds that a long search takes; most drawings a second. */
const [USUAL_PACE, MAX_SECONDS, FRAMES] = [4, 20, 30];

/** @typedef {[kind: string, flow: number, start: number, cell: number, why: string, way: string]} Step */

// Show the backtracking search: both ends of every pipe grow or retreat.
export const watchSearch = tried(async () => {
  const { board } = /** @type {Opened} */ (store.now);
  const { record, used } = puzzleOf(board);
  /** @type {{steps: Step[], ended: string}} */
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
  const words = (/** @type {number} */ at) => {
    if (!at) return "Only the dots: no step yet.";
    if (at === last) return ended === "solved" ? "Solved." : `There is ${ended}.`;
    const [kind, flow, start, cell, why, direction] = steps[at - 1];
    const name = names[used[flow]].replace(/^./, (letter) => letter.toUpperCase());
    if (kind === "back") return `${name} steps back${why ? `: ${why}` : ""}.`;
    const way = board.warps.has(pairKey(keys[start], keys[cell])) ? "over the edge" : direction;
    return why ? `${name} goes ${way}: ${why}.` : `${name} tries ${way}.`;
  };
  const isMoving = (/** @type {number} */ at) => at > 0 && at < last;
  const cellAt = (/** @type {number} */ at) => (isMoving(at) ? [keys[steps[at - 1][3]]] : []);
  const inkAt = (/** @type {number} */ at) => (isMoving(at) ? board.flows[used[steps[at - 1][1]]].rgb : "");
  if (ui.tab !== "Answer") return;
  see({ why: "", tone: "", ink: "", show: { at: 0, last, words, linesAt, cellAt, inkAt } });
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
  see({ show: { ...show, at }, lit: show.cellAt(at), ink: show.inkAt(at) });
}
function goTo(/** @type {number} */ at) {
  pause();
  go(at);
}

export function watchPanel(/** @type {Show} */ show) {
  const { at, last } = show;
  const toggle = () => {
    if (at >= last) go(0);
    if (!timer) return run();
    pause();
    store.changed();
  };
  const oninput = (/** @type {any} */ { target }) => goTo(Number(target.value));
  const done = () => {
    pause();
    see({ ...NONE, of: store.now.board });
  };
  const [name, text] = timer ? ["pause", "Pause"] : at < last ? ["Play", "Run"] : ["redo", "Again"];
  return [
    el("input", { type: "range", min: 0, max: last, value: at, "aria-label": "Step of the search", oninput }),
    row(
      iconButton("back", "Back", () => goTo(at - 1), { "aria-label": "One step back", disabled: !at }),
      iconButton(name, text, toggle, { class: "main" }),
      iconButton("forward", "Next", () => goTo(at + 1), { "aria-label": "Next step", disabled: at >= last }),
      iconButton("Answer", "Done", done),
    ),
  ];
}
