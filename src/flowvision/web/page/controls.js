// Buttons and keys of the whole page.

import { fresh, goHome, open } from "./actions.js";
import { hint } from "./answer.js";
import { faultWords } from "./api.js";
import { blank } from "./board.js";
import { $ } from "./dom.js";
import { listenForFiles } from "./picture.js";
import { hintInPlay, startPlaying } from "./play.js";
import { take } from "./reading.js";
import { showNotice, TABS } from "./screen.js";
import { boardIn } from "./solving.js";
import { notice, store, ui } from "./state.js";

/** Larger files are no written puzzles. */
const MAX_TEXT_BYTES = 8 << 20;

// Single letters count where nothing else has the focus but a cell of the board.
function pageKey(/** @type {KeyboardEvent} */ event) {
  const target = /** @type {HTMLInputElement} */ (event.target);
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && target.type !== "checkbox";
  const isFree = target === document.body || !!target.closest("#board");
  const key = event.key.toLowerCase();
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && !isTyping && (key === "z" || key === "y")) {
    event.preventDefault();
    move(key === "y" || event.shiftKey ? 1 : -1);
  } else if (key === "escape" && ui.crop) store.set({ crop: null });
  else if (/^arrow(left|right)$/.test(key) && target.role === "tab") {
    const step = key === "arrowright" ? 1 : TABS.length - 1;
    open(TABS[(TABS.indexOf(ui.tab) + step) % TABS.length]);
    $(`tab-${ui.tab}`).focus();
  } else if (!isFree || isCommand || event.altKey) return;
  else if (key === "?") $("help").showModal();
  else if (key === "n" && store.now.board) nextHint();
}

function nextHint() {
  if (ui.tab === "Play") return hintInPlay();
  if (ui.tab !== "Answer") open("Answer");
  hint("next");
}

const move = (/** @type {number} */ by) => store.can(by) && store.go(by);

const isWritten = (/** @type {File} */ { type, name, size }) =>
  (/^text|json/.test(type) || /\.(txt|json)$/i.test(name)) && size < MAX_TEXT_BYTES;

async function receive(/** @type {File[]} */ files) {
  const pictures = files.filter((one) => !isWritten(one));
  if (pictures.length) await take(pictures);
  for (const one of files.filter(isWritten)) await openText(await one.text(), `${one.name}: `);
}

/** @param {string} text @param {string} fault */
async function openText(text, fault = "") {
  try {
    fresh(await boardIn(text), { tab: "Make" });
  } catch (error) {
    notice(fault + faultWords(error));
  }
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

/** @type {Record<string, (event: MouseEvent) => void>} what the fixed buttons do, by their names */
const CLICKS = {
  home: (event) => {
    event.preventDefault();
    goHome();
  },
  choose: () => $("file").click(),
  another: () => $("file").click(),
  paste,
  play: startPlaying,
  blank: () => fresh(blank(7, 7), { tab: "Correct" }),
  undo: () => move(-1),
  redo: () => move(1),
  keys: () => $("help").showModal(),
};

export function wire() {
  for (const [id, act] of Object.entries(CLICKS)) $(id).addEventListener("click", act);
  $("file").addEventListener("change", () => {
    const found = [...$("file").files];
    $("file").value = "";
    receive(found);
  });
  listenForFiles(receive);
  $("paste").hidden = !(navigator.clipboard && window.isSecureContext);
  addEventListener("keydown", pageKey);
  const forget = () => {
    ui.notice = ""; // without drawing: a button must not go while it is pressed
    showNotice();
  };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, forget, true);
}
