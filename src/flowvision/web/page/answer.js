// The panel of an answer: hints, the solution played, the search watched, other solutions, other forms.

import { answerNow, overrule, reveal, say, solutionLines, whyNow } from "./actions.js";
import { faultWords } from "./advice.js";
import { flowNames, keyOf, placeOf, puzzleOf } from "./board.js";
import { bar, button, choice, el, plural, still } from "./dom.js";
import { filesPart } from "./files.js";
import { linesOfPlay, mistakesIn } from "./pipes.js";
import { searchPlayer } from "./search.js";
import { askHere } from "./solving.js";
import { seeBoard, store, ui } from "./state.js";

const GROW_MS = 420;
const MOST_SHOWN = 100;

export const search = searchPlayer();

// The steps that come next after those that are known, with their reason.
/** @param {string} kind @param {[Key, Key][]} known */
export async function askHint(kind, known) {
  const { board } = store;
  const { record, used } = puzzleOf(board);
  const names = used.map((n) => flowNames(board)[n]).join();
  const places = known.map((pair) => pair.map((key) => placeOf(board, key)));
  /** @type {Hint} */
  const { hint, why } = await askHere("hint", { puzzle: record, kind, known: places, names });
  return { why, steps: hint.map(({ flow, cells }) => ({ flow: used[flow], path: cells })) };
}

// What is seen of the solution already, for more to be added: at first the pipes that are drawn, as far as they are right.
function shownSteps() {
  const { played } = store.now;
  const alone = (/** @type {number} */ flow) => played.map((pipe, n) => (n === flow ? pipe : null));
  const isRight = (/** @type {Line} */ { flow }) => !mistakesIn(alone(flow), solutionLines()).length;
  if (ui.shown.mode !== "part" || !ui.shown.steps.length) reveal("part", linesOfPlay(played).filter(isRight));
  return ui.shown.steps;
}

/** @param {"next"|"forced"} kind */
export async function hint(kind) {
  search.stop();
  seeBoard(); // not beside the solved picture
  const known = shownSteps();
  try {
    const drawn = known.flatMap(({ path }) => path.slice(1).map((place, n) => /** @type {[Key, Key]} */ ([keyOf(path[n]), keyOf(place)])));
    const { steps, why } = await askHint(kind, drawn);
    if (ui.tab !== "Answer") return;
    reveal(
      "part",
      [...known, ...steps],
      steps.flatMap((step) => step.path.map(keyOf)),
    );
    say(kind === "forced" ? `${plural(steps.length, "step")}. ${why}` : why);
  } catch (error) {
    say(faultWords(error));
  }
}

/** @param {number} flow */
function showFlow(flow) {
  search.stop();
  const line = solutionLines().find((one) => one.flow === flow);
  if (!line) return;
  reveal("part", [...shownSteps().filter((step) => step.flow !== flow), line], line.path.map(keyOf));
}

export function playSolution() {
  search.stop();
  const lines = solutionLines();
  if (!lines.length) return;
  seeBoard();
  if (still()) return reveal("all");
  overrule(lines.map((line, n) => ({ ...line, grow: 1 + n * GROW_MS })));
  search.later(() => reveal("all"), lines.length * GROW_MS + 900);
}

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

// Solutions one after another on the board; what differs from the first, or there from the second, is lit.
async function showOthers() {
  search.stop();
  const { record, used } = puzzleOf(store.board);
  try {
    /** @type {{solutions: Place[][][], complete: boolean}} */
    const { solutions, complete } = await askHere("solutions", { puzzle: record, count: MOST_SHOWN });
    if (ui.tab !== "Answer" || solutions.length < 2) return;
    const all = solutions.map((paths) => paths.map((path, n) => ({ flow: used[n], path })));
    const waysOf = all.map(waysIn);
    seeBoard();
    search.stepThrough(all.length, complete, (at) => {
      const other = waysOf[at ? 0 : 1];
      reveal(
        "one",
        all[at],
        [...waysOf[at].keys()].filter((key) => waysOf[at].get(key) !== other.get(key)),
      );
      say(`Outlined: what differs from the ${at ? "first" : "second"} solution.`);
    });
  } catch (error) {
    say(faultWords(error));
  }
}

async function watchSearch() {
  search.stop();
  const { board } = store;
  const { record, used } = puzzleOf(board);
  try {
    const made = await askHere("search", { puzzle: record });
    if (ui.tab === "Answer") search.watch(board, used, record.pairs, made);
  } catch (error) {
    say(faultWords(error));
  }
}

// Sentences of a reason, each a step.
const stepsIn = (/** @type {string} */ why) => why.split(/(?<=\.) (?=[A-Z])/);

/** @param {Doc & {board: Board}} doc */
export function answerPanel(doc) {
  const { board } = doc;
  const answer = answerNow();
  const isSolved = answer?.status === "solved";
  const isSeen = ui.shown.mode === "all";
  const { used } = puzzleOf(board);
  const flows = [["", "Show one flow"], ...used.map((n) => [String(n), flowNames(board)[n]])];
  const isSearched = !!answer && ["solved", "unsolvable"].includes(answer.status);
  const learn = [
    bar(
      button("Next hint", () => hint("next"), { id: "hint" }),
      button("All forced", () => hint("forced")),
      isSeen ? button("Hide the solution", () => reveal("part")) : button("Show the solution", () => reveal("all")),
    ),
    bar(
      choice("Flow to show", flows, "", (n) => n && showFlow(Number(n))),
      button("Watch the solution", playSolution),
      button("Watch the search", watchSearch),
      ...(answer?.second ? [button("All solutions", showOthers)] : []),
    ),
  ];
  const why = stepsIn(whyNow());
  return [
    el(
      "div",
      { role: "status" },
      ...(why.length > 1 ? [el("ol", {}, ...why.map((text) => el("li", { text })))] : [el("p", { text: why[0] })]),
    ),
    ...(isSolved ? learn : isSearched ? [bar(button("Watch the search", watchSearch))] : []),
    ...filesPart(doc),
  ];
}
