// Pictures are read. An answer comes to the state that its reading began from; where that has gone, it is dropped.

import { faultWords } from "./advice.js";
import { Refused, readPicture } from "./api.js";
import { blank, fromAnswer, isSame, keyOf } from "./board.js";
import { keepOnly, openable } from "./picture.js";
import { settle } from "./solving.js";
import { MOST_ENTRIES, NOTHING, notice, remember, store, ui, viewOf } from "./state.js";

/** @typedef {import("./api.js").Stage} Stage */

const GUESS = 7;
const USUAL_MS = 10_000;
/** @type {{id: number, stopper: AbortController}|null} */
let running = null;

// Pictures are read one after another, the newest first: what it ends is read again after it.
/** @type {Blob[]} */
let waiting = [];
/** @type {Blob|null} */
let beingRead = null;
let turn = 0;
export async function take(/** @type {Blob[]} */ found) {
  const mine = ++turn;
  if (beingRead) stop();
  waiting = [...found, ...(beingRead ? [beingRead] : []), ...waiting];
  const all = waiting.length;
  let solved = 0;
  let said = "";
  while (turn === mine && waiting.length) {
    const [blob] = waiting.splice(0, 1);
    beingRead = blob;
    if (await readNew(blob, all > 1 ? `picture ${all - waiting.length} of ${all}` : "")) solved++;
    said += ui.notice && `${ui.notice} `;
    if (turn === mine) beingRead = null;
  }
  if (turn === mine && all > 1)
    notice(`${said}${solved} of ${all} pictures are solved.${all > MOST_ENTRIES ? ` The last ${MOST_ENTRIES} are kept.` : ""}`);
}

// A new picture: nothing of the last one is kept in its state.
/** @param {Blob} blob @param {string} which */
async function readNew(blob, which) {
  const limit = ui.about.picture_bytes ?? 32 << 20;
  const name = blob instanceof File ? blob.name : "pasted.png";
  if (blob.size > limit) return notice(`${name} has ${Math.ceil(blob.size / 2 ** 20)} MB; at most ${limit >> 20} are read.`);
  Object.assign(ui, { notice: "", crop: null, brush: "seen", tool: "dot", whole: false, over: null });
  ui.shown = { mode: "all", steps: [], lit: [] };
  const picture = { blob, name };
  return run(store.push({ ...NOTHING, picture, entry: picture, pending: true, turn: which }), {});
}

// Read the picture of the present state once more; undo leads back to what is seen now.
/** @param {Wishes & {crop?: number[]|null, rotate?: number}} wishes */
export function readAgain({ crop = store.now.crop, grid = null, rotate = store.now.rotate, colours = null }) {
  const { shown } = store.now;
  Object.assign(ui, { crop: null, over: null });
  /** @type {Partial<Doc>} */
  const part = { crop, rotate, shown: rotate === store.now.rotate ? shown : null, pending: true, tried: {}, trust: "", played: [] };
  return run(store.push(part), { grid, colours });
}

// Read for a state that could not be: the server was away, or took too long.
export const retry = () => {
  const { id, failed } = store.now;
  if (!failed) return;
  store.amend(id, { pending: true, failed: null });
  run(id, {});
};

// What is being read is given up. A picture that another one takes the place of can be gone back to, and read then.
/** @param {Picture|null} [next] */
function stop(next = null) {
  if (!running) return;
  const { id, stopper } = running;
  running = null;
  stopper.abort();
  const doc = store.get(id);
  const isLeft = !!doc?.shown && !!next && doc.picture !== next;
  end(id, isLeft ? { lost: false, message: "Another one came first." } : null);
}
export const stopReading = () => stop();

// What the picture itself is to blame for; all else may be otherwise the next time.
const REFUSED = [400, 413, 415, 422];

// Without an answer: back to what was there, or out of the list where nothing was.
/** @param {number} id @param {Doc["failed"]} failed */
function end(id, failed = null) {
  const doc = store.get(id);
  if (!doc) return;
  if (doc.board || failed) store.amend(id, { pending: false, failed });
  else store.drop(id);
  keep(id);
}

// What comes to its end while another one is looked at stands in the strip as well.
function keep(/** @type {number} */ id) {
  const doc = store.get(id);
  if (!doc || ui.visited.some(({ entry }) => entry === doc.entry)) return;
  remember(doc, { tab: "Answer", mode: "all" });
  store.changed();
}

/** @param {number} id @param {Wishes} wishes */
async function run(id, { grid = null, colours = null }) {
  const doc = store.get(id);
  if (!doc?.picture) return;
  if (running?.id !== id) stop(doc.picture);
  const mine = { id, stopper: new AbortController() };
  running = mine;
  const { signal } = mine.stopper;
  const { picture, crop, rotate } = doc;
  const query = { crop: crop?.join(), grid: grid && `${grid[1]}x${grid[0]}`, rotate: rotate || "", colours, name: picture.name };
  const looked = show(doc, picture, signal);
  const waited = setTimeout(() => store.amend(id, { slow: true }), USUAL_MS);
  /** @type {Stage[]} */
  const stages = [];
  let answer;
  let shown;
  try {
    answer = await readPicture(
      picture.blob,
      query,
      (stage) => {
        stages.push(stage);
        store.amend(id, { stage: stage.stage, ...(stage.outline_px ? { tried: stage } : {}) });
      },
      signal,
    );
    shown = await looked;
    if (!answer.board && !answer.seen?.picture?.length) throw new Refused(422, answer.error ?? {});
  } catch (error) {
    if (signal.aborted) return;
    const { code, status, message } = error instanceof Refused ? error : new Refused(500, {});
    if (REFUSED.includes(status)) {
      end(id);
      notice(`${picture.name}: ${faultWords(error)}`);
    } else end(id, { lost: code === "lost", message: status === 401 ? faultWords(error) : message });
    return;
  } finally {
    clearTimeout(waited);
    store.amend(id, { slow: false });
    if (running === mine) running = null;
  }
  const now = store.get(id);
  if (now) settleReading(now, { ...answer, query }, { shown: shown ?? now.shown, stages, grid });
  return answer.ok && !answer.doubtful;
}

// The picture itself, as soon as the browser has it.
/** @param {Doc} doc @param {Picture} picture @param {AbortSignal} signal */
async function show({ id, rotate, shown }, picture, signal) {
  if (shown) return shown;
  const made = await openable(picture.blob, rotate, signal).catch(() => null);
  if (made) store.amend(id, { shown: made });
  keepOnly([...store.list, ...ui.visited].map((doc) => doc.shown));
  return made;
}

/** @param {Doc} doc @param {any} answer @param {{shown: Shown|null, stages: Stage[], grid: number[]|null}} beside */
function settleReading(doc, answer, { shown, stages, grid }) {
  const { board, frame } = boardOf(doc, answer, grid);
  /** @type {Pipes} what is drawn on the board of the picture */
  let played = [];
  if (answer.ok) {
    played = answer.flows.map((/** @type {any} */ { drawn = [] }) => (drawn.length > 1 ? drawn.map(keyOf) : null));
    const paths = answer.flows.map((/** @type {any} */ flow) => flow.path);
    // Of several solutions more is asked for when the board is looked at: how many, and what may be misread.
    settle(board, { status: "solved", unique: answer.unique, rules: answer.rules, paths, again: !answer.unique });
  }
  const isNew = store.now.id === doc.id;
  if (isNew && (!answer.ok || !doc.board)) openFor(answer.ok && !answer.doubtful);
  if (isNew) ui.view = viewOf(answer);
  if (isNew && !answer.ok && !answer.seen?.board) Object.assign(ui, { crop: doc.crop ?? boxSeen(answer.seen), view: "picture" });
  store.amend(doc.id, { board, frame, shown, stages, reading: answer, read: { board, frame }, pending: false, trust: "", played });
  if (!isNew) keep(doc.id);
}

// What a picture opens with: what can be done with a sure answer, or what puts it right.
function openFor(/** @type {boolean} */ isGood) {
  ui.tab = isGood ? "Answer" : "Correct";
  ui.shown = { mode: "all", steps: [], lit: [] };
}

// The board to open with: the one that was read, else what the server saw of it, else an empty one to lay over it.
/** @param {Pick<Doc, "crop">} doc @param {any} answer @param {number[]|null} grid @returns {{board: Board, frame: number[]}} */
function boardOf(doc, answer, grid) {
  const seen = answer.board && answer.flows ? answer.board : answer.seen?.board;
  const isAsked = !grid || !seen || seen.tiling !== "square" || (seen.rows === grid[0] && seen.cols === grid[1]);
  if (seen && isAsked) return { board: fromAnswer(seen, answer.flows ?? seen.flows), frame: seen.frame };
  const [rows, cols] = grid ?? [GUESS, GUESS];
  return { board: blank(rows, cols), frame: frameIn(doc.crop ?? boxSeen(answer.seen), rows, cols) };
}

// What is known of a board that comes back without its picture, and was read from one.
/** @param {Board} board @param {Faith} [faith] @returns {Partial<Doc>} */
export function faithIn(board, { reading, trust } = {}) {
  if (!(reading?.ok || (reading?.error?.message && reading.seen?.picture))) return {};
  const read = boardOf(NOTHING, reading, null);
  return { reading, trust, read: isSame(read.board, board) ? { ...read, board } : read };
}

/** @param {number[]} box @param {number} rows @param {number} cols @returns {number[]} */
export const frameIn = ([x, y, w, h], rows, cols) => [w / cols, 0, x, 0, h / rows, y, 0, 0, 1];

function boxSeen(/** @type {{picture: number[], corners_px?: number[][]}} */ seen) {
  const [width, height] = seen.picture;
  if (seen.corners_px) return boxRound(seen.corners_px);
  return [0, Math.max(0, Math.round((height - width) / 2)), width, Math.min(width, height)];
}

// How many pixels the picture has for the reader: a browser may show a smaller one.
/** @param {Shown} shown @param {any} reading @returns {number[]} */
export const sizeOf = ({ width, height }, reading) => (reading?.seen?.picture?.length ? reading.seen.picture : [width, height]);

// The least box (x, y, width, height) round points.
export function boxRound(/** @type {number[][]} */ points) {
  const [xs, ys] = [0, 1].map((n) => points.map((p) => p[n]));
  const [x, y] = [Math.floor(Math.min(...xs)), Math.floor(Math.min(...ys))];
  return [x, y, Math.ceil(Math.max(...xs)) - x, Math.ceil(Math.max(...ys)) - y];
}
