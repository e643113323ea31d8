// The beginning: who is let in, what is opened, and what happens when the server goes.

import { fresh } from "./actions.js";
import { about, listen, openSession, SESSION_KEY } from "./api.js";
import { GAME } from "./board.js";
import { wire } from "./controls.js";
import { retry } from "./reading.js";
import { render, showNotice } from "./screen.js";
import { solveNow } from "./solving.js";
import { notice, store, ui } from "./state.js";

const RETRY_MS = 2000;

function changed(/** @type {Doc} */ now) {
  render();
  if (!ui.lost && !ui.locked) solveNow();
  keepBoard(now);
}

// Say that the server has gone, or is another run of it, until it is back.
function onLost() {
  if (ui.lost) return;
  store.set({ lost: true });
  const again = async () => {
    const there = await about().catch(() => null);
    if (!there) return setTimeout(again, RETRY_MS);
    store.set({ lost: false });
    notice("");
    if (there.ok && store.now.failed?.lost) retry();
  };
  setTimeout(again, RETRY_MS);
}
const onLocked = () => {
  if (!ui.locked) store.set({ locked: true });
};

// A puzzle without a picture outlives a reload of this tab, with the pipes on it.
const BOARD_KEY = "flowvision-board";

function keepBoard(/** @type {Doc} */ { board, played, picture, made }) {
  if (picture || !board) return sessionStorage.removeItem(BOARD_KEY);
  const listed = (/** @type {string} */ _, /** @type {any} */ value) => (value instanceof Set || value instanceof Map ? [...value] : value);
  sessionStorage.setItem(BOARD_KEY, JSON.stringify({ board, played, isHidden: !!made, tab: ui.tab }, listed));
}

function openKept() {
  const { board: kept, played, isHidden, tab } = JSON.parse(sessionStorage.getItem(BOARD_KEY) ?? "{}");
  if (!kept) return;
  const [holes, walls, bridges, warps] = [kept.holes, kept.walls, kept.bridges, kept.warps].map((keys) => new Set(keys));
  const board = { ...kept, dots: new Map(kept.dots), holes, walls, bridges, warps };
  fresh(board, { tab, played, made: isHidden ? { grade: null, of: board } : null });
}

// Use up the code of the address, which lets this browser in.
async function enter() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  history.replaceState(null, "", "/");
  if (code) await openSession(code);
}

// Go on after an address was opened in this page, or in another tab.
async function enterAgain() {
  await enter();
  if (!document.body.dataset.ready) return location.reload();
  store.set({ locked: false });
  retry();
}

async function begin() {
  listen({ lost: onLost, locked: onLocked });
  wire();
  await enter();
  const response = await about();
  if (!response.ok) return;
  store.set({ about: await response.json() });
  Object.assign(GAME, { colours: ui.about.colours, letters: ui.about.letters });
  store.listeners.push(changed);
  openKept();
  store.changed();
  document.body.dataset.ready = "yes";
}

store.listeners.push(showNotice);
addEventListener("hashchange", () => location.hash && enterAgain());
addEventListener("storage", ({ key }) => key === SESSION_KEY && ui.locked && enterAgain());
addEventListener("beforeunload", (event) => store.now.picture && store.now.read?.board !== store.now.board && event.preventDefault());
begin();
