// The panel to learn with: hints, the solution played, the search watched, other solutions.

import { answerNow, overrule, reveal, solutionLines } from "./actions.js";
import { flowNames, geometry, keyOf, pairKey, placeOf, puzzleOf } from "./board.js";
import { announce, bar, button, el, fill, plural, still } from "./dom.js";
import { linesOfPlay, mistakesIn } from "./pipes.js";
import { askHere } from "./solving.js";
import { store, ui } from "./state.js";
import { faultWords } from "./words.js";

const GROW_MS = 700;
const MOST_SHOWN = 100;
const NONE = "There is no solution to learn from yet.";

// How every cell is passed: by which flow, from where to where.
/** @param {Line[]} lines */
function waysIn(lines) {
  /** @type {Map<Key, string>} */
  const made = new Map();
  for (const { flow, path } of lines)
    path.forEach((place, n) => {
      const ends = [path[n - 1], path[n + 1]].map(String).sort();
      made.set(keyOf(place), `${made.get(keyOf(place)) ?? ""} ${flow} ${ends}`);
    });
  return made;
}

/** @returns {Panel & {hint: () => void, play: () => void, others: () => void, stop: () => void}} */
export function learnPanel() {
  const why = el("p", { role: "status", class: "why" });
  const flow = el("select", { "aria-label": "Flow to show" });
  const next = bar(
    button("Next hint", () => hint("next"), { class: "main", id: "hint" }),
    button("All forced", () => hint("forced")),
    button("Shortest flow", () => hint("flow")),
  );
  const hints = bar(
    flow,
    button("Show this flow", showFlow),
    button("Show everything", () => begin("all")),
    button("Hide the solution", () => begin("part")),
  );
  const play = button("Watch the solution", () => playSolution());
  const watch = button("Watch the search", () => watchSearch());
  const others = button("All solutions", () => showOthers());
  const player = el("div", { hidden: true });
  const node = el("div", {}, el("div", {}, next, why), player, hints, bar(play, watch, others));
  let timer = 0;

  // What is asked here is of no use once another panel is open.
  /** @param {string} path @param {object} question */
  async function asked(path, question) {
    const made = await askHere(path, question);
    if (ui.tab !== "Learn") throw new DOMException("left", "AbortError");
    return made;
  }

  /** @param {Seen["mode"]} mode @param {Line[]} [steps] */
  function begin(mode, steps) {
    stop();
    why.textContent = "";
    reveal(mode, steps);
  }

  // What is seen of the solution already, for more to be added: at first the pipes that are drawn, as far as they are right.
  function shownSteps() {
    const { played } = store.now;
    const isRight = (/** @type {Line} */ { flow }) =>
      !mistakesIn(
        played.map((pipe, n) => (n === flow ? pipe : null)),
        solutionLines(),
      ).length;
    if (ui.shown.mode !== "part" || !ui.shown.steps.length) reveal("part", linesOfPlay(played).filter(isRight));
    return ui.shown.steps;
  }

  function showFlow() {
    stop();
    const line = solutionLines().find((one) => one.flow === Number(flow.value));
    if (!line) return;
    why.textContent = `This is the ${flowNames(store.board)[line.flow]} flow.`;
    announce(why.textContent);
    reveal("part", [...shownSteps().filter((step) => step.flow !== line.flow), line], line.path.map(keyOf));
  }

  async function hint(/** @type {"next"|"forced"|"flow"} */ kind) {
    stop();
    const { board } = store;
    const { record, used } = puzzleOf(board);
    const known = shownSteps();
    try {
      /** @type {Hint} */
      const made = await asked("hint", {
        puzzle: record,
        kind,
        known: known.flatMap(({ path }) => path.slice(1).map((place, n) => [path[n], place].map((one) => placeOf(board, keyOf(one))))),
        names: used.map((n) => flowNames(board)[n]).join(),
      });
      const steps = made.hint.map((step) => ({ flow: used[step.flow], path: step.cells }));
      why.textContent = made.why;
      announce(`${plural(steps.length, "step")}. ${why.textContent}`);
      reveal(
        "part",
        [...known, ...steps],
        steps.flatMap((step) => step.path.map(keyOf)),
      );
    } catch (error) {
      why.textContent = faultWords(error);
    }
  }

  function playSolution() {
    begin(ui.shown.mode, ui.shown.steps);
    const lines = solutionLines();
    if (!lines.length) return;
    overrule(lines.map((line, n) => ({ ...line, grow: 1 + (n + 1) * GROW_MS * 0.6 })));
    timer = setTimeout(() => reveal("all"), (0.6 * lines.length + 1) * GROW_MS + 200);
  }

  async function watchSearch() {
    begin(ui.shown.mode, ui.shown.steps);
    const { board } = store;
    const { record, used } = puzzleOf(board);
    watch.disabled = true;
    try {
      const made = await asked("search", { puzzle: record });
      showSearch(board, used, record, made);
    } catch (error) {
      why.textContent = faultWords(error);
    }
    watch.disabled = false;
  }

  /** @param {Board} board @param {number[]} used @param {{pairs: Place[][]}} record @param {any} made what the server tells of the search */
  function showSearch(board, used, record, { kinds, flows, cells, ended, minisat }) {
    const keys = board.free
      ? null
      : geometry(board)
          .cells.filter((cell) => !cell.hole)
          .map((cell) => cell.key);
    const keyAt = (/** @type {number} */ n) => (keys ? keys[n] : String(n));
    let at = 0;
    /** @type {Key[][][]} */
    let stacks = [];
    const rewind = () => (stacks = record.pairs.map(([a, b]) => [[keyOf(a)], [keyOf(b)]]));
    /** @param {Key} a @param {Key} b */
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
    function goTo(/** @type {number} */ step) {
      if (step < at) {
        at = 0;
        rewind();
      }
      while (at < step) advance();
      const lines = stacks.flatMap((ends, n) => ends.map((end) => ({ flow: used[n], path: end })));
      overrule(lines, board);
      slider.value = String(at);
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
      run.textContent = at < kinds.length ? "Go on" : "Again";
    };
    function go() {
      run.textContent = "Pause";
      const each = Math.max(1, Math.round(Number(speed.value) / 30));
      if (at >= kinds.length) goTo(0);
      const tick = () => {
        if (store.now.board !== board) return stop();
        goTo(Math.min(kinds.length, at + each));
        if (at >= kinds.length) return pause();
        timer = setTimeout(tick, (1000 * each) / Number(speed.value));
      };
      tick();
    }
    const backs = kinds.filter((/** @type {number} */ kind) => kind === 1).length;
    const said = [`Backtracking: ${plural(kinds.length, "step")}, ${backs} of them back; ${ended}.`];
    if (minisat.decisions !== undefined)
      said.push(
        `Minisat, the solver used here: ${plural(minisat.decisions, "decision")}, ${plural(minisat.conflicts, "conflict")}, ${(1000 * minisat.seconds).toFixed(1)} ms.`,
      );
    player.replaceChildren(el("h2", { text: "The search" }), slider, bar(run, speed, count), ...said.map((text) => el("p", { text })));
    player.hidden = false;
    rewind();
    if (still()) {
      goTo(kinds.length);
      pause();
    } else go();
  }

  // Solutions one after another on the board; what differs from the first, or there from the second, is lit.
  async function showOthers() {
    stop();
    const { board } = store;
    const { record, used } = puzzleOf(board);
    /** @type {{solutions: Place[][][], complete: boolean}} */
    let made;
    try {
      made = await asked("solutions", { puzzle: record, count: MOST_SHOWN });
    } catch (error) {
      why.textContent = faultWords(error);
      return;
    }
    if (made.solutions.length < 2) return;
    const all = made.solutions.map((paths) => paths.map((path, n) => ({ flow: used[n], path })));
    const waysOf = all.map(waysIn);
    const count = el("output", {});
    let at = 0;
    function go(/** @type {number} */ by) {
      at = (at + by + all.length) % all.length;
      const other = waysOf[at ? 0 : 1];
      const lit = [...waysOf[at].keys()].filter((key) => waysOf[at].get(key) !== other.get(key));
      reveal("one", all[at], lit);
      count.textContent = `${at + 1} of ${all.length}${made.complete ? "" : " and more"}`;
      why.textContent = `Outlined: what differs from the ${at ? "first" : "second"} solution.`;
      announce(`${count.textContent}. ${why.textContent}`);
    }
    /** @param {string} text @param {number} by @param {string} name */
    const step = (text, by, name) => button(text, () => go(by), { "aria-label": name });
    player.replaceChildren(bar(step("‹", -1, "The solution before"), count, step("›", 1, "The next solution")));
    player.hidden = false;
    go(0);
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    player.hidden = true;
  }

  /** @type {Board|null} */
  let shownBoard = null;
  function show() {
    const { board } = store;
    const answer = answerNow();
    const solved = answer?.status === "solved";
    /** @type {NodeListOf<HTMLButtonElement|HTMLSelectElement>} */
    const offered = node.querySelectorAll(".bar button, .bar select");
    for (const one of offered) if (!player.contains(one)) one.disabled = !solved;
    others.hidden = !answer?.second;
    watch.disabled = !answer || !["solved", "unsolvable"].includes(answer.status);
    const { used } = puzzleOf(board);
    const names = flowNames(board);
    fill(flow, [used, names], () => used.map((n) => el("option", { value: n, text: names[n] })));
    if (board !== shownBoard) {
      shownBoard = board;
      stop();
      why.textContent = "";
    }
    if (!solved || why.textContent === NONE) why.textContent = solved ? "" : NONE;
  }
  return { name: "Learn", node, show, hint: () => hint("next"), play: playSolution, others: showOthers, stop };
}
