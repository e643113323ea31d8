// Buttons and keys of the whole page.

import { fresh, goHome } from "./actions.js";
import { object } from "./api.js";
import { blank, fromText } from "./board.js";
import { $, el } from "./dom.js";
import { listenForPictures } from "./picture.js";
import { startPlaying } from "./play.js";
import { readAgain, take } from "./reading.js";
import { crop, nextHint, open, showNotice, view, visiblePanels, watchSolution } from "./screen.js";
import { fromPhone } from "./start.js";
import { notice, store, ui } from "./state.js";
import { KEYS } from "./words.js";

function pageKey(/** @type {KeyboardEvent} */ event) {
  const target = /** @type {HTMLInputElement} */ (event.target);
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && target.type !== "checkbox";
  const key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && !typing && (key === "z" || key === "y")) {
    event.preventDefault();
    move(key === "y" || event.shiftKey ? 1 : -1);
  } else if (event.key === "Escape" && ui.crop) store.set({ crop: null });
  else if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  else if (event.key === "?") $("help").showModal();
  else if (key === "n" && store.now.board) nextHint();
  else if (key === "p" && store.now.board && ui.tab !== "Play") watchSolution();
  else if (/^Arrow(Left|Right)$/.test(event.key) && target.role === "tab") {
    const names = visiblePanels().map((panel) => panel.name);
    const step = event.key === "ArrowRight" ? 1 : names.length - 1;
    open(names[(names.indexOf(ui.tab) + step) % names.length]);
  }
}

// What was open belongs to the state that is left.
function move(/** @type {number} */ by) {
  Object.assign(ui, { crop: null, size: null, over: null });
  const { left, picture: before } = store.now;
  if (left && by < 0) ui.tab = left.tab;
  ui.shown = { mode: (left ?? ui.shown).mode === "part" ? "part" : "all", steps: [], lit: [] };
  store.go(by);
  const { picture } = store.now;
  if (picture && before && picture !== before) notice(`This is ${picture.name} again.`);
}

// A puzzle in any written form.
/** @param {string} text @param {string} fault @param {{mode?: Seen["mode"], tab: string}} seen */
export async function openText(text, fault, seen) {
  const made = await object("puzzle", { body: text }).catch((error) => ({ message: error.message }));
  if (made.puzzle?.record) fresh(fromText(made.puzzle, text), seen);
  else notice(`${fault}: ${made.reason ?? made.message}`);
}

// What was dropped or chosen: pictures, and texts that are puzzles.
async function given(/** @type {File[]} */ files) {
  const isText = (/** @type {File} */ { type }) => /^text\/plain|json$/.test(type);
  const pictures = files.filter((one) => !isText(one));
  if (pictures.length) await take(pictures);
  for (const one of files.filter(isText)) await openText(await one.text(), one.name, { tab: "Make" });
}

/** @param {string} id @param {() => void} act @param {string} kind */
const on = (id, act, kind = "click") => $(id).addEventListener(kind, act);

export function wire() {
  listenForPictures(given);
  for (const [id, input] of [
    ["choose", "file"],
    ["camera", "photo"],
  ])
    on(id, () => $(input).click());
  for (const id of ["file", "photo"])
    on(
      id,
      () => {
        const found = [...$(id).files];
        $(id).value = "";
        given(found);
      },
      "change",
    );
  on("paste", paste);
  on("phone", fromPhone);
  $("paste").hidden = !(navigator.clipboard && window.isSecureContext);
  on("blank", () => fresh(blank(7, 7), { tab: "Correct" }));
  on("play", startPlaying);
  on("undo", () => move(-1));
  on("another", goHome);
  $("home").addEventListener("click", (/** @type {MouseEvent} */ event) => {
    event.preventDefault();
    goHome();
  });
  on("redo", () => move(1));
  on("keys", () => $("help").showModal());
  on("crop", crop);
  on("uncrop", () => store.set({ crop: null }));
  on("whole", () => store.set({ whole: !ui.whole }));
  on("bare", () => store.set({ bare: $("bare").checked }), "change");
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
    }
    notice("There is no picture on the clipboard.");
  } catch {
    notice("The browser did not allow it: choose the picture instead.");
  }
}
