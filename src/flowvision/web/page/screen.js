// Draw the page from the state.

import { acts, goTo, linesShown, mistakesNow, moveSides, open, placeCrop, readCrop, seenNow } from "./actions.js";
import { answerPanel } from "./answer.js";
import { askLast, faultWords, file, stopAsking, whyLocked } from "./api.js";
import { dotsOf, keyOf } from "./board.js";
import { correctPanel } from "./correct.js";
import { CropBox } from "./crop.js";
import { $, bar, button, check, draw, dress, el, iconButton, svg } from "./dom.js";
import { forgetAll } from "./keep.js";
import { ROOM_PX, Sides } from "./outline.js";
import { sizeOf } from "./picture.js";
import { howToPlay, isPerfect, makePanel, playPanel, scoreWords } from "./play.js";
import { attach } from "./pointer.js";
import { boxOf, isLaid, reopen, take } from "./reading.js";
import { answerNow, answerOf } from "./solving.js";
import { store, ui } from "./state.js";
import { against, isCut, placesNamed, verdict, verdictUnder } from "./verdict.js";
import { BoardView } from "./view.js";

/** Dots with at least this doubt are ringed. */
const DOUBT = 0.3;
/** Margins round a board in the picture, and round a crop for its handles, in sizes of the board. */
const [MARGIN, CROP_MARGIN] = [0.06, 0.17];
const SAMPLES = ["7 × 7", "with holes", "hexagons"];

/** @type {Record<string, (doc: Doc & {board: Board}) => (Element|null)[]>} */
const PANELS = { Answer: answerPanel, Correct: correctPanel, Play: playPanel, Make: makePanel };
export const TABS = Object.keys(PANELS);

const view = new BoardView($("board"));
const overlay = new BoardView($("overlay"), { bare: true });
const cropper = new CropBox($("overlay"), placeCrop, readCrop);
const sides = new Sides(overlay, moveSides);
const shot = svg("image", { preserveAspectRatio: "none" });
overlay.layers.shot.append(shot);
attach(view);
attach(overlay);
for (const name of TABS) $("panels").append(el("section", { id: `panel-${name}`, role: "tabpanel", "aria-labelledby": `tab-${name}` }));

const LOST = "Flowvision does not answer. Check that `flowvision web` is running; this page waits for it.";
const SLOW = "This takes longer than usual.";
const LOCKED =
  " Open the address from the terminal in this browser, and this page continues. The address works once; start `flowvision web` again for a new one.";

// Show what blocks the page, else the last notice.
export function showNotice() {
  const words = ui.lost ? LOST : ui.locked ? whyLocked() + LOCKED : ui.notice;
  $("notice").textContent = words;
  $("notice").hidden = !words;
  $("notice").classList.toggle("passing", words === ui.notice);
  $("working").hidden = !ui.making;
  $("working").firstElementChild.textContent = `${ui.making} ${ui.isSlow ? SLOW : ""}`;
  $("loading").textContent = ui.loading;
  $("loading").hidden = !ui.loading;
  $("renew").hidden = !ui.renew;
  document.body.classList.toggle("locked", ui.locked && !store.now.board && !store.now.picture);
}

export function render() {
  const doc = store.now;
  const { board, picture, pending } = doc;
  const isOpen = !!(board || picture);
  for (const [id, by] of Object.entries({ undo: -1, redo: 1 })) {
    $(id).disabled = !store.can(by);
    $(id).hidden = !isOpen && !store.can(by);
  }
  $("start").hidden = isOpen;
  if (!isOpen && ui.about.reads) showSamples();
  showKept(isOpen ? [] : ui.kept);
  $("work").hidden = $("another").hidden = !isOpen;
  document.body.classList.toggle("busy", pending);
  $("work").classList.toggle("cropping", !!ui.crop);
  $("work").classList.toggle("zoomed", ui.isZoomed && ui.tab === "Play");
  dress($("work"), { "data-view": picture && board ? ui.view : picture ? "picture" : "board", "data-tab": ui.tab });
  $("picture-pane").hidden = !picture;
  $("board-pane").hidden = $("tabs").hidden = !board;
  showVerdict(doc);
  showVisited(doc);
  if (board) drawBoards({ ...doc, board });
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
setInterval(() => $("score") && !document.hidden && $("score").replaceChildren(scoreWords(store.now)), 1000);

function showKept(/** @type {Doc[]} */ docs) {
  const nameOf = (/** @type {Doc} */ { picture, board }) => picture?.name ?? `${board?.cols} × ${board?.rows}`;
  const buttons = docs.map((doc) => button(nameOf(doc), () => reopen(doc)));
  const clear = button("Clear", () => forgetAll().then(() => store.set({ kept: [] })), { title: "Forget the boards kept on this device" });
  $("kept").hidden = !docs.length;
  draw($("kept"), docs.length ? [el("p", { class: "hint", text: "Kept on this device:" }), bar(...buttons, clear)] : []);
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

function drawBoards(/** @type {Opened} */ doc) {
  const { board, picture } = doc;
  const isPlay = ui.tab === "Play";
  const lines = linesShown(verdict(doc, answerNow()).kind);
  const drawn = { lines, lit: seenNow().lit, doubts: isPlay ? mistakesNow() : doubtful(doc), letters: ui.letters, isPlayed: isPlay };
  if (picture) paintPicture(doc, isPlay ? { ...drawn, lines: [] } : drawn);
  view.show(board, null, drawn);
  view.layers.numbers.style.display = isPlay && !ui.letters ? "none" : "";
}

function showVerdict(/** @type {Doc} */ doc) {
  const answer = answerNow();
  const { kind, words, more, buttons } = verdictUnder(doc, answer, ui.tab);
  const isOpen = $("verdict").classList.contains("open");
  if ($("verdict").className !== kind + (isOpen ? " open" : "")) $("verdict").className = kind;
  const last = kind === "good won" ? scoreWords(doc) : doc.pending ? `${ui.count} ${ui.isSlow ? SLOW : ""}`.trim() : "";
  const said =
    isPerfect(doc) && kind === "good won" ? "Perfect!" : ui.isHidden ? words.replace("Solved: exactly", "It has exactly") : words;
  const all = `${said} ${last}`.trim();
  if ($("words").textContent !== all) {
    $("words").textContent = all;
    unfold(false);
  }
  $("more").textContent = [ui.crop ? "" : more, ui.tab === "Play" && doc.board ? howToPlay({ ...doc, board: doc.board }) : ""]
    .filter(Boolean)
    .join(" ");
  $("how").hidden = !doc.reading || doc.pending;
  const next = buttons.map(({ text, act: [name, ...given], main }) =>
    button(text, () => acts[name](...given), { class: main ? "main" : null }),
  );
  draw($("next"), ui.crop ? [] : next);
}

// Return the cells to ring: those that the message names, else lone dots, else doubtful dots.
function doubtful(/** @type {Opened} */ doc) {
  const { read, board, reading, picture, trust } = doc;
  if (trust === "confirmed") return [];
  const named = placesNamed(doc);
  if (trust || (reading && !reading.ok)) {
    const cells = against(doc);
    if (cells.length) return cells;
  }
  if (named.length || isCut(doc)) return named;
  const lone = picture ? dotsOf(board).filter((keys) => keys.length === 1) : [];
  if (lone.length || !reading || read?.board !== board) return lone.flat();
  /** @type {{ends: Place[], doubts?: number[]}[]} */
  const flows = reading.flows ?? reading.seen?.board?.flows ?? [];
  return flows.flatMap(({ ends, doubts = [] }) => ends.filter((_, n) => doubts[n] >= DOUBT).map(keyOf));
}

function paintPicture(/** @type {Doc} */ doc, /** @type {Drawn} */ drawn) {
  const { board, frame, shown, reading, pending } = doc;
  if (!shown) return;
  const [width, height] = sizeOf(shown, pending ? null : reading);
  dress(shot, { x: -0.5, y: -0.5, width, height });
  if (shot.getAttribute("href") !== shown.src) shot.setAttribute("href", shown.src);
  // Without a detected board, show the whole picture.
  const isFound = board && frame && !(ui.crop && isLaid(reading));
  const [x, y, w, h] = isFound ? (ui.crop ?? boxOf(board, frame)) : [0, 0, width, height];
  const isOutlined = isFound && !ui.crop && ui.tab === "Correct" && ui.tool === "outline" && board.tiling === "square";
  const edge = isOutlined ? roomFor(w, h) : (ui.crop ? CROP_MARGIN : isFound ? MARGIN : 0) * Math.max(w, h);
  if (!cropper.from) dress($("overlay"), { viewBox: [x - 0.5 - edge, y - 0.5 - edge, w + 2 * edge, h + 2 * edge].join(" ") });
  if (board && frame) overlay.show(board, frame, drawn);
  for (const layer of ["lines", "dots", "lit", "ruling", "rings"])
    overlay.layers[layer].style.display = ui.crop || !board || pending ? "none" : "";
  sides.show(isOutlined ? board : null);
  cropper.show(ui.crop, board && isLaid(reading) ? [board.rows, board.cols] : [1, 1]);
}

// Return the margin of a board of this size in the picture that leaves room for its handles.
const roomFor = (/** @type {number} */ w, /** @type {number} */ h) => {
  const { clientWidth, clientHeight } = $("overlay");
  const scale = Math.min((clientWidth - 2 * ROOM_PX) / w, (clientHeight - 2 * ROOM_PX) / h);
  return scale > 0 ? ROOM_PX / scale : CROP_MARGIN * Math.max(w, h);
};

/** @type {Record<string, string>} */
const VERDICTS = { good: "solved", warn: "to compare", bad: "refused", "": "being read" };
function showVisited(/** @type {Doc} */ { picture }) {
  const docs = [...store.pictures.values()].filter(({ shown }) => shown);
  const isNew = docs.length > 1 && $("visited").children.length !== docs.length;
  draw($("visited"), docs.length > 1 ? docs.map((doc) => entryButton(doc, doc.picture === picture)) : []);
  if (isNew) $("visited").querySelector("[aria-pressed=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function entryButton(/** @type {Doc} */ doc, /** @type {boolean} */ isSeen) {
  const { kind } = verdict(doc, answerOf(doc.board));
  const name = doc.picture?.name;
  const given = { class: kind, "aria-pressed": String(isSeen), "aria-label": `${name}: ${VERDICTS[kind]}`, title: name };
  const made = button("", () => goTo(doc, kind === "good" ? "Answer" : "Correct"), given);
  made.append(el("img", { src: doc.shown?.src, alt: "" }));
  return made;
}

function showViews(/** @type {Doc} */ { board, picture }) {
  const views = ["Picture", "Board", "Both"].map((text) =>
    button(text, () => store.set({ view: text.toLowerCase() }), { "aria-pressed": String(ui.view === text.toLowerCase()) }),
  );
  const given = { class: "segments", role: "group", "aria-label": "What is shown" };
  const letters = check("Letters", ui.letters, (letters) => store.set({ letters }));
  const isWon = $("verdict").classList.contains("won");
  const score = ui.tab === "Play" && board && !isWon ? el("span", { id: "score", text: scoreWords(store.now) }) : null;
  const bar = [picture ? el("div", given, ...views) : null, letters, score];
  draw($("views"), board && !ui.crop ? bar : []);
}

/** @typedef {{name: string, title: string, caption: string, jpeg: string}} Stage */
/** What a person is told of the stages; the others are for those who know the method. @type {Record<string, string>} */
const STORY = {
  "00-input": "Your picture",
  "00b-cause": "What is wrong, marked",
  "03-grid": "The lines",
  "04-dots": "The dots",
  "07-solution": "The solution",
};

function figure(/** @type {Stage} */ { title, caption, jpeg }, heading = title) {
  const bytes = Uint8Array.from(atob(jpeg), (one) => one.charCodeAt(0));
  const src = URL.createObjectURL(new Blob([bytes], { type: "image/jpeg" }));
  const image = el("img", { src, alt: "", onload: () => URL.revokeObjectURL(src) });
  return el("figure", {}, image, el("figcaption", {}, el("h3", { text: heading }), heading === title ? caption : null));
}

$("how").onclick = async () => {
  const { reading, picture } = store.now;
  if (!reading || !picture) return;
  $("stages").showModal();
  const words = el("p", { text: "Drawing what was seen …" });
  $("strip").replaceChildren(words);
  try {
    /** @type {{stages: Stage[]}} */
    const { stages } = await askLast("stages", { body: picture.blob, query: reading.query });
    if (!words.isConnected) return;
    const sure = reading.ok ? `The board was read with a confidence of ${Math.round(100 * reading.confidence)} %.` : "";
    words.textContent = stages.length ? sure : "Nothing in the picture looked like a board.";
    const story = stages.filter(({ name }) => STORY[name]).map((one, n) => figure(one, `${n + 1}. ${STORY[one.name]}`));
    const method = el("details", {}, el("summary", { text: "Show all steps" }), ...stages.map((one) => figure(one)));
    $("strip").append(el("div", { class: "story" }, ...story), method);
  } catch (error) {
    words.textContent = faultWords(error);
  }
};

function showWhy() {
  const { show, why } = seenNow();
  const [words, ...steps] = [show ? show.words(show.at) : why].flat();
  const list = steps.length ? el("ol", {}, ...steps.map((text) => el("li", { text }))) : null;
  draw($("why"), [words ? el("p", { text: words }) : null, list]);
}

function showTabs(/** @type {Doc} */ doc) {
  const { board } = doc;
  showWhy();
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
  draw($("tabs"), board ? TABS.map((name) => iconButton(name, name, () => open(name), given(name))) : []);
}
