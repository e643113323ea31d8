// What runs by itself under an answer: the search, step by step, and solutions one after another.

import { overrule, reveal } from "./actions.js";
import { geometry, keyOf, pairKey } from "./board.js";
import { bar, button, el, plural, still } from "./dom.js";
import { seeBoard, store, ui } from "./state.js";

const FRAMES = 30;

export function searchPlayer() {
  const node = el("div", { hidden: true });
  /** @type {Board|null} */
  let of = null;
  let timer = 0;

  function stop() {
    clearTimeout(timer);
    timer = 0;
    of = null;
    node.hidden = true;
    ui.over = null;
  }
  // It ends with its board and its panel.
  function show() {
    if (of && (of !== store.now.board || ui.tab !== "Answer" || store.now.pending)) stop();
  }
  /** @param {() => void} then @param {number} ms */
  function later(then, ms) {
    of = store.now.board;
    timer = setTimeout(() => of === store.now.board && then(), ms);
  }
  function begin(/** @type {Element[]} */ ...children) {
    of = store.now.board;
    node.replaceChildren(...children);
    node.hidden = false;
  }

  /** @param {number} count @param {boolean} complete @param {(at: number) => void} go */
  function stepThrough(count, complete, go) {
    let at = 0;
    const said = el("output", {});
    function step(/** @type {number} */ by) {
      at = (at + by + count) % count;
      said.textContent = `${at + 1} of ${count}${complete ? "" : " and more"}`;
      go(at);
    }
    const back = button("‹", () => step(-1), { "aria-label": "The solution before" });
    begin(
      bar(
        back,
        said,
        button("›", () => step(1), { "aria-label": "The next solution" }),
      ),
    );
    step(0);
  }

  // The search as the server tells of it: `kinds` of steps, their `flows` and `cells`.
  /** @param {Board} board @param {number[]} used @param {Place[][]} pairs @param {any} made */
  function watch(board, used, pairs, { kinds, flows, cells, ended, minisat }) {
    const own = geometry(board).cells.filter((cell) => !cell.hole);
    const keyAt = (/** @type {number} */ n) => (board.free ? String(n) : own[n].key);
    /** @param {Key} a @param {Key} b */
    const beside = (a, b) => geometry(board).sides.has(pairKey(a, b)) || board.warps.has(pairKey(a, b));
    let at = 0;
    /** @type {Key[][][]} the two ends of each flow, as far as they have grown */
    let stacks = [];
    function advance() {
      const [kind, ends, key] = [kinds[at], stacks[flows[at]], keyAt(cells[at])];
      if (kind === 0) (ends.find((end) => beside(end[end.length - 1], key)) ?? ends[0]).push(key);
      else if (kind === 1) ends.find((end) => end.length > 1 && end[end.length - 1] === key)?.pop();
      at++;
    }
    function goTo(/** @type {number} */ step) {
      if (!stacks.length || step < at) [at, stacks] = [0, pairs.map(([a, b]) => [[keyOf(a)], [keyOf(b)]])];
      while (at < step) advance();
      slider.value = String(at);
      count.textContent = `step ${at} of ${kinds.length}`;
      overrule(
        stacks.flatMap((ends, n) => ends.map((path) => ({ flow: used[n], path }))),
        board,
      );
    }
    const oninput = () => goTo(Number(slider.value));
    const slider = el("input", { type: "range", min: 0, max: kinds.length, value: 0, "aria-label": "Step of the search", oninput });
    const count = el("output", {});
    const speeds = [2, 8, 30, 200, 2000].map((n) => el("option", { value: n, text: `${n} steps a second`, selected: n === 30 }));
    const speed = el("select", { "aria-label": "Steps a second" }, ...speeds);
    const run = button("Pause", () => (timer ? pause() : go()));
    function pause() {
      clearTimeout(timer);
      timer = 0;
      run.textContent = at < kinds.length ? "Go on" : "Again";
    }
    function go() {
      run.textContent = "Pause";
      const each = Math.max(1, Math.round(Number(speed.value) / FRAMES));
      if (at >= kinds.length) goTo(0);
      const tick = () => {
        if (of !== board) return;
        goTo(Math.min(kinds.length, at + each));
        if (at >= kinds.length) return pause();
        timer = setTimeout(tick, (1000 * each) / Number(speed.value));
      };
      tick();
    }
    const backs = kinds.filter((/** @type {number} */ kind) => kind === 1).length;
    const { decisions, conflicts, seconds } = minisat;
    const effort = `Minisat, the solver used here: ${plural(decisions, "decision")}, ${plural(conflicts, "conflict")}, ${(1000 * seconds).toFixed(1)} ms.`;
    begin(
      slider,
      bar(run, speed, count),
      el("p", { text: `Backtracking: ${plural(kinds.length, "step")}, ${backs} of them back; ${ended}.` }),
      el("p", { text: decisions === undefined ? "" : effort }),
    );
    reveal(ui.shown.mode, ui.shown.steps);
    seeBoard();
    if (!still()) return go();
    goTo(kinds.length);
    pause();
  }
  return { node, show, stop, later, stepThrough, watch };
}
