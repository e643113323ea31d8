// The beginning: who may come in, what is opened, and what happens when the server goes.

import { fresh } from "./actions.js";
import { about, listen, openSession, SESSION_KEY } from "./api.js";
import { COLOURS, flowLike } from "./board.js";
import { openText, wire } from "./controls.js";
import { retry } from "./reading.js";
import { render, showNotice } from "./screen.js";
import { solveNow } from "./solving.js";
import { notice, remember, store, ui } from "./state.js";

const AGAIN_MS = 2000;

/** @type {Picture|null} */
let seen = null;
function changed(/** @type {Doc} */ now) {
  const { board, picture } = now;
  // A chosen colour stays chosen as long as its picture is open and it is on the board.
  if (board && !now.pending) {
    const brush = board.flows[picture === seen && ui.brush !== "seen" ? flowLike(board, ui.brush) : -1];
    ui.brush = (brush ?? (picture ? null : board.flows[0]))?.rgb ?? "seen";
    seen = picture;
  }
  remember(now);
  render();
  if (!ui.lost && !ui.locked) solveNow();
  keepBoard(now);
}

// The server has gone, or is another run of it: said until it is back.
function whenLost() {
  if (ui.lost) return;
  store.set({ lost: true });
  const again = async () => {
    const there = await about().catch(() => null);
    if (!there) return setTimeout(again, AGAIN_MS);
    store.set({ lost: false });
    if (!there.ok) return;
    notice("");
    if (store.now.failed?.lost) retry();
  };
  setTimeout(again, AGAIN_MS);
}
const whenLocked = () => {
  if (!ui.locked) store.set({ locked: true });
};

// The board, the pipes played on it and what the reader said of it, not the picture, outlive a reload of this tab.
const BOARD_KEY = "flowvision-board";

function keepBoard(/** @type {Doc} */ { board, played, picture, made, entry, reading, trust }) {
  if (!board && !picture) sessionStorage.removeItem(BOARD_KEY);
  if (!board) return;
  // Where its cells lie in the picture is of no use without that.
  const listed = (/** @type {string} */ name, /** @type {any} */ value) =>
    value instanceof Set || value instanceof Map ? [...value] : name.endsWith("_px") ? undefined : value;
  const more = { played, isPlayed: ui.tab === "Play", made: entry === board ? made : null, faith: { reading, trust } };
  try {
    sessionStorage.setItem(BOARD_KEY, JSON.stringify({ ...board, ...more }, listed));
  } catch {
    // No room: then it is not kept.
  }
}

// Where it was played, the solution stays hidden.
function openKept() {
  const kept = JSON.parse(sessionStorage.getItem(BOARD_KEY) ?? "null");
  if (!kept) return;
  const { played, isPlayed, made, faith, ...listed } = kept;
  const [holes, walls, bridges, warps] = [kept.holes, kept.walls, kept.bridges, kept.warps].map((keys) => new Set(keys));
  const board = { ...listed, dots: new Map(kept.dots), holes, walls, bridges, warps };
  const tab = faith.reading?.ok === false ? "Correct" : "Make";
  fresh(board, { ...(isPlayed ? { mode: "part", tab: "Play" } : { tab }), played, made, faith });
}

// What the address says is used up at once: a code lets this browser in. The puzzle of a link, if it is one.
async function enter() {
  const given = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, "", "/");
  const code = given.get("code") ?? given.get("token");
  if (code) await openSession(code);
  return given.get("puzzle");
}

// An address that was opened in a page that is open, or in another tab: what waits for it goes on.
async function enterAgain() {
  const linked = location.hash ? await enter() : null;
  if (!document.body.dataset.ready) return location.reload();
  store.set({ locked: false });
  if (linked) await openLink(linked);
  else if (store.now.failed) retry();
}

async function begin() {
  listen(whenLost, whenLocked);
  wire();
  const linked = await enter();
  const response = await about();
  if (!response.ok) return;
  ui.about = await response.json();
  COLOURS.push(...ui.about.colours);
  store.listeners.push(changed);
  if (linked) await openLink(linked);
  else openKept();
  store.changed();
  document.body.dataset.ready = "yes";
}

const openLink = (/** @type {string} */ text) => openText(text, "This link is damaged: ", { mode: "part", tab: "Play" });

store.listeners.push(showNotice);
addEventListener("hashchange", () => location.hash && enterAgain());
addEventListener("storage", ({ key }) => key === SESSION_KEY && ui.locked && enterAgain());
addEventListener("beforeunload", (event) => ui.edited && store.now.picture && event.preventDefault());
begin();
