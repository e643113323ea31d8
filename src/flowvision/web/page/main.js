// The page: its state, and what happens when something is done to it.

import * as api from "./api.js";
import { blank, cellAt, COLOURS, countsOf, fromAnswer, fromPuzzle, geometry, keyOf, puzzleOf } from "./board.js";
import { correctPanel, spareColour, TOOLS } from "./correct.js";
import { $, announce, button, el, notice } from "./dom.js";
import * as edits from "./edits.js";
import { learnPanel } from "./learn.js";
import { makePanel } from "./make.js";
import { CropBox, colourAt, listenForPictures, openable } from "./picture.js";
import { attach } from "./pointer.js";
import { savePanel } from "./save.js";
import { stagesPanel } from "./stages.js";
import { Store } from "./store.js";
import { BoardView, inverse } from "./view.js";
import { KEYS, oddWords, verdict } from "./words.js";

const DOUBT = 0.3;
const SURE = 0.9;
const answers = new WeakMap();
let working = null;
let reading = null;

const app = {
  tool: "dot", brush: "seen", shown: { mode: "all", steps: [], lit: [] }, over: null, formats: [],
  get now() { return store.now; },
  get board() { return store.now.board; },
  get answer() { return answers.get(store.now.board); },

  chooseTool(name) { this.tool = name; render(); },
  chooseBrush(n) { this.brush = n; this.tool = "dot"; render(); },
  nextColour() { this.addColour(spareColour(this.board.flows)); },
  addColour(rgb) {
    this.brush = this.board.flows.length;
    this.tool = "dot";
    store.amend({ board: edits.addFlow(this.board, rgb) });
  },

  edit(board) { store.push({ board }); },
  fresh(board, mode = "all") {
    this.brush = 0;
    if (!board.flows.length) board = edits.addFlow(board, spareColour([]));
    this.shown = { mode, steps: [], lit: [] };
    open("Correct", store.push({ board, frame: null, picture: null, recognised: null, reading: null, crop: null, rotate: 0 }));
  },
  reset() { store.push({ board: this.now.recognised.board, frame: this.now.recognised.frame }); },
  resize(rows, cols) {
    const { board, picture, frame } = this.now;
    if (!picture || board.tiling !== "square") return store.push({ board: edits.resized(board, rows, cols, false) });
    const [down, right] = [board.rows / rows, board.cols / cols];
    const spread = frame.map((v, n) => (n % 3 === 0 ? v * right : n % 3 === 1 ? v * down : v));
    store.push({ board: edits.resized(board, rows, cols, true), frame: spread });
    read({ grid: [rows, cols], crop: this.now.crop ?? boxOf(this.now) });
  },
  readAgain() { read({ grid: this.board.free ? null : [this.board.rows, this.board.cols], crop: this.now.crop }); },

  reveal(mode, steps = [], lit = []) {
    this.shown = { mode, steps, lit };
    this.over = null;
    render();
  },
  overrule(lines) {
    this.over = lines;
    paint();
  },
  solutionLines() {
    const { answer } = this;
    if (answer?.status !== "solved") return [];
    const { used } = puzzleOf(this.board);
    return answer.paths.map((path, n) => ({ flow: used[n], path }));
  },
};

const store = new Store(changed);
const view = new BoardView($("board"));
const overlay = new BoardView($("overlay"), { bare: true });
const cropper = new CropBox($("overlay"));
const panels = [correctPanel(app), learnPanel(app), makePanel(app), savePanel(app), stagesPanel(app)];
let current = "Correct";

// Work -----------------------------------------------------------------------------------------------

function changed(now) {
  app.over = null;
  if (app.shown.mode === "part" && app.shown.of !== now.board) app.shown = { mode: "part", steps: [], lit: [], of: now.board };
  if (typeof app.brush === "number" && now.board && app.brush >= now.board.flows.length) app.brush = now.picture ? "seen" : 0;
  if (app.brush === "seen" && !now.picture) app.brush = 0;
  render();
  if (now.board && !answers.has(now.board)) solve(now.board);
}

// Solve a board; the newest is the one that counts.
async function solve(board) {
  working?.abort();
  const { record, odd, used } = puzzleOf(board);
  if (odd.length || !used.length) {
    const words = odd.length ? oddWords(board, odd) : "Put two dots of each colour on the board.";
    return settle(board, { status: "incomplete", words });
  }
  working = new AbortController();
  const { signal } = working;
  const ask = (more) => api.object("puzzle", { body: JSON.stringify({ puzzle: record, ...more }), signal });
  try {
    const answer = await ask({});
    settle(board, answer);
    const strict = answer.status === "solved" && answer.unique && answer.rules === "strict";
    if (answer.status === "solved" && answer.unique === false) settle(board, { ...answer, ...pick(await ask({ count: 100, limit: 2 }), ["count", "count_complete"]) });
    if (!strict && ["solved", "unsolvable"].includes(answer.status) && !board.free && app.now.picture)
      settle(board, { ...answers.get(board), ...pick(await ask({ repair: true, limit: 3 }), ["repairs"]) });
  } catch (error) {
    if (error.name === "AbortError" || error.error?.code === "superseded") return;
    settle(board, error.error ? { status: "failed", message: error.message, hint: error.error.hint } : { status: "failed", message: "No answer from the server." }, !error.error);
  }
}

const pick = (made, names) => Object.fromEntries(names.filter((name) => name in made).map((name) => [name, made[name]]));

function settle(board, answer, again = false) {
  answers.set(board, answer);
  if (board === app.board) {
    render();
    announce(verdict(answer, trusted())[1]);
  }
  if (again) answers.delete(board);
}

// What the reader said of itself, as long as nobody has changed what it read.
const trusted = () => (app.now.recognised?.board === app.board && app.now.reading?.ok ? app.now.reading : null);

async function take(blob) {
  const limit = app.about?.picture_bytes ?? 32 << 20;
  if (blob.size > limit) return notice(`The picture has ${Math.ceil(blob.size / 2 ** 20)} MB; at most ${limit >> 20} are read.`);
  notice("");
  cropping(false);
  app.brush = "seen";
  app.tool = "dot";
  app.shown = { mode: "all", steps: [], lit: [] };
  store.push({ picture: { blob, name: blob.name ?? "pasted.png", shown: null }, board: null, frame: null, recognised: null, reading: null, crop: null, rotate: 0 });
  await read({});
}

// Read the picture, or a part of it; what was refused is shown with all that was seen.
async function read({ crop = null, grid = null, rotate = app.now.rotate }) {
  const { picture } = app.now;
  reading?.abort();
  reading = new AbortController();
  const { signal } = reading;
  const query = { crop: crop?.join(), grid: grid && `${grid[1]}x${grid[0]}`, rotate: rotate || "", name: picture.name };
  const stages = [];
  busy(true);
  const shown = picture.shown && rotate === app.now.rotate ? picture.shown : openable(picture.blob, rotate).catch(() => null);
  Promise.resolve(shown).then((made) => {
    if (!signal.aborted && made && app.now.picture?.blob === picture.blob && app.now.picture.shown !== made) store.amend({ picture: { ...picture, shown: made }, rotate });
  });
  try {
    const answer = await api.readPicture(picture.blob, query, (stage) => {
      stages.push(stage);
      $("more").textContent = `${stage.stage} …`;
    }, signal);
    if (app.now.picture?.blob !== picture.blob) return;
    busy(false);
    const made = { ...answer, stages, query };
    const state = { picture: { ...picture, shown: await shown }, reading: made, crop, rotate };
    if (answer.board) fill(state, answer);
    else if (answer.seen) refused(state, answer, grid);
    else {
      notice(answer.error?.message ?? "No answer.");
      store.amend(state);
    }
  } catch (error) {
    if (error.name === "AbortError" || error.error?.code === "superseded") return;
    busy(false);
    if (!error.error) return;
    notice(`${error.message} ${error.error.hint ?? ""}`);
  }
}

function fill(state, answer) {
  const board = fromAnswer(answer.board, answer.flows);
  if (answer.ok && answer.unique) {
    answers.set(board, { status: "solved", unique: true, rules: answer.rules, paths: answer.flows.map((flow) => flow.path), seconds: answer.seconds.solve });
  }
  const { frame } = answer.board;
  if (app.board) store.push({ ...state, board, frame, recognised: { board, frame } });
  else store.amend({ ...state, board, frame, recognised: { board, frame } });
  if (answers.has(board)) announce(verdict(answers.get(board), trusted())[1]);
}

// No board was believed: the editor opens with the lattice and the dots that were seen, if any.
function refused(state, answer, grid) {
  const { seen } = answer;
  const [width, height] = seen.picture.length ? seen.picture : [1, 1];
  if (seen.picture.length === 0) {
    notice(`${answer.error.message} ${answer.error.hint ?? ""}`);
    return store.now.board ? null : store.go(-1);
  }
  const box = state.crop ?? (seen.corners_px ? boxRound(seen.corners_px) : [0, Math.max(0, Math.round((height - width) / 2)), width, Math.min(width, height)]);
  const wanted = seen.grid && (!grid || (grid[0] === seen.grid.rows && grid[1] === seen.grid.cols)) ? seen.grid : null;
  const [rows, cols] = wanted ? [wanted.rows, wanted.cols] : (grid ?? [app.board?.rows || 7, app.board?.cols || 7]);
  const frame = wanted?.frame ?? frameIn(box, rows, cols);
  let board = app.board && app.board.rows === rows && app.board.cols === cols && app.board.dots.size ? app.board : blank(rows, cols);
  if (!board.dots.size && seen.dots?.length) {
    const back = inverse(frame);
    board = edits.withSeenDots(board, seen.dots, (px) => cellAt(board, back(px))?.key ?? null);
  }
  app.refusal = answer.error;
  store.amend({ ...state, board, frame, crop: box, recognised: { board, frame } });
  cropping(!wanted || !!grid);
}

const boxRound = (points) => {
  const [xs, ys] = [0, 1].map((n) => points.map((p) => p[n]));
  const [x, y] = [Math.max(0, Math.floor(Math.min(...xs))), Math.max(0, Math.floor(Math.min(...ys)))];
  return [x, y, Math.ceil(Math.max(...xs)) - x, Math.ceil(Math.max(...ys)) - y];
};

function boxOf({ board, frame, picture }) {
  const at = geometry(board).cells.flatMap((cell) => cell.outline);
  const overlayAt = overlay.at && overlay.frame === frame ? overlay.at : null;
  const [x, y, w, h] = boxRound(at.map(overlayAt ?? (([u, v]) => [frame[0] * u + frame[1] * v + frame[2], frame[3] * u + frame[4] * v + frame[5]])));
  return [x, y, Math.min(w, picture.shown.width - x), Math.min(h, picture.shown.height - y)];
}

function busy(on) {
  document.body.classList.toggle("busy", on);
  if (on) {
    $("verdict").className = "";
    $("words").textContent = "Reading the picture …";
    $("more").textContent = "";
    $("repairs").replaceChildren();
  }
}

// What is seen -----------------------------------------------------------------------------------------

function drawn() {
  const { answer, shown, over } = app;
  const trust = trusted();
  const doubts = [];
  if (trust || (app.now.recognised?.board === app.board && app.now.reading)) {
    const flows = app.now.reading.flows ?? [];
    const all = flows.flatMap((flow) => (flow.doubts ?? []).map((doubt, n) => [doubt, keyOf(flow.ends[n])]));
    const worst = all.reduce((a, b) => (b[0] > a[0] ? b : a), [0, null]);
    doubts.push(...all.filter(([doubt]) => doubt >= DOUBT).map(([, key]) => key));
    if (!doubts.length && worst[1] && (app.now.reading.confidence ?? 0) < SURE && worst[0] > 0) doubts.push(worst[1]);
  }
  const lines = over ?? (shown.mode === "all" ? app.solutionLines() : shown.steps);
  const lit = shown.mode === "part" ? shown.lit : [];
  return { answer, lines, lit, doubts };
}

function paint() {
  const { board, frame, picture } = app.now;
  if (!board) return;
  const made = drawn();
  view.show(board, null, made);
  if (picture?.shown && frame) {
    const { width, height } = picture.shown;
    const [w, h] = app.now.reading?.seen?.picture?.length ? app.now.reading.seen.picture : [width, height];
    $("overlay").setAttribute("viewBox", `-0.5 -0.5 ${w} ${h}`);
    overlay.show(board, frame, $("bare").checked ? {} : made);
    for (const layer of ["lines", "dots", "lit", "ruling"]) overlay.layers[layer].style.display = $("bare").checked ? "none" : "";
  }
}

function render() {
  const { board, picture } = app.now;
  $("undo").disabled = !store.can(-1);
  $("redo").disabled = !store.can(1);
  $("start").hidden = !!(board || picture);
  $("work").hidden = $("start").hidden === false;
  $("another").hidden = !$("start").hidden;
  $("picture-pane").hidden = !picture;
  $("panes").classList.toggle("alone", !picture);
  if (picture?.shown && $("shot").src !== picture.shown.url) $("shot").src = picture.shown.url;
  $("board-pane").hidden = $("tabs").hidden = $("panels").hidden = !board;
  if (!board) return void cropper.show(null, [0, 0]);
  paint();
  $("zoom").hidden = Math.max(board.rows, board.cols, Math.sqrt(geometry(board).cells.length)) <= 12;
  if (!document.body.classList.contains("busy")) say();
  for (const panel of panels) panel.show(panel.name === current);
  showTabs();
}

function say() {
  const answer = refusalOf() ?? app.answer;
  if (!answer) return;
  const [kind, words, more] = verdict(answer, trusted());
  $("verdict").className = kind;
  if ($("words").textContent !== words) $("words").textContent = words;
  $("more").textContent = more;
  const { used } = puzzleOf(app.board);
  $("repairs").replaceChildren(
    ...(app.answer?.repairs ?? []).slice(0, 6).map((repair) =>
      button(`${repair.text} Then there is exactly one solution.`, () => app.edit(edits.repaired(app.board, repair, used)), { class: "repair" })),
  );
}

// A refusal is said as long as the board is as it was recognised, and not solved by itself.
function refusalOf() {
  const { reading: made, recognised, board } = app.now;
  if (!made || made.ok || recognised?.board !== board) return null;
  return app.answer?.status === "solved" && app.answer.unique ? null : { status: "refused", error: made.error };
}

function showTabs() {
  const seen = panels.filter((panel) => !panel.pictured || app.now.picture);
  if (!seen.some((panel) => panel.name === current)) current = "Correct";
  const had = document.activeElement?.parentElement === $("tabs");
  $("tabs").replaceChildren(...seen.map((panel) => button(panel.name, () => open(panel.name), { role: "tab", id: `tab-${panel.name}`, "aria-selected": String(panel.name === current), "aria-controls": `panel-${panel.name}`, tabindex: panel.name === current ? 0 : -1 })));
  for (const panel of panels) panel.node.hidden = panel.name !== current;
  if (had) $(`tab-${current}`).focus();
}

function open(name) {
  current = name;
  render();
}

// Crop --------------------------------------------------------------------------------------------------

function cropping(on) {
  const { picture, crop, board, frame } = app.now;
  $("crop").setAttribute("aria-pressed", String(on));
  $("crop").textContent = on ? "Read this part" : "Crop";
  if (!on || !picture?.shown) return void cropper.show(null, [0, 0]);
  const size = app.now.reading?.seen?.picture?.length ? app.now.reading.seen.picture : [picture.shown.width, picture.shown.height];
  const byHand = app.now.reading && !app.now.reading.ok && board?.tiling === "square";
  const place = (box) => store.amend({ crop: box, frame: frameIn(box, app.board.rows, app.board.cols) });
  cropper.show(crop ?? (board && frame ? boxOf(app.now) : [0, 0, ...size]), size, byHand ? [board.rows, board.cols] : null, byHand ? place : undefined);
}

const frameIn = ([x, y, w, h], rows, cols) => [w / cols, 0, x, 0, h / rows, y, 0, 0, 1];

function crop() {
  if ($("crop").getAttribute("aria-pressed") !== "true") return cropping(true);
  const { box } = cropper;
  cropping(false);
  const sized = app.now.reading && !app.now.reading.ok && app.board && !app.board.free;
  read({ crop: box.map(Math.round), grid: sized ? [app.board.rows, app.board.cols] : null });
}

// Beginning ---------------------------------------------------------------------------------------------

const tools = {
  board: () => app.board,
  tool: () => app.tool,
  say: announce,
  apply: (board) => app.edit(board),
  choose: (n) => n < app.board.flows.length && app.chooseBrush(n),
  flowFor(board, key) {
    if (app.brush !== "seen" || !app.now.picture?.shown) return [board, Math.min(Number(app.brush) || 0, board.flows.length - 1)];
    if (board.dots.has(key)) return [board, null];
    const cell = geometry(board).of.get(key);
    const { shown } = app.now.picture;
    const [w] = app.now.reading?.seen?.picture ?? [shown.width];
    const scale = shown.width / w;
    const [x, y] = overlay.at(cell.centre);
    return edits.withFlowFor(board, colourAt(shown, [x * scale, y * scale], 0.12 * overlay.pitch * scale));
  },
};

function keydown(event) {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  const key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && !typing && (key === "z" || key === "y")) {
    event.preventDefault();
    store.go(key === "y" || event.shiftKey ? 1 : -1);
  } else if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  else if (event.key === "?") $("help").showModal();
  else if (key === "n" && app.board) panels[1].hint();
  else if (key === "p" && app.board) panels[1].play();
  else if (/^Arrow(Left|Right)$/.test(event.key) && event.target.role === "tab") {
    const names = [...$("tabs").children].map((tab) => tab.textContent);
    const step = event.key === "ArrowRight" ? 1 : names.length - 1;
    open(names[(names.indexOf(current) + step) % names.length]);
  }
}

function wire() {
  attach(view, tools);
  attach(overlay, tools);
  for (const panel of panels) {
    Object.assign(panel.node, { id: `panel-${panel.name}`, role: "tabpanel" }).setAttribute("aria-labelledby", `tab-${panel.name}`);
    $("panels").append(panel.node);
  }
  listenForPictures(take);
  for (const [name, input] of [["choose", "file"], ["another", "file"], ["camera", "photo"]]) $(name).addEventListener("click", () => $(input).click());
  for (const name of ["file", "photo"])
    $(name).addEventListener("change", (event) => {
      const [found] = event.target.files;
      event.target.value = "";
      if (found) take(found);
    });
  $("paste").addEventListener("click", paste);
  $("paste").hidden = !(navigator.clipboard?.read && window.isSecureContext);
  $("blank").addEventListener("click", () => { app.fresh(blank(5, 5)); open("Make"); });
  $("undo").addEventListener("click", () => store.go(-1));
  $("redo").addEventListener("click", () => store.go(1));
  $("keys").addEventListener("click", () => $("help").showModal());
  $("crop").addEventListener("click", crop);
  $("bare").addEventListener("change", paint);
  $("turn").addEventListener("click", () => read({ rotate: (app.now.rotate + 90) % 360 }));
  $("closer").addEventListener("click", () => view.zoomBy(0.7));
  $("farther").addEventListener("click", () => view.zoomBy(1.4));
  $("whole").addEventListener("click", () => view.zoom(null));
  $("help-list").append(...KEYS.flatMap(([key, words]) => [el("dt", { text: key }), el("dd", { text: words })]));
  addEventListener("keydown", keydown);
}

async function paste() {
  try {
    for (const item of await navigator.clipboard.read()) {
      const kind = item.types.find((type) => type.startsWith("image/"));
      if (kind) return take(await item.getType(kind));
    }
    notice("There is no picture on the clipboard.");
  } catch {
    notice("The browser did not allow it: press Ctrl+V instead.");
  }
}

// The server has gone, or is another run of it: said until it is back.
let lost = false;
function whenLost() {
  if (lost) return;
  lost = true;
  notice("Flowvision does not answer: start `flowvision web` again. What is here stays here.");
  const retry = async () => {
    const there = await fetch("/api/about").catch(() => null);
    if (!there) return setTimeout(retry, 2000);
    lost = false;
    if (there.status === 401) return whenLocked();
    notice("");
    if (app.board && !app.answer) solve(app.board);
  };
  setTimeout(retry, 2000);
}
const whenLocked = () => notice("This page was opened without the token of this run: open the address that `flowvision web` printed.");

async function begin() {
  api.listen(whenLost, whenLocked);
  wire();
  const given = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, "", "/");
  if (given.get("token")) await api.openSession(given.get("token"));
  const response = await api.about();
  if (!response.ok) return;
  app.about = await response.json();
  app.formats = app.about.formats;
  COLOURS.push(...app.about.colours);
  document.body.dataset.ready = "yes";
  if (given.get("puzzle")) {
    const made = await api.object("puzzle", { body: given.get("puzzle") });
    if (made.puzzle?.record) app.fresh(fromPuzzle(made.puzzle), "part");
    else notice(`The link holds no puzzle: ${made.reason ?? made.message}`);
  }
}

addEventListener("hashchange", () => location.hash && location.reload());
begin();

export { app, store, countsOf, TOOLS };
