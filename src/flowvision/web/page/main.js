// Entry point: access, the clipboard, buttons and keys of the whole page.

import { fresh, goHome, open } from "./actions.js";
import { about, onSession, openSession, shared } from "./api.js";
import { blank, boardOfLink, GAME } from "./board.js";
import { $, forPointer, icon } from "./dom.js";
import { keepNow, keptDocs } from "./keep.js";
import { startPlaying } from "./play.js";
import { boxOf, isLaid, lookForServer, reopen, retry, take } from "./reading.js";
import { render, showNotice, TABS } from "./screen.js";
import { layOut, showAll, step } from "./several.js";
import { boardIn, solveNow } from "./solving.js";
import { endStart, notice, store, ui } from "./state.js";

const RETRY_MS = 2000;

// Return the button that shows this key, if one does.
const named = (/** @type {string} */ key) =>
  /** @type {HTMLElement[]} */ ([...document.querySelectorAll(`[aria-keyshortcuts="${key}"]:not(:disabled)`)]).find(
    (button) => button.checkVisibility() && getComputedStyle(button, "::after").display !== "none",
  );
// Letters press the buttons that name them, unless a field has the focus.
function pageKey(/** @type {any} */ event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const isTyping = /^(INPUT|TEXTAREA)$/.test(target.tagName);
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
  } else if (isTyping || isCommand || event.altKey || document.querySelector("dialog[open]")) return;
  else if (key === "escape") showAll();
  else if (/^arrow/.test(key) && !target.closest("#stage")) step(/left|up/.test(key) ? -1 : 1);
  else if (key === "?") $("help").showModal();
  else if (/^\w$/.test(key)) named(key)?.click();
}

// Undo or redo. A board that is marked on its picture stays so.
function move(/** @type {number} */ by) {
  const isMarking = !!ui.crop;
  if (store.can(by)) store.go(by);
  const { board, frame, reading } = store.now;
  if (isMarking && board && frame && isLaid(reading)) store.set({ crop: boxOf(board, frame) });
}

async function paste() {
  for (const item of await navigator.clipboard.read().catch(() => [])) {
    const kind = item.types.find((type) => type.startsWith("image/"));
    if (kind) return take([await item.getType(kind)]);
  }
  notice("There is no picture to paste: choose it instead.");
}

/** @type {Record<string, (event: MouseEvent) => void>} what the fixed buttons do, by their names */
const CLICKS = {
  home: (event) => {
    event.preventDefault();
    goHome();
  },
  choose: () => $("file").click(),
  another: () => (ui.about.reads ? $("file").click() : goHome()),
  paste,
  play: startPlaying,
  blank: () => fresh(blank(7, 7), { tab: "Make" }),
  undo: () => move(-1),
  redo: () => move(1),
  keys: () => $("help").showModal(),
};

function wire() {
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-icon]")))
    node.prepend(icon(node.dataset.icon ?? ""));
  for (const { childNodes } of document.querySelectorAll("#help figcaption"))
    for (const part of childNodes) part.textContent = forPointer(part.textContent ?? "");
  for (const [id, act] of Object.entries(CLICKS)) $(id).addEventListener("click", act);
  $("file").addEventListener("change", () => {
    const found = [...$("file").files];
    $("file").value = "";
    take(found);
  });
  for (const kind of ["dragover", "dragleave", "drop"])
    addEventListener(kind, (event) => {
      event.preventDefault();
      document.body.classList.toggle("dropping", kind === "dragover");
    });
  addEventListener("drop", ({ dataTransfer }) => take([...(dataTransfer?.files ?? [])]));
  addEventListener("paste", (event) => take([...(event.clipboardData?.files ?? [])].slice(0, 1)));
  $("paste").hidden = !(navigator.clipboard && window.isSecureContext);
  addEventListener("keydown", pageKey);
  addEventListener("beforeprint", layOut);
  const forget = () => {
    ui.notice = ""; // without drawing: a button must not go while it is pressed
    showNotice();
  };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, forget, true);
}

function changed() {
  render();
  if (!ui.lost && !ui.locked) solveNow();
  keepNow();
}

async function openKept() {
  const { entry } = history.state ?? {};
  store.set({ kept: await keptDocs() });
  const kept = ui.kept.find((one) => one.entry === entry);
  if (kept) await reopen(kept);
}

// Open the board of a link, and pictures that were shared.
async function openGiven() {
  const text = linked;
  linked = null;
  if (text !== null)
    try {
      const board = await boardIn(text);
      fresh(board, { tab: "Play", made: { grade: null, of: board } });
    } catch {
      notice("The link holds no board: it is damaged or too long.");
    }
  const count = new URLSearchParams(location.search).get("shared");
  if (!count) return;
  history.replaceState(history.state, "", location.pathname);
  const files = (await shared()).filter(({ type }) => type.startsWith("image/"));
  if (files.length) take(files);
  else notice("Nothing that was shared is a picture.");
}

/** @type {string|null} the text of a board in the address */
let linked = null;

async function enter() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  linked = boardOfLink(location.hash);
  history.replaceState(linked === null ? history.state : null, "", location.pathname + location.search);
  if (code) await openSession(code);
}

// Continue after an address was opened here or in another tab.
async function enterAgain() {
  await enter();
  if (linked !== null) return openGiven();
  if (!document.body.dataset.ready) return location.reload();
  store.set({ locked: false });
  retry();
}

async function begin() {
  wire();
  await enter();
  const response = await about();
  if (!response.ok) return;
  store.set({ about: await response.json() });
  Object.assign(GAME, { colours: ui.about.colours, letters: ui.about.letters });
  for (const id of ["choose", "paste", "stays"]) $(id).hidden ||= !ui.about.reads;
  store.listeners.push(changed);
  if (linked === null) await openKept();
  store.changed();
  document.body.dataset.ready = "yes";
  endStart();
  openGiven();
}

store.listeners.push(showNotice);
setInterval(lookForServer, RETRY_MS);
addEventListener("hashchange", () => location.hash && enterAgain());
onSession(() => ui.locked && enterAgain());
addEventListener("beforeunload", (event) => {
  if (!ui.about.keeps && (store.now.read ?? store.now).board !== store.now.board) event.preventDefault();
});
begin();
