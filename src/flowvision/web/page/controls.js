// Buttons and keys of the whole page.

import { fresh, goHome } from "./actions.js";
import { blank } from "./board.js";
import { $, el } from "./dom.js";
import { listenForFiles } from "./picture.js";
import { startPlaying } from "./play.js";
import { readAgain, take } from "./reading.js";
import { crop, nextHint, open, showNotice, view, visiblePanels, watchSolution } from "./screen.js";
import { fromPhone } from "./start.js";
import { comeTo, notice, store, ui } from "./state.js";
import { faultWords, KEYS } from "./words.js";
import { boardIn, isWritten } from "./written.js";

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
      if (item.types.includes("text/plain")) return openText(await (await item.getType("text/plain")).text());
    }
    notice("There is no picture and no puzzle on the clipboard.");
  } catch {
    notice("The browser did not allow it: choose the picture instead.");
  }
}
