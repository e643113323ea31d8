// Draw the page from the state.

import { acts, linesShown, mistakesNow, moveSides, open, placeCrop, readCrop, seenNow, solutionLines } from "./actions.js";
import { answerPanel } from "./answer.js";
import { askLast, faultWords, file, stopAsking, whyLocked } from "./api.js";
import { cornersOf, dotsOf, GAME, geometry, keyOf } from "./board.js";
import { correctPanel, isOutlining, isTapping, todoNow } from "./correct.js";
import { $, button, draw, dress, el, forPointer, icon, iconButton, plural, svg } from "./dom.js";
import { forgetAll } from "./keep.js";
import { makePanel } from "./make.js";
import { Outline, ROOM_PX } from "./outline.js";
import { looksOf, sizeOf } from "./picture.js";
import { linesOfPlay } from "./pipes.js";
import { flowDiscs, playPanel, praiseOf, scoreOf } from "./play.js";
import { attach } from "./pointer.js";
import { boxOf, isLaid, lookForServer, reopen, take } from "./reading.js";
import { showSeveral } from "./several.js";
import { answerNow } from "./solving.js";
import { store, ui } from "./state.js";
import { against, cutSides, isCovered, isDoubted, isEdited, isUseless, placesNamed, pointing, verdict, verdictUnder } from "./verdict.js";
import { BoardView, mapper, marginOf, path } from "./view.js";
import { isRunning } from "./watch.js";

/** Dots with at least this doubt are ringed. */
const DOUBT = 0.3;
const SAMPLES = ["7 × 7", "with holes", "hexagons"];

/** @type {Record<string, (doc: Doc & {board: Board}) => (Element|null)[]>} */
const PANELS = { Answer: answerPanel, Correct: correctPanel, Play: playPanel, Make: makePanel };
export const TABS = Object.keys(PANELS);

const view = new BoardView($("board"));
const overlay = new BoardView($("overlay"), { bare: true });
const sized = (/** @type {string} */ size) => ($("words").textContent = forPointer(todoNow(size) ?? ""));
const outlines = [view, overlay].map((one) => new Outline(one, { moved: moveSides, marked: placeCrop, sized, chosen: readCrop }));
const shot = svg("image", { preserveAspectRatio: "none" });
/** A light that sweeps the picture while it is read. */
const mesh = svg("rect", { class: "mesh" });
overlay.layers.shot.append(shot, mesh);
attach(view);
attach(overlay);
for (const name of TABS) $("panels").append(el("section", { id: `panel-${name}`, role: "tabpanel", "aria-labelledby": `tab-${name}` }));

const SLOW = "This takes longer than usual.";
const LOST = ["Start it again on your computer, and this page continues.", "it runs again"];
const LOCKED = ["Open the link that Flowvision shows on your computer. Each link works once.", "you open its new link"];

// Ask for the link that lets this browser in.
function askLink() {
  const code = prompt("Link")?.match(/code=[\w-]+/);
  if (code) location.hash = code[0];
}

// Show what blocks the page, else the last notice.
export function showNotice() {
  const isBlocked = ui.lost || ui.locked;
  const isBare = isBlocked && !store.now.board && !store.now.picture && !ui.isOverview;
  const head = ui.lost ? "Flowvision has stopped." : ui.locked ? whyLocked() : forPointer(ui.notice);
  const [todo, until] = ui.lost ? LOST : LOCKED;
  const words = store.now.board && !ui.isOverview ? `Look and play on. Hints wait until ${until}.` : todo;
  const act = ui.lost ? button("Try again", lookForServer, { class: "main" }) : button("Enter the link", askLink, { class: "main" });
  draw($("notice"), head ? [el("b", { text: head }), ...(isBlocked ? [el("p", { text: words }), act] : [])] : []);
  $("notice").hidden = !head;
  $("notice").className = isBlocked ? "warn" : "bad passing";
  $("working").hidden = !ui.making;
  $("working").firstElementChild.textContent = `${ui.making} ${ui.isSlow ? SLOW : ""}`;
  $("loading").textContent = ui.loading;
  $("loading").hidden = !ui.loading;
  $("renew").hidden = !ui.renew;
  document.body.classList.toggle("locked", isBare);
}

/** The signs that words last had for cells of a picture. @type {{of: any, signs: Map<Key, string>}} */
let named = { of: null, signs: new Map() };

export function render() {
  const doc = store.now;
  const { board, picture, pending } = doc;
  const isOpen = !!(board || picture);
  for (const [id, by] of Object.entries({ undo: -1, redo: 1 })) {
    $(id).disabled = !store.can(by) || ui.isOverview;
    $(id).hidden = !isOpen && !store.can(by);
  }
  $("start").hidden = isOpen || ui.isOverview;
  if (!isOpen && ui.about.reads) showSamples();
  showKept(isOpen ? [] : ui.kept);
  $("work").hidden = !isOpen || ui.isOverview;
  $("another").hidden = !isOpen && !ui.isOverview;
  document.body.classList.toggle("busy", pending);
  $("work").classList.toggle("cropping", !!ui.crop);
  $("work").classList.toggle("zoomed", ui.isZoomed && ui.tab === "Play");
  const { status, unique, checking } = answerNow() ?? {};
  const answer = pending || checking ? "" : unique ? "unique" : status;
  dress($("work"), { "data-view": picture && board ? ui.view : picture ? "picture" : "board", "data-tab": ui.tab, "data-answer": answer });
  $("picture-pane").hidden = !picture;
  $("board-pane").hidden = $("tabs").hidden = $("views").hidden = !board;
  const { signs, point } = pointing(named.of === doc.reading ? named.signs : new Map());
  const words = (/** @type {string} */ text) => forPointer(point(text));
  showWhy(words);
  showVerdict(doc, words);
  if (signs.size) named = { of: doc.reading, signs };
  showSeveral();
  if (board) drawBoards({ ...doc, board }, signs);
  else if (picture) paintPicture(doc, {});
  showViews(doc);
  showTabs(doc);
}

$("renew").lastElementChild.onclick = () => ui.renew?.();
$("working").lastElementChild.onclick = stopAsking;

// Show all of the verdict on a phone, or its first lines.
function unfold(/** @type {boolean} */ isOpen) {
  $("verdict").classList.toggle("open", isOpen);
  $("unfold").setAttribute("aria-expanded", isOpen);
}
$("unfold").onclick = () => unfold($("unfold").ariaExpanded !== "true");
// Show the figures of play.
function showScore() {
  const { show } = seenNow();
  const slow = !store.now.pending ? "" : ui.isSlow ? SLOW : "This takes a few seconds.";
  const words = show && show.at < show.last ? `Step ${show.at} of ${show.last}` : slow;
  const figures = ui.tab === "Play" && !slow ? scoreOf(store.now) : [el("span", { text: words })];
  $("score").className = figures.length > 1 ? "figures" : "hint";
  draw($("score"), figures);
}
const resized = new ResizeObserver(() => isOutlining() && store.changed());
for (const id of ["overlay", "board"]) resized.observe($(id));
setInterval(() => document.hidden || showScore(), 1000);

// Return a small drawing of a board with its pipes.
function miniature(/** @type {Doc} */ { board, played }) {
  if (!board) return icon("picture");
  const root = svg("svg", { "aria-hidden": "true" });
  const { layers } = new BoardView(root).show(board, null, { lines: linesOfPlay(played) });
  for (const name of ["cells", "focus"]) layers[name].remove();
  return root;
}

// Show the last boards as tiles, in place of the examples.
function showKept(/** @type {Kept[]} */ kept) {
  const docs = kept.filter(({ picture, board }) => picture || board?.dots.size);
  const nameOf = (/** @type {Doc} */ { picture, board }) => picture?.name ?? `${board?.cols}×${board?.rows}`;
  const tile = (/** @type {Kept} */ doc) => button("", () => reopen(doc), { title: `Go on with ${nameOf(doc)}` }, miniature(doc));
  const forget = () => forgetAll().then(() => store.set({ kept: [] }));
  const head = el("p", { class: "hint", text: "Go on with …" });
  $("kept").hidden = !docs.length;
  $("or").hidden = !ui.about.reads || !!docs.length;
  const parts = [head, el("div", { class: "bar" }, ...docs.map(tile)), button("Forget them", forget, { class: "link" })];
  draw($("kept"), docs.length ? parts : []);
}

async function showSamples() {
  if ($("samples").children.length) return;
  const buttons = SAMPLES.map((words) => button("", () => {}, { "aria-label": `Try a sample: ${words}`, disabled: true }));
  $("samples").append(...buttons);
  for (const [n, one] of buttons.entries()) {
    const blob = await file("sample", { query: { number: n } }).catch(() => null);
    if (!blob) return;
    one.disabled = false;
    const sample = new File([blob], `sample ${SAMPLES[n]}.png`);
    one.onclick = () => take([sample]);
    const src = URL.createObjectURL(blob);
    one.append(el("img", { src, alt: "", onload: () => URL.revokeObjectURL(src) }));
  }
}

// Return the dots that the offered changes put, with their colours; a first pair on an empty board.
/** @returns {[Key, string][]} */
function missingIn(/** @type {Board} */ board) {
  const { mends = [], others = [] } = answerNow() ?? {};
  const middle = board.rows >> 1;
  if (!board.dots.size && board.cols > 3) return [1, board.cols - 2].map((col) => [`${middle},${col}`, GAME.colours[0][0]]);
  const made = [...mends, ...others].filter(({ by }) => !by).map((one) => one.board);
  /** @type {Map<Key, string>} */
  const found = new Map();
  for (const { dots, flows } of made)
    for (const [key, n] of dots)
      if (board.dots.get(key) !== n) found.set(key, (found.get(key) ?? flows[n].rgb) === flows[n].rgb ? flows[n].rgb : "#ffffff");
  return [...found];
}

// Return the cells that a change leaves out.
function cellsLess(/** @type {Board} */ board, /** @type {Mend|undefined} */ mend) {
  const side = mend?.by?.indexOf(-1) ?? -1;
  const last = [0, 0, board.cols - 1, board.rows - 1][side];
  const isAt = (/** @type {Cell} */ { r, c }) => (side % 2 ? r : c) === last;
  return side < 0 ? [] : geometry(board).cells.flatMap((cell) => (isAt(cell) ? [cell.key] : []));
}

function drawBoards(/** @type {Opened} */ doc, /** @type {Map<Key, string>} */ signs) {
  const { board, picture } = doc;
  const isPlay = ui.tab === "Play";
  const lines = linesShown(verdict(doc, answerNow()).kind);
  const isOutlined = isOutlining() && ui.tab === "Correct";
  const proposed = isPlay || isOutlined || isUseless(doc, answerNow()) || doc.trust === "confirmed" ? [] : missingIn(board);
  const { differs = [], mends = [] } = answerNow() ?? {};
  const isWhole = !isPlay && !!lines.length && !ui.isHidden && !seenNow().show;
  /** @type {Ring[]} */
  const rings = isPlay ? mistakesNow().map((key) => [key, "wrong"]) : isWhole ? [] : doubtful(doc);
  const shown = rings.flatMap(([key, kind, rgb = ""]) => (kind === "missing" ? [/** @type {[Key, string]} */ ([key, rgb])] : []));
  const missing = [...proposed, ...shown];
  const lit = mends.length === 1 && !isPlay ? cellsLess(board, mends[0]) : isWhole ? differs.map(keyOf) : seenNow().lit;
  const marks = ui.tool !== "wall" && !isOutlined;
  const added = picture ? [...board.dots.keys()].filter((key) => isEdited(doc, key) && looksOf(doc).get(key)?.kind !== "dot") : [];
  const drawn = {
    lines,
    ghost: seenNow().ghost,
    lit,
    rings,
    marks,
    added,
    letters: ui.letters,
    isPlayed: isPlay,
    signs,
    missing,
    cut: cutSides(doc),
  };
  if (picture) paintPicture(doc, isPlay ? { ...drawn, lines: [] } : drawn);
  const outlined = picture ? null : outlineOf(doc);
  view.show(board, null, drawn, outlined ? roomFor($("board"), board.cols, board.rows, outlined) : 0);
  outlines[0].show(outlined);
}

// Return the outline to show in Correct: that of the board, or the one marked by hand.
/** @returns {Outlined|null} */
function outlineOf(/** @type {Doc} */ { board, frame, reading, pending }) {
  if (!board || pending || ui.tab !== "Correct" || !isOutlining()) return null;
  const isMarked = !!ui.crop;
  const isLattice = board.tiling === "square" && (!isMarked || isLaid(reading));
  return { size: [board.cols, board.rows], box: ui.crop ?? (frame ? boxOf(board, frame) : null), isMarked, isLattice };
}

function showVerdict(/** @type {Doc} */ doc, /** @type {(words: string) => string} */ point) {
  const answer = answerNow();
  const { kind, words, todo, more, buttons } = verdictUnder(doc, answer, ui.tab, {
    todo: todoNow(),
    isOutlining: isOutlining(),
    isTapping: isTapping(doc),
    isHidden: ui.isHidden,
  });
  const isOpen = $("verdict").classList.contains("open");
  const { show } = seenNow();
  const tone = show && show.at < show.last ? "tip" : seenNow().tone || kind;
  $("verdict").className = tone + (isOpen ? " open" : "");
  const isImporting = ui.tab === "Make" && ui.unfolded === "import" && !doc.board?.dots.size;
  const usual = kind === "good won" ? praiseOf(doc) : words;
  const said = isImporting ? "A letter for each dot, a full stop elsewhere." : usual;
  const all = point(said);
  if ($("words").textContent !== all) {
    $("words").textContent = all;
    unfold(false);
  }
  draw($("flows"), ui.tab === "Play" && kind !== "good won" ? [flowDiscs(/** @type {Opened} */ (doc))] : []);
  $("how").hidden = !doc.reading || doc.pending || ui.tab === "Play";
  $("unfold").hidden = $("how").hidden && !more;
  const next = buttons.map(({ text, act: [name, ...given], main }) =>
    button(point(text), () => acts[name](...given), { class: main ? "main" : "" }),
  );
  // On a phone that is not unfolded, the first of these is all.
  const parts = [todo, ...more.split(/(?<=[.?!]) (?=[A-Z])/)].filter(Boolean).map((part) => `${point(part)} `);
  const [first, ...rest] = ui.crop ? [] : parts;
  draw($("more"), first ? [el("span", { text: first }), el("span", { text: rest.join("") })] : []);
  $("verdict").hidden = !!doc.failed?.lost || ((ui.lost || ui.locked) && answer?.status === "failed");
  draw($("next"), ui.crop ? [] : next);
  showScore();
}

// Return the cells to ring: those that the message names, else lone dots, else doubtful dots.
/** @returns {Ring[]} */
function doubtful(/** @type {Opened} */ doc) {
  const { read, board, reading, picture, trust } = doc;
  /** @type {(keys: Key[]) => Ring[]} */
  const ringed = (keys) => keys.map((key) => [key, "doubtful"]);
  const named = placesNamed(doc);
  if (trust || (reading && !reading.ok && !isCovered(doc))) {
    const kindOf = (/** @type {Key} */ key) =>
      board.dots.has(key) ? (isEdited(doc, key) ? "doubtful" : "extra") : isEdited(doc, key) ? "gone" : "missing";
    /** @type {Ring[]} */
    const marks = against(doc).map((key) => [key, kindOf(key), looksOf(doc).get(key)?.rgb]);
    const gone = marks.filter(([, kind]) => kind === "gone");
    if (trust === "confirmed") return gone;
    if (trust === "guessed" && named.length) return [...gone, ...ringed(named)];
    if (marks.length) return marks;
  }
  if (named.length || isUseless(doc, answerNow())) return ringed(named);
  const lone = picture ? dotsOf(board).filter((keys) => keys.length === 1) : [];
  if (lone.length || !reading || read?.board !== board) return ringed(lone.flat());
  /** @type {{ends: Place[], doubts?: number[]}[]} */
  const flows = reading.flows ?? reading.seen?.board?.flows ?? [];
  return ringed(flows.flatMap(({ ends, doubts = [] }) => ends.filter((_, n) => doubts[n] >= DOUBT).map(keyOf)));
}

function paintPicture(/** @type {Doc} */ doc, /** @type {Drawn} */ drawn) {
  const { board, frame, shown, reading, pending } = doc;
  if (!shown) return;
  const [width, height] = sizeOf(shown, pending ? null : reading);
  dress(shot, { x: -0.5, y: -0.5, width, height });
  if (shot.getAttribute("href") !== shown.src) shot.setAttribute("href", shown.src);
  // Without a detected board, show the whole picture.
  const isFound = board && frame && !(ui.crop && isLaid(reading));
  const box = isFound ? (ui.crop ?? boxOf(board, frame)) : [0, 0, width, height];
  // Of a board whose other rows are covered, show the place of these rows.
  const hidden = isFound && !ui.crop && isUseless(doc, answerNow()) ? Math.max(0, box[2] - box[3]) : 0;
  const [x, y, w, h] = [box[0], box[1] - hidden, box[2], box[3] + 2 * hidden];
  const outlined = outlineOf(doc);
  const edge = outlined ? roomFor($("overlay"), w, h, outlined) : isFound ? marginOf(board, w) : 0;
  // Hide words of the game beside a board that was read: they would be sliced.
  const [right, bottom] = [width - x - w - edge, height - y - h - edge];
  const isClipped = isFound && !outlined && !isDoubted(reading);
  shot.style.clipPath = isClipped
    ? `inset(${[y - edge, right, bottom, x - edge].map((far) => `${Math.max(0, far)}px`).join(" ")} round 1.5%)`
    : "";
  const seen = [x - 0.5 - edge, y - 0.5 - edge, w + 2 * edge, h + 2 * edge];
  if (!outlines[1].from) dress($("overlay"), { viewBox: seen.join(" ") });
  if (board && frame) overlay.show(board, frame, drawn);
  for (const layer of ["lines", "dots", "lit", "ruling", "rings", "signs"])
    overlay.layers[layer].style.display = ui.crop || !board || pending ? "none" : "";
  outlines[1].show(outlined);
  dress(mesh, { x: seen[0], y: seen[1], width: seen[2], height: seen[3] / 50 });
}

// Return the margin round a box of this size that leaves room for the handles of its outline.
/** @param {SVGSVGElement} root @param {number} w @param {number} h @param {Outlined} outlined */
function roomFor({ clientWidth, clientHeight }, w, h, { size, isMarked, isLattice }) {
  const cell = isMarked || !isLattice ? 0 : w / size[0];
  const scale = Math.min((clientWidth - 2 * ROOM_PX) / (w + 2 * cell), (clientHeight - 2 * ROOM_PX) / (h + 2 * cell));
  return scale > 0 ? cell + ROOM_PX / scale : 0;
}

const VIEWS = { picture: "Picture", Board: "Board", Both: "Both" };
function showViews(/** @type {Doc} */ { board, picture }) {
  const isShown = picture && board && !ui.isOverview && ui.tab !== "Make" && !(ui.tab === "Correct" && isOutlining());
  const one = (/** @type {string[]} */ [image, name]) => {
    const value = name.toLowerCase();
    const given = { "aria-pressed": String(ui.view === value), "aria-label": name, title: name };
    return button("", () => store.set({ view: value }), given, icon(image));
  };
  const group = { class: "segments", role: "group", "aria-label": "What is shown" };
  draw($("views"), isShown ? [el("div", group, ...Object.entries(VIEWS).map(one))] : []);
}

const figure = (/** @type {any} */ image, /** @type {string} */ heading, /** @type {string} */ words) =>
  el("figure", {}, image, el("figcaption", {}, el("h3", { text: heading }), words));

// Return a drawing of the picture or of the board with some of its layers.
/** @param {string} id @param {string[]} layers */
function copyOf(id, layers, viewBox = $(id).getAttribute("viewBox")) {
  const made = svg("svg", { viewBox, "aria-hidden": "true" });
  for (const name of layers) made.append($(id).querySelector(`.${name}`).cloneNode(true));
  for (const layer of made.children) layer.removeAttribute("style");
  return made;
}

// Return how the picture became an answer: four drawings, each with a sentence.
function story(/** @type {Doc} */ { board, shown, reading, frame }) {
  if (!shown) return [];
  const [width, height] = sizeOf(shown, reading);
  const whole = copyOf("overlay", ["shot"], `0 0 ${width} ${height}`);
  const found = board && frame ? path(cornersOf(geometry(board).box).map(mapper(frame)), true) : "";
  whole.append(svg("path", { class: "found", d: found }));
  const first = figure(whole, "1. Your picture", board ? "The board was found here." : "No part of it looks like a board.");
  if (!board) return [first];
  const { rows, cols, dots, flows, free } = board;
  const size = free ? plural(free.cells.length, "cell") : `${rows} rows and ${cols} columns`;
  const { unique } = answerNow() ?? {};
  const ways = unique ? "The only way to join all pairs and fill every cell." : "One way to join all pairs and fill every cell.";
  const last = solutionLines().length ? ways : "No way joins all pairs: something here was misread.";
  return [
    first,
    figure(copyOf("board", ["ground", "ruling"]), "2. The lines", `The grid has ${size}.`),
    figure(
      copyOf("board", ["ground", "dots"]),
      "3. The dots",
      `${plural(dots.size, "dot")} in ${plural(flows.length, "colour")}: two of a colour are a pair.`,
    ),
    figure(copyOf("board", ["ground", "ruling", "lines", "dots", "rings"]), "4. The paths", last),
  ];
}

$("how").onclick = () => {
  const { reading, picture } = store.now;
  if (!reading || !picture) return;
  const sure = reading.ok ? (reading.confidence > 0.995 ? "Read without doubt." : `${Math.round(100 * reading.confidence)} % sure.`) : "";
  const title = el("summary", { text: "Technical details" });
  const method = el("details", { ontoggle: () => method.childElementCount > 1 || showStages(method) }, title);
  $("strip").replaceChildren(el("p", { text: sure }), el("div", { class: "story" }, ...story(store.now)), method);
  $("stages").showModal();
};

/** @typedef {{title: string, caption: string, jpeg: string}} Stage */
function imageOf(/** @type {string} */ jpeg) {
  const bytes = Uint8Array.from(atob(jpeg), (one) => one.charCodeAt(0));
  const src = URL.createObjectURL(new Blob([bytes], { type: "image/jpeg" }));
  return el("img", { src, alt: "", onload: () => URL.revokeObjectURL(src) });
}

async function showStages(/** @type {Element} */ method) {
  const { reading, picture } = /** @type {Doc & {picture: {blob: Blob}}} */ (store.now);
  const words = el("p", { text: "Drawing what was seen …" });
  method.append(words);
  try {
    const { stages } = await askLast("stages", { body: picture.blob, query: reading.query });
    words.textContent = stages.length ? "" : "Nothing in the picture looked like a board.";
    const figures = stages.map((/** @type {Stage} */ { title, caption, jpeg }) => figure(imageOf(jpeg), title, caption));
    method.append(el("div", { class: "story" }, ...figures));
    method.scrollIntoView();
  } catch (error) {
    words.textContent = faultWords(error);
  }
}

// A running search does not announce each of its steps.
function showWhy(/** @type {(words: string) => string} */ point) {
  const { show, why, ink } = seenNow();
  $("why").parentElement.ariaLive = isRunning() ? "off" : "polite";
  const words = point(show ? show.stepAt(show.at).words : why);
  const circle = svg("circle", { cx: 5, cy: 5, r: 4.5, fill: ink });
  const disc = svg("svg", { class: "ink", viewBox: "0 0 10 10", "aria-hidden": "true" }, circle);
  draw($("why"), words ? [el("p", {}, ink ? disc : null, words)] : []);
}

function showTabs(/** @type {Doc} */ doc) {
  const { board } = doc;
  for (const name of TABS) {
    const isOpen = !!board && name === ui.tab;
    $(`panel-${name}`).hidden = !isOpen;
    draw($(`panel-${name}`), isOpen ? PANELS[name]({ ...doc, board }) : []);
  }
  const given = (/** @type {string} */ name) => ({
    role: "tab",
    id: `tab-${name}`,
    "aria-selected": String(name === ui.tab),
    "aria-controls": `panel-${name}`,
    tabindex: name === ui.tab ? 0 : -1,
  });
  const words = (/** @type {string} */ name) => (name === "Correct" && !doc.picture ? "Edit" : name);
  draw($("tabs"), board ? TABS.map((name) => iconButton(name, words(name), () => open(name), given(name))) : []);
}
