// The Make panel: a board by hand, made by chance, or as text.

import { fresh, open } from "./actions.js";
import { extra, unfolder } from "./answer.js";
import { faultWords, Refused } from "./api.js";
import { blank, textOf } from "./board.js";
import { button, el, iconButton, row, segments } from "./dom.js";
import { newPuzzle, sizeChips, sizeNow } from "./play.js";
import { answerNow, boardIn } from "./solving.js";
import { store, ui } from "./state.js";

const GRADES = { Any: "", Easy: "easy", Medium: "medium", Hard: "hard", Expert: "expert" };
const TYPING_MS = 300;

/** The typed text, its fault, and the board it belongs to. @type {{text: string, fault: string, of: Board|null}} */
let typed = { text: "", fault: "", of: null };
let timer = 0;

function type(/** @type {any} */ { target }) {
  typed = { text: target.value, fault: "", of: store.now.board };
  clearTimeout(timer);
  timer = window.setTimeout(parse, TYPING_MS);
}

async function parse() {
  const mine = typed;
  try {
    const board = await boardIn(mine.text);
    if (mine !== typed || mine.of !== store.now.board) return;
    fresh(board, { tab: "Make" });
    typed = { ...mine, of: store.now.board };
  } catch (error) {
    typed = { ...mine, fault: error instanceof Refused ? error.message : faultWords(error) };
    store.changed();
  }
}

// Read what was typed, and fold the panel unless it has a fault.
async function use() {
  clearTimeout(timer);
  if (typed.text && !typed.fault) await parse();
  if (!typed.fault) store.set({ unfolded: "" });
}

const wish = (/** @type {Record<string, any>} */ part) => store.set({ wishes: { ...ui.wishes, ...part } });

function emptyBoard(/** @type {string} */ size, /** @type {string} */ tiling) {
  const [cols, rows] = size.split("x").map(Number);
  wish({ size });
  fresh(blank(rows, cols, tiling), { tab: "Make" });
}

export function makePanel(/** @type {Opened} */ { board }) {
  const { tiling, difficulty } = ui.wishes;
  const size = ui.wishes.size ?? sizeNow(board);
  const isReady = answerNow()?.status === "solved";
  const { text, fault } = typed.of === board ? typed : { text: textOf(board), fault: "" };
  const words = size.replace("x", " × ");
  const field = { spellcheck: "false", wrap: "off", disabled: !!board.free, value: /[^.\n]/.test(text) ? text : "", oninput: type };
  const example = { placeholder: "A.B\n...\nA.B", "aria-invalid": String(!!fault), "aria-describedby": "text-fault" };
  return [
    row(
      unfolder("size", words, { "aria-label": `Size and difficulty: ${words}`, class: "small-only" }),
      iconButton("dice", "Generate", () => newPuzzle({ size, tiling, difficulty }), {
        class: isReady || ui.unfolded === "import" ? null : "main",
      }),
      isReady ? iconButton("Play", "Play it", () => open("Play"), { class: "main" }) : null,
      unfolder("import", "Import"),
    ),
    extra(
      "size",
      sizeChips(size, (one) => (board.dots.size ? wish({ size: one }) : emptyBoard(one, board.tiling))),
      segments("Difficulty", GRADES, difficulty, (value) => wish({ difficulty: value })),
      segments("Cells", { Squares: "square", Hexagons: "hex" }, tiling, (value) => wish({ tiling: value })),
      board.dots.size ? button("Empty board", () => emptyBoard(size, tiling)) : null,
    ),
    extra(
      "import",
      el("p", { class: "hint", text: "A letter for each dot, a full stop for each other cell." }),
      el("textarea", { "aria-label": "The puzzle as text", ...field, ...example }),
      el("p", { class: "bad-words", id: "text-fault", role: "alert", text: fault }),
      row(iconButton("Answer", "Use this board", use, { class: "main", disabled: !!board.free || !!fault })),
    ),
  ];
}
