// Reading pictures. An answer belongs to the state that asked for it, and is dropped without it.

import { about, Refused, read, stopAsking } from "./api.js";
import { blank, fromAnswer, geometry, keyOf } from "./board.js";
import { openable } from "./picture.js";
import { settle } from "./solving.js";
import { begin, begun, NONE, NOTHING, notice, openFor, store, ui, viewOf } from "./state.js";
import { mapper } from "./view.js";

const GUESS = 7;
/** @type {{id: number, stopper: AbortController, done: Promise<void>}|null} */
let running = null;
export const isRunning = (/** @type {number} */ id) => running?.id === id;

/** Numbers of the states whose pictures wait. @type {number[]} */
let queue = [];
let isWorking = false;

// Read one picture and show it, or show an overview of several; the newest are read first.
export async function take(/** @type {Blob[]} */ found) {
  await begun;
  if (!ui.about.reads) return notice("This copy of the page reads no pictures.");
  const files = found.map((blob) => (blob instanceof File ? blob : new File([blob], "pasted.png", { type: blob.type })));
  if (files.length === 1) {
    const [blob] = files;
    const open = { notice: "", crop: null, seen: NONE, isHidden: false, isOverview: false, brush: "seen", tool: "dot" };
    queue.unshift(store.push({ ...NOTHING, picture: { blob, name: blob.name }, pending: true }, open));
  } else {
    queue.unshift(...store.line(files));
    store.set({ isOverview: true, notice: "" });
  }
  return work();
}

async function work() {
  if (isWorking) return;
  isWorking = true;
  while (queue.length) {
    while (running) await running.done;
    await run(queue.shift() ?? 0, null);
  }
  isWorking = false;
}

// Open a kept state in its tab; a picture that was not read yet is read now.
export async function reopen(/** @type {Kept} */ { tab, ...doc }) {
  const { picture, pending } = doc;
  const shown = picture ? await openable(picture.blob).catch(() => null) : null;
  const open = { ...openFor(doc), tab, notice: "" };
  const id = store.push({ ...doc, shown, pending, failed: null }, open);
  if (pending) run(id, null);
}

/** @param {{crop?: number[]|null, grid?: number[]|null, colours?: number|null}} wishes rows and columns */
export function readAgain({ crop = store.now.crop, grid = null, colours = null }) {
  return run(store.push({ crop, pending: true, trust: "", framed: false, played: [] }, { crop: null, seen: NONE }), grid, colours);
}

// Read again after the server was lost or too slow: what is shown, and what else waits for the server.
export function retry() {
  for (const { id, failed } of new Set([store.now, ...store.pictures.values()])) {
    if (!failed || (id !== store.now.id && !failed.lost)) continue;
    store.amend(id, { pending: true, failed: null });
    queue.push(id);
  }
  work();
}

export async function lookForServer() {
  const there = ui.lost && (await about().catch(() => null));
  if (!there) return;
  store.set({ lost: false, notice: "" });
  if (there.ok && store.now.failed?.lost) retry();
}

// Stop reading. A picture of several that is interrupted by another waits again.
function stopReading() {
  if (!running) return;
  const { id, stopper } = running;
  running = null;
  stopper.abort();
  if (store.isListed(id)) end(id);
  else queue.push(id);
}
// Stop reading what is shown, or all that waits.
export function stopShown() {
  const { id } = store.now;
  queue = queue.filter((one) => one !== id);
  if (isRunning(id)) stopReading();
  else end(id);
}
export function stopAll() {
  stopReading();
  for (const id of queue.splice(0)) end(id);
}

/** Statuses of faults in the picture itself; others may be temporary. */
const REFUSED = [400, 413, 415, 422];

// End a reading without an answer; a state with nothing to show is removed.
/** @param {number} id @param {Doc["failed"]} failed */
function end(id, failed = null) {
  if (store.get(id)?.reading || failed) store.amend(id, { pending: false, failed });
  else store.drop(id);
}

/** @param {number} id @param {number[]|null} grid @param {number|null} colours */
async function run(id, grid, colours = null) {
  const doc = store.get(id);
  if (!doc?.picture) return;
  if (running?.id !== id) stopReading();
  stopAsking();
  let free = () => {};
  const mine = { id, stopper: new AbortController(), done: /** @type {Promise<void>} */ (new Promise((resolve) => (free = resolve))) };
  running = mine;
  const done = begin({});
  const { signal } = mine.stopper;
  const { picture, crop } = doc;
  const query = { crop: crop?.join(), grid: grid && `${grid[1]}x${grid[0]}`, colours, name: picture.name };
  const looked = show(doc, picture, signal);
  try {
    const limit = ui.about.picture_bytes;
    const isLarge = picture.blob.size > limit;
    if (isLarge) throw new Refused(413, { message: `${Math.ceil(picture.blob.size / 2 ** 20)} MB; the limit is ${limit >> 20} MB.` });
    const answer = await read(picture.blob, query, signal);
    const shown = await looked;
    const { says, more } = answer.advice ?? {};
    if (!answer.board && !answer.seen?.picture?.length) throw new Refused(422, { message: says ?? answer.error?.message, hint: more });
    const now = store.get(id);
    if (now) settleReading(now, { ...answer, query }, shown ?? now.shown, grid);
  } catch (error) {
    if (signal.aborted) return;
    const { code, status, message } = error instanceof Refused ? error : new Refused(500, {});
    if (REFUSED.includes(status) && store.isListed(id)) {
      end(id);
      notice(`${picture.name}: ${message}`);
    } else end(id, { lost: code === "lost" || status === 401, message });
  } finally {
    if (running === mine) running = null;
    done();
    free();
  }
}

async function show(/** @type {Doc} */ { id, shown }, /** @type {{blob: Blob}} */ picture, /** @type {AbortSignal} */ signal) {
  if (shown) return shown;
  const made = await openable(picture.blob, signal).catch(() => null);
  if (made) store.amend(id, { shown: made });
  return made;
}

/** @param {Doc} doc @param {any} answer @param {HTMLImageElement|null} shown @param {number[]|null} grid rows and columns */
function settleReading(doc, answer, shown, grid) {
  const read = boardOf(doc, answer, grid);
  /** @type {Pipes} what is drawn on the board of the picture */
  const played = answer.ok
    ? answer.flows.map((/** @type {ReadFlow} */ { drawn = [] }) => (drawn.length > 1 ? drawn.map(keyOf) : null))
    : [];
  if (answer.ok && read) {
    const { unique, rules, flows } = answer;
    settle(read.board, {
      status: "solved",
      unique,
      rules,
      paths: flows.map((/** @type {ReadFlow} */ flow) => flow.path),
      again: !unique || answer.doubtful,
    });
  }
  const open = {
    view: viewOf(answer),
    ...((!answer.ok || !doc.board || !answer.doubtful) && {
      tool: "dot",
      tab: answer.ok && (!answer.doubtful || answer.unique === false) ? "Answer" : "Correct",
      isHidden: false,
    }),
    ...(isLaid(answer) && { crop: read && (doc.crop ?? boxSeen(answer.seen)), view: "picture" }),
  };
  const [board, frame] = [read?.board ?? null, read?.frame ?? null];
  const framed = !!board && board === doc.board;
  const part = { shown, board, frame, framed, reading: answer, read, pending: false, trust: /** @type {const} */ (""), played };
  store.amend(doc.id, part, store.now.id === doc.id ? open : {});
}

// Tell if no board was detected, so that its lattice is laid by hand.
export const isLaid = (/** @type {any} */ reading) => !!reading && !reading.ok && !reading.seen?.board;

// Lay an empty board over a picture in which none was detected, on the lines or circles that were.
export function lay() {
  const { seen } = store.now.reading;
  const box = boxSeen(seen);
  const [rows, cols] = seen.size ?? [GUESS, GUESS];
  const read = { board: blank(rows, cols), frame: frameIn(box, rows, cols) };
  store.push({ ...read, read }, { crop: box, tab: "Correct", view: "picture" });
}

// Return the board as read or detected, else the one before or an empty one, of the given size or crop.
function boardOf(/** @type {Doc} */ doc, /** @type {any} */ answer, /** @type {number[]|null} */ grid) {
  // Cells that a cover or pipes have merged are no board.
  if (answer.seen?.board?.free && ["covered", "no-board"].includes(answer.error.cause?.code)) answer.seen.board = null;
  const seen = answer.board && answer.flows ? answer.board : answer.seen?.board;
  const isFitting = (/** @type {Board} */ { rows, cols, tiling }) => !grid || tiling !== "square" || (rows === grid[0] && cols === grid[1]);
  const made = seen && isFitting(seen) && { board: fromAnswer(seen, answer.flows ?? seen.flows), frame: seen.frame };
  const { board, frame } = doc;
  const isPoorer = !answer.ok && grid && board && frame && isFitting(board) && board.dots.size > (made?.board.dots.size ?? 0);
  if (isPoorer) return { board, frame };
  if (made) return made;
  if (!grid && !doc.crop) return null;
  const [rows, cols] = grid ?? [GUESS, GUESS];
  return { board: blank(rows, cols), frame: frameIn(doc.crop ?? boxSeen(answer.seen), rows, cols) };
}

/** @param {number[]} box @param {number} rows @param {number} cols @returns {number[]} */
export const frameIn = ([x, y, w, h], rows, cols) => [w / cols, 0, x, 0, h / rows, y, 0, 0, 1];

/** A smaller part is no board to begin with: its handles would lie on one another. */
const LEAST_SHARE = 0.25;

// Return the part that looks most like a board, else a square in the middle.
function boxSeen(
  /** @type {{picture: number[], corners_px?: number[][], size?: number[]}} */ { picture: [width, height], corners_px, size },
) {
  const middle = [0, Math.max(0, Math.round((height - width) / 2)), width, Math.min(width, height)];
  const box = corners_px ? boxRound(corners_px) : middle;
  return !size && Math.min(box[2], box[3]) < LEAST_SHARE * Math.min(width, height) ? middle : box;
}

function boxRound(/** @type {number[][]} */ points) {
  const [xs, ys] = [0, 1].map((n) => points.map((p) => p[n]));
  const [x, y] = [Math.floor(Math.min(...xs)), Math.floor(Math.min(...ys))];
  return [x, y, Math.ceil(Math.max(...xs)) - x, Math.ceil(Math.max(...ys)) - y];
}

export const boxOf = (/** @type {Board} */ board, /** @type {Frame} */ frame) =>
  boxRound(geometry(board).cells.flatMap(({ outline }) => outline.map(mapper(frame))));
