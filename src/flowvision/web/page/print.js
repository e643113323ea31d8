// Boards on paper: each as a puzzle, with its answer on a page of its own.

import { solutionLines } from "./actions.js";
import { geometry, puzzleOf } from "./board.js";
import { $, el, plural, svg } from "./dom.js";
import { solved } from "./several.js";
import { store, ui } from "./state.js";
import { BoardView } from "./view.js";

function sheet(/** @type {Board} */ board, /** @type {string} */ suffix, /** @type {Line[]} */ lines) {
  const { rows, cols, free } = board;
  const size = free ? plural(geometry(board).cells.length, "cell") : `${cols} × ${rows}`;
  const root = svg("svg", { preserveAspectRatio: "xMidYMin" });
  new BoardView(root).show(board, null, { lines, letters: true });
  return el("section", {}, el("h2", { text: `${size} · ${plural(puzzleOf(board).used.length, "flow")}${suffix}` }), root);
}

export function layOut() {
  const boards = (ui.isOverview ? solved() : [store.now]).flatMap(({ board }) => board ?? []);
  const sheets = boards.flatMap((board) => {
    const lines = solutionLines(board);
    return [sheet(board, "", []), ...(lines.length ? [sheet(board, " · answer", lines)] : [])];
  });
  $("paper").replaceChildren(...sheets);
}
