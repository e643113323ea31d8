// The panel to learn with: hints, the solution played, the search watched, other solutions.

import { answerNow, overrule, reveal, solutionLines } from "./actions.js";
import { object } from "./api.js";
import { geometry, keyOf, pairKey, placeOf, puzzleOf } from "./board.js";
import { announce, button, el, plural, still, svg } from "./dom.js";
import { reasonOf } from "./reasons.js";
import { store, ui } from "./state.js";
import { BoardView } from "./view.js";

const GROW_MS = 700;
export function learnPanel() {
  const why = el("p", { role: "status" });
  const flow = el("select", { "aria-label": "Flow to show" });
  const hints = el(
    "div",
    { class: "bar" },
    button("Next hint", () => hint("next"), { class: "main", id: "hint" }),
    button("Shortest flow", () => hint("flow")),
    flow,
    button("Show this flow", () => hint(flow.value)),
    button("Show everything", () => reveal("all")),
    button("Hide the solution", () => reveal("part", [])),
  );
  const play = button("Watch the solution", () => playSolution());
  const watch = button("Watch the search", () => watchSearch());
  const others = button("Compare solutions", () => showOthers());
  const player = el("div", { hidden: true });
  const side = el("div", { class: "two" });
  const node = el("div", {}, hints, why, el("div", { class: "bar" }, play, watch, others), player, side);
  let timer = 0;

  async function hint(kind) {
    stop();
    const { board } = store.now;
    const { record, used } = puzzleOf(board);
    if (ui.shown.mode === "all") reveal("part", []);
    const known = ui.shown.steps;
    let letter = kind;
    if (!["next", "flow"].includes(kind)) letter = letterOf(used.indexOf(Number(kind)));
    try {
      const asked = { puzzle: record, kind: letter, known: known.map((step) => step.path) };
      const made = await object("hint", { body: JSON.stringify(asked) });
      if (store.now.board !== board) return;
      const steps = made.hint.map((step) => ({ flow: used[step.flow], path: step.cells }));
      why.textContent = reasonOf(made, board, used);
      announce(`${plural(steps.length, "step")}. ${why.textContent}`);
      reveal(
        "part",
        [...known, ...steps],
        steps.flatMap((step) => step.path.map(keyOf)),
      );
    } catch (error) {
      if (error.name !== "AbortError") why.textContent = error.message;
    }
  }

  // The letters that the server gives flows of records: in their order.
  const letterOf = (n) => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"[n] ?? "?";

  function playSolution() {
    stop();
    const lines = solutionLines();
    if (!lines.length) return;
    if (still()) {
      let count = 0;
      const step = () => {
        overrule(lines.slice(0, ++count));
        if (count < lines.length) timer = setTimeout(step, 400);
        else reveal("all");
      };
      return void step();
    }
    overrule(lines.map((line, n) => ({ ...line, grow: 1 + (n + 1) * GROW_MS * 0.6 })));
    timer = setTimeout(() => reveal("all"), (0.6 * lines.length + 1) * GROW_MS + 200);
  }

  async function watchSearch() {
    stop();
    const { board } = store.now;
    const { record, used } = puzzleOf(board);
    watch.disabled = true;
    try {
      const made = await object("search", { body: JSON.stringify({ puzzle: record }) });
      if (store.now.board === board) showSearch(board, used, record, made);
    } catch (error) {
      if (error.name !== "AbortError") why.textContent = error.message;
    }
    watch.disabled = false;
  }

  function showSearch(board, used, record, { kinds, flows, cells, ended, minisat }) {
    const keys = board.free
      ? null
      : geometry(board)
          .cells.filter((cell) => !cell.hole)
          .map((cell) => cell.key);
    const keyAt = (n) => (keys ? keys[n] : String(n));
    let at = 0;
    let stacks = [];
    const rewind = () => (stacks = record.pairs.map(([a, b]) => [[keyOf(a)], [keyOf(b)]]));
    const beside = (a, b) => geometry(board).sides.has(pairKey(a, b)) || board.warps.has(pairKey(a, b));
    function advance() {
      const [kind, flow, key] = [kinds[at], flows[at], keyAt(cells[at])];
      const ends = stacks[flow];
      if (kind === 0) {
        const grown = ends.find((end) => beside(end[end.length - 1], key)) ?? ends[0];
        grown.push(key);
      } else if (kind === 1) {
        const back = ends.find((end) => end.length > 1 && end[end.length - 1] === key);
        back?.pop();
      }
      at++;
    }
    function goTo(step) {
      if (step < at) {
        at = 0;
        rewind();
      }
      while (at < step) advance();
      overrule(stacks.flatMap((ends, n) => ends.map((end) => ({ flow: used[n], path: end.map((key) => placeOf(board, key)) }))));
      slider.value = at;
      count.textContent = `step ${at} of ${kinds.length}`;
    }
    const slider = el("input", {
      type: "range",
      min: 0,
      max: kinds.length,
      value: 0,
      "aria-label": "Step of the search",
      oninput: () => goTo(Number(slider.value)),
    });
    const count = el("output", {});
    const speed = el(
      "select",
      { "aria-label": "Steps a second" },
      ...[2, 8, 30, 200, 2000].map((n) => el("option", { value: n, text: `${n} steps a second`, selected: n === 30 })),
    );
    const run = button("Pause", () => (timer ? pause() : go()));
    const pause = () => {
      clearTimeout(timer);
      timer = 0;
      run.textContent = "Go on";
    };
    function go() {
      run.textContent = "Pause";
      const each = Math.max(1, Math.round(speed.value / 30));
      if (at >= kinds.length) goTo(0);
      const tick = () => {
        goTo(Math.min(kinds.length, at + each));
        if (at >= kinds.length) return pause();
        timer = setTimeout(tick, (1000 * each) / speed.value);
      };
      tick();
    }
    const backs = kinds.filter((kind) => kind === 1).length;
    const said = [`Backtracking: ${plural(kinds.length, "step")}, ${backs} of them back; ${ended}.`];
    if (minisat.decisions !== undefined)
      said.push(
        `Minisat, the solver used here: ${plural(minisat.decisions, "decision")}, ${plural(minisat.conflicts, "conflict")}, ${(1000 * minisat.seconds).toFixed(1)} ms.`,
      );
    player.replaceChildren(
      el("h2", { text: "The search" }),
      slider,
      el("div", { class: "bar" }, run, speed, count),
      ...said.map((text) => el("p", { text })),
    );
    player.hidden = false;
    rewind();
    if (still()) {
      goTo(kinds.length);
      pause();
    } else go();
  }

  function showOthers() {
    stop();
    const { board } = store.now;
    const answer = answerNow();
    const { used } = puzzleOf(board);
    const lit = (answer.differs ?? []).map(keyOf);
    for (const [name, paths] of [
      ["One solution", answer.paths],
      ["Another", answer.second],
    ]) {
      const root = svg("svg", { role: "img", "aria-label": name });
      side.append(el("figure", {}, root, el("figcaption", { text: name })));
      new BoardView(root).show(board, null, { lines: paths.map((path, n) => ({ flow: used[n], path })), lit });
      for (const one of root.querySelectorAll("[role=gridcell],[role=row]"))
        for (const name of ["role", "tabindex", "aria-label"]) one.removeAttribute(name);
    }
    why.textContent = `They differ in ${plural(lit.length, "cell")}, which are lit.`;
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    player.hidden = true;
    side.replaceChildren();
  }

  let shownBoard = null;
  function show() {
    const { board } = store.now;
    const answer = answerNow();
    const solved = answer?.status === "solved";
    for (const one of node.querySelectorAll(".bar button, .bar select")) if (!player.contains(one)) one.disabled = !solved;
    watch.disabled = !answer || !["solved", "unsolvable"].includes(answer.status);
    others.hidden = !answer?.second;
    const { used } = puzzleOf(board);
    const names = used.map((n) => el("option", { value: n, text: board.flows[n].letter }));
    if (flow.textContent !== names.map((one) => one.textContent).join("")) flow.replaceChildren(...names);
    if (store.now.board !== shownBoard) {
      shownBoard = store.now.board;
      stop();
      why.textContent = solved ? "" : "There is nothing to learn from before there is a solution.";
    }
  }
  return { name: "Learn", node, show, hint: () => hint("next"), play: playSolution };
}
