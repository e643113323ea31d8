// The Make panel: a board made by chance, drawn by hand, or as text.

import { fresh, open } from "./actions.js";
import { extra, unfolder } from "./answer.js";
import { faultWords, Refused } from "./api.js";
import { blank, textOf } from "./board.js";
import { chips, el, iconButton, row } from "./dom.js";
import { newPuzzle, sizeChips, sizeNow } from "./play.js";
import { answerNow, boardIn } from "./solving.js";
import { store, ui } from "./state.js";

const GRADES = { Any: "", Easy: "easy", Medium: "medium", Hard: "hard", Expert: "expert" };
const TYPING_MS = 300;

/** The typed text, its fault, and the board it belongs to. @type {{text: string, fault: string, of: Board|null}} */
let typed = { text: "", fault: "", of: null };
let timer = 0;

function type(/** @type {string} */ text, pause = TYPING_MS) {
  typed = { text, fault: "", of: store.now.board };
  clearTimeout(timer);
  timer = window.setTimeout(parse, pause);
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

// Read what was typed, and close the field unless it has a fault.
async function use() {
  clearTimeout(timer);
  if (typed.text && !typed.fault) await parse();
  if (!typed.fault) store.set({ unfolded: "" });
}

const paste = async () => type(await navigator.clipboard.readText().catch(() => ""), 0);

/** @returns {Record<string, any>} */
const wishesNow = () => ({ ...ui.wishes, size: ui.wishes.size ?? sizeNow(/** @type {Board} */ (store.now.board)) });
const generate = () => newPuzzle(wishesNow());

function empty() {
  const { size, tiling } = wishesNow();
  const [cols, rows] = size.split("x").map(Number);
  fresh(blank(rows, cols, tiling), { tab: "Make" });
}

// Choose what to make. An empty board, or a generated one, follows at once.
function wish(/** @type {Record<string, any>} */ part) {
  const { board, made } = store.now;
  store.set({ wishes: { ...ui.wishes, ...part } });
  if (made && made.of === board) generate();
  else if (!board?.dots.size) empty();
}

function importPanel(/** @type {Board} */ board) {
  const { text, fault } = typed.of === board ? typed : { text: textOf(board), fault: "" };
  const field = { spellcheck: "false", wrap: "off", value: /[^.\n]/.test(text) ? text : "", placeholder: "A.B\n...\nA.B" };
  const oninput = (/** @type {any} */ { target }) => type(target.value);
  return [
    el("p", { id: "text-fault", role: "alert", class: "bad-words", text: fault }),
    el("textarea", {
      "aria-label": "The puzzle as text",
      ...field,
      oninput,
      "aria-invalid": String(!!fault),
      "aria-describedby": "text-fault",
    }),
    row(
      iconButton("back", "Back", () => store.set({ unfolded: "" })),
      iconButton("Answer", "Use this board", use, { class: "main", disabled: !!fault }),
      navigator.clipboard && window.isSecureContext ? iconButton("paste", "Paste", paste) : null,
    ),
  ];
}

export function makePanel(/** @type {Opened} */ { board }) {
  if (ui.unfolded === "import") return importPanel(board);
  const { size, tiling, difficulty } = wishesNow();
  return [
    sizeChips(size, (one) => wish({ size: one })),
    chips("Difficulty", GRADES, difficulty, (value) => wish({ difficulty: value })),
    row(
      unfolder("more", "More"),
      iconButton("dice", "New board", generate, { class: "main" }),
      iconButton("Play", "Play it", () => open("Play"), { disabled: answerNow()?.status !== "solved" }),
    ),
    extra(
      "more",
      chips("Cells", { Squares: "square", Hexagons: "hex" }, tiling, (value) => wish({ tiling: value })),
      row(
        iconButton("size", "Empty board", empty),
        iconButton("import", "Import", () => store.set({ unfolded: "import" })),
      ),
    ),
  ];
}
