// Buttons and keys of the whole page.

import { fresh, goHome, open, readCrop, startCrop } from "./actions.js";
import { faultWords } from "./advice.js";
import { hint, playSolution } from "./answer.js";
import { blank } from "./board.js";
import { $, el } from "./dom.js";
import { listenForFiles } from "./picture.js";
import { hintInPlay, startPlaying } from "./play.js";
import { readAgain, take } from "./reading.js";
import { showNotice, TABS, view } from "./screen.js";
import { showStages } from "./stages.js";
import { fromPhone } from "./start.js";
import { comeTo, notice, store, ui } from "./state.js";
import { boardIn, isWritten } from "./written.js";

// Keys of the whole page. Single letters count where nothing else has the focus but a cell of the board.
function pageKey(/** @type {KeyboardEvent} */ event) {
  const target = /** @type {HTMLInputElement} */ (event.target);
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && target.type !== "checkbox";
  const isFree = target === document.body || !!target.closest("#board");
  const key = event.key.toLowerCase();
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && !isTyping && (key === "z" || key === "y")) {
    event.preventDefault();
    move(key === "y" || event.shiftKey ? 1 : -1);
  } else if (event.key === "Escape" && ui.crop) store.set({ crop: null });
  else if (/^Arrow(Left|Right)$/.test(event.key) && target.role === "tab") {
    const step = event.key === "ArrowRight" ? 1 : TABS.length - 1;
    open(TABS[(TABS.indexOf(ui.tab) + step) % TABS.length]);
    $(`tab-${ui.tab}`).focus();
  } else if (!isFree || isCommand || event.altKey) return;
  else if (event.key === "?") $("help").showModal();
  else if (key === "n" && store.now.board) nextHint();
  else if (key === "p" && store.now.board && ui.tab !== "Play") {
    if (ui.tab !== "Answer") open("Answer");
    playSolution();
  }
}

// In play it goes on from one's own pipes.
function nextHint() {
  if (ui.tab === "Play") return hintInPlay();
  if (ui.tab !== "Answer") open("Answer");
  return hint("next");
}

function move(/** @type {number} */ by) {
  if (!store.can(by)) return;
  const { picture: before } = store.now;
  comeTo(store.list[store.place(by)]);
  store.go(by);
  const { picture } = store.now;
  if (picture && before && picture !== before) notice(`This is ${picture.name} again.`);
}

// What is dropped, chosen or pasted: pictures are read, written puzzles opened.
async function receive(/** @type {File[]} */ files) {
  const pictures = files.filter((one) => !isWritten(one));
  if (pictures.length) await take(pictures);
  for (const one of files.filter(isWritten)) await openText(await one.text(), `${one.name}: `);
}

/** @param {string} text @param {string} fault @param {{mode?: Seen["mode"], tab: string}} seen */
export async function openText(text, fault = "", seen = { tab: "Make" }) {
  try {
    const { board, faith } = await boardIn(text);
    fresh(board, { ...seen, faith });
  } catch (error) {
    notice(fault + faultWords(error));
  }
}

/** @param {string} id @param {() => void} act @param {string} kind */
const on = (id, act, kind = "click") => $(id).addEventListener(kind, act);

export function wire() {
  listenForFiles(receive);
  for (const [id, input] of [
    ["choose", "file"],
    ["another", "file"],
    ["camera", "photo"],
  ])
    on(id, () => $(input).click());
  for (const id of ["file", "photo"])
    on(
      id,
      () => {
        const found = [...$(id).files];
        $(id).value = "";
        receive(found);
      },
      "change",
    );
  on("paste", paste);
  on("phone", fromPhone);
  $("paste").hidden = !(navigator.clipboard && window.isSecureContext);
  on("blank", () => fresh(blank(7, 7), { tab: "Correct" }));
  on("play", startPlaying);
  on("undo", () => move(-1));
  $("home").addEventListener("click", (/** @type {MouseEvent} */ event) => {
    event.preventDefault();
    goHome();
  });
  on("redo", () => move(1));
  on("keys", () => $("help").showModal());
  on("crop", () => (ui.crop ? readCrop() : startCrop()));
  on("uncrop", () => store.set({ crop: null }));
  on("whole", () => store.set({ whole: !ui.whole }));
  on("how", showStages);
  on("letters", () => store.set({ letters: $("letters").checked }), "change");
  on("turn", () => readAgain({ rotate: (store.now.rotate + 90) % 360, crop: null }));
  on("closer", () => view.zoomBy(1.5));
  on("farther", () => view.zoomBy(1 / 1.5));
  on("fit", () => view.zoomBy(0));
  $("help-list").append(...KEYS.flatMap(([key, words]) => [el("dt", { text: key }), el("dd", { text: words })]));
  addEventListener("keydown", pageKey);
  const read = () => {
    ui.notice = "";
    showNotice();
  };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, read, true);
}

async function paste() {
  try {
    for (const item of await navigator.clipboard.read()) {
      const kind = item.types.find((type) => type.startsWith("image/"));
      if (kind) return take([await item.getType(kind)]);
      if (item.types.includes("text/plain")) return openText(await (await item.getType("text/plain")).text());
    }
    notice("There is no picture and no puzzle on the clipboard.");
  } catch {
    notice("The browser did not allow it: choose the picture instead.");
  }
}

const KEYS = [
  ["Arrow keys", "from cell to cell"],
  ["Shift + arrow", "Play: draw the pipe on; Correct: a wall, or none"],
  ["Enter, Space", "Play: a dot, then where its pipe goes; Correct: use the tool"],
  ["Delete", "Play: erase the pipe; Correct: clear the cell"],
  ["1 … 9, 0", "Correct: a colour"],
  ["H, B, W", "Correct: hole (or a long press), bridge, warp"],
  ["M", "Correct: pick up a dot; Enter puts it down"],
  ["Drag a dot", "Correct: to another cell; onto a dot they change places"],
  ["Ctrl + Z, Ctrl + Y", "undo, redo"],
  ["N", "next hint"],
  ["P", "watch the solution (not in Play)"],
  ["Escape", "stop cropping"],
  ["Ctrl + wheel", "zoom"],
];
