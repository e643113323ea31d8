// What is seen, drawn from the state alone.

import { acts, answerNow, boxOf, confirmed, goTo, linesShown, mistakesNow, placeCrop, readCrop } from "./actions.js";
import { edgesOf, placesNamed, placesOf, whyLocked } from "./advice.js";
import { answerPanel, search } from "./answer.js";
import { dotsOf, geometry, keyOf, placeWords, puzzleOf } from "./board.js";
import { correctPanel } from "./correct.js";
import { CropBox } from "./crop.js";
import { $, button, draw, dress, el, svg } from "./dom.js";
import { repaired, withoutWalls } from "./edits.js";
import { solvedPictures } from "./files.js";
import { makePanel, writing } from "./make.js";
import { playPanel, tick } from "./play.js";
import { attach } from "./pointer.js";
import { boxRound, sizeOf } from "./reading.js";
import { answerOf } from "./solving.js";
import { isOfPhone, showStart } from "./start.js";
import { store, ui } from "./state.js";
import { verdict, verdictUnder, wallsRound } from "./verdict.js";
import { BoardView, mapper, path, thumbnail } from "./view.js";

const DOUBT = 0.3;
const SURE = 0.9;
const MARGIN = 0.06;
const ZOOMED_FROM = 12;

/** @type {Record<string, (doc: Doc & {board: Board}) => (Element|null)[]>} */
const PANELS = { Answer: answerPanel, Correct: correctPanel, Play: playPanel, Make: makePanel };
export const TABS = Object.keys(PANELS);

export const view = new BoardView($("board"));
const overlay = new BoardView($("overlay"), { bare: true });
const cropper = new CropBox($("overlay"), placeCrop, readCrop);
const shot = svg("image", { preserveAspectRatio: "none" });
// Where the cells lie that are tried as long as the picture is read.
const tried = svg("path");
overlay.layers.shot.append(shot, tried);
attach(view);
attach(overlay);
for (const name of TABS) {
  const panel = el("section", { id: `panel-${name}`, role: "tabpanel", "aria-labelledby": `tab-${name}` });
  $("panels").append(panel);
}
$("panels").append(search.node, writing.node);
setInterval(tick, 1000);

const LOST = "Flowvision does not answer. Look whether `flowvision web` still runs; this page waits for it.";
const LOCKED =
  " Open the address that the terminal shows, in this browser: this page then goes on. It opens once; where it was used before, start `flowvision web` again.";

// What keeps everything else from working is said until it is over, whatever else was to be said.
export function showNotice() {
  const words = ui.lost ? LOST : ui.locked ? whyLocked() + LOCKED : ui.notice;
  $("notice").textContent = words;
  $("notice").hidden = !words;
  document.body.classList.toggle("locked", ui.locked && !store.now.board && !store.now.picture);
  $("notice").classList.toggle("passing", words === ui.notice);
}

export function render() {
  const doc = store.now;
  const { board, picture, pending } = doc;
  showNotice();
  $("undo").disabled = !store.can(-1);
  $("redo").disabled = !store.can(1);
  $("start").hidden = !!(board || picture);
  if (!$("start").hidden) showStart();
  const place = $(board || picture ? "undo" : "camera");
  if (place.previousElementSibling !== $("phone")) place.before($("phone"));
  $("work").hidden = $("another").hidden = !(board || picture);
  document.body.classList.toggle("busy", pending);
  const { classList, dataset } = $("work");
  classList.toggle("cropping", !!ui.crop);
  classList.toggle("alone", !picture || !board);
  Object.assign(dataset, { view: picture && board ? ui.view : picture ? "picture" : "board", tab: ui.tab });
  $("picture-pane").hidden = !picture;
  $("board-pane").hidden = $("tabs").hidden = !board;
  showVerdict(doc);
  showVisited(doc);
  const lines = board ? linesShown(verdict(doc, answerNow()).kind) : [];
  const isPlay = ui.tab === "Play";
  const doubts = board ? (isPlay ? mistakesNow() : doubtful({ ...doc, board })) : [];
  const drawn = { lines, doubts, lit: ui.shown.of === board ? ui.shown.lit : [], letters: ui.letters };
  if (picture) paintPicture(doc, isPlay ? { ...drawn, lines: [] } : drawn);
  if (board) view.show(board, null, drawn);
  showViews(doc);
  paintLoupe();
  showTabs(doc);
}

/** @param {Doc} doc */
function showVerdict(doc) {
  const answer = answerNow();
  const { kind, words, more, buttons } = verdictUnder(doc, answer, {
    tab: ui.tab,
    canStop: store.can(-1),
    canCopy: !!navigator.clipboard && window.isSecureContext,
    solved: solvedPictures().length,
    isHidden: ui.shown.mode === "part",
    isOfPhone: isOfPhone(doc),
  });
  const isWon = words === "Solved!";
  if (isWon !== $("verdict").classList.contains("won") || kind !== $("verdict").classList[0])
    $("verdict").className = `${kind} ${isWon ? "won" : ""}`.trim();
  if ($("words").textContent !== words) $("words").textContent = words;
  $("more").textContent = more;
  $("details").hidden = !more;
  draw(
    $("next"),
    buttons.map(({ text, act: [name, ...given], main }) =>
      button(text, () => acts[name](...given), { class: main ? "main" : null, "data-act": JSON.stringify([name, given]) }),
    ),
  );
  draw($("repairs"), ["Play", "Make"].includes(ui.tab) || doc.pending ? [] : repairsOf(doc, answer));
}

// Changes that give exactly one solution, as the solver says. Of a board that the picture cuts, none puts anything right.
/** @param {Doc} doc @param {Answer|undefined} answer */
function repairsOf(doc, answer) {
  const { board } = doc;
  if (!board || edgesOf(doc).length) return [];
  const found = (answer?.repairs ?? []).filter(isOfRead).slice(0, 6);
  const walls = answer?.status === "unsolvable" ? wallsRound(board, placesOf(doc)) : [];
  const [named] = placesOf(doc);
  const open = () => acts.repair(withoutWalls(store.board, wallsRound(store.board, placesOf(store.now))));
  return [
    ...(walls.length ? [button(`Leave out the walls round ${placeWords(board, named)}`, open)] : []),
    ...(found.length ? [el("p", { class: "hint", text: "With one of these changes there is exactly one solution:" })] : []),
    ...found.map((one) => button(one.text, () => acts.repair(repaired(store.board, one, puzzleOf(store.board).used)))),
  ];
}

// Whether a repair leaves what a person has set: it changes cells that are as they were read.
function isOfRead(/** @type {Repair} */ { changes }) {
  const { board, read } = store.now;
  const at = (/** @type {Board|null|undefined} */ one, /** @type {Place} */ place) => one?.flows[one.dots.get(keyOf(place)) ?? -1]?.rgb;
  return changes.every((one) => [one.read, one.meant].every((place) => at(board, place) === at(read?.board, place)));
}

// What to look at first: dots without a partner and, as long as the board is as it was read, those that were seen worst.
/** @param {Doc & {board: Board}} doc @returns {Key[]} */
function doubtful(doc) {
  const { read, board, reading, picture } = doc;
  if (confirmed(doc)) return [];
  const named = placesNamed(doc).filter((key) => geometry(board).of.has(key));
  if (named.length || edgesOf(doc).length) return named;
  const lone = picture ? dotsOf(board).filter((keys) => keys.length === 1) : [];
  if (lone.length || !reading || read?.board !== board) return lone.flat();
  /** @type {{ends: Place[], doubts?: number[]}[]} */
  const flows = reading.flows ?? reading.seen?.board?.flows ?? [];
  const all = flows.flatMap(({ ends, doubts = [] }) => doubts.map((doubt, n) => ({ doubt, key: keyOf(ends[n]) })));
  const found = all.filter(({ doubt }) => doubt >= DOUBT);
  const isSure = !reading.ok || reading.confidence >= SURE;
  const worst = found.length || isSure ? [] : all.filter(({ doubt }) => doubt > 0).sort((a, b) => b.doubt - a.doubt);
  return [...found, ...worst.slice(0, 1)].map(({ key }) => key);
}

/** @param {Doc} doc @param {Drawn} drawn */
function paintPicture(doc, drawn) {
  const { board, frame, shown, reading, pending } = doc;
  if (!shown) return;
  const [w, h] = sizeOf(shown, pending ? null : reading);
  if (shot.getAttribute("href") !== shown.url) shot.setAttribute("href", shown.url);
  dress(shot, { x: -0.5, y: -0.5, width: w, height: h });
  // Where no board was seen, it may lie anywhere in the picture.
  const isFound = !!board && !!frame && (!ui.crop || reading?.ok || !!reading?.seen?.board);
  const box = ui.whole || !isFound ? [0, 0, w, h] : (ui.crop ?? within(boxOf(board, frame)));
  const edge = ui.crop ? 0.17 * Math.max(box[2], box[3]) : 0;
  if (!cropper.isHeld)
    $("overlay").setAttribute("viewBox", [box[0] - 0.5 - edge, box[1] - 0.5 - edge, box[2] + 2 * edge, box[3] + 2 * edge].join(" "));
  $("whole").setAttribute("aria-pressed", String(ui.whole));
  if (board && frame) overlay.show(board, frame, drawn);
  for (const layer of ["numbers", "lines", "dots", "lit", "ruling", "rings"])
    overlay.layers[layer].style.display = ui.crop || !board || pending ? "none" : "";
  $("crop").textContent = ui.crop ? "Read this part" : "Crop";
  $("uncrop").hidden = !ui.crop;
  $("whole").hidden = !isFound;
  const { outline_px } = doc.tried;
  tried.setAttribute("d", pending && outline_px ? path(outline_px, true) : "");
  const isRuled = ui.crop && reading && !reading.ok && board?.tiling === "square";
  cropper.show(ui.crop, [w, h], isRuled ? [board.rows, board.cols] : null);
  $("how").hidden = !reading;
  $("crop").disabled = $("turn").disabled = pending;
}

// The board with a margin, where its numbers stand.
/** @param {number[]} box */
function within([x, y, w, h]) {
  const m = MARGIN * Math.max(w, h);
  return [x - m, y - m, w + 2 * m, h + 2 * m];
}

/** @type {Picture|null} */
let lookedAt = null;

// The picture round the cell that was chosen, else the edge that cuts the board, or the first cell in doubt, while it is put right.
function paintLoupe() {
  const { board, frame, shown, pending, picture } = store.now;
  if (lookedAt !== picture) [lookedAt, view.chosen] = [picture, ""];
  const isOpen = ui.tab === "Correct" && shown && frame && board && view.board === board && !pending && !ui.crop;
  const [edge] = isOpen && !view.chosen ? edgesOf(store.now) : [];
  const cell = isOpen && !edge ? (view.cell(view.chosen) ?? view.cell(doubtful({ ...store.now, board })[0])) : null;
  const outline = edge ? lineAt(store.board, edge) : cell ? cell.outline : null;
  $("loupe").setAttribute("class", edge?.line ?? "");
  $("loupe").toggleAttribute("hidden", !outline);
  if (!outline) return;
  const placed = outline.map(mapper(frame));
  const [x, y, w, h] = boxRound(placed);
  const m = (edge ? 0.35 : 0.6) * Math.min(w, h);
  $("loupe").setAttribute("viewBox", [x - m, y - m, w + 2 * m, h + 2 * m].join(" "));
  $("loupe").replaceChildren(shot.cloneNode(), svg("path", { d: path(placed, true) }));
}
view.onRove = paintLoupe;

// The outline of the row or column that the picture ends in.
/** @param {Board} board @param {Edge} edge */
function lineAt({ rows, cols }, { line, n }) {
  const [x0, y0, x1, y1] = line === "row" ? [0, n - 1, cols, n] : [n - 1, 0, n, rows];
  return [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ];
}

// The entries of this visit, pictures with their verdicts; nothing for a single one. Drawn when one of them has changed.
const VERDICTS = { good: "solved", warn: "to compare", bad: "refused", "": "" };
let visitedDrawn = "";
function showVisited(/** @type {Doc} */ { entry }) {
  const seen = ui.visited.length > 1 ? ui.visited.filter((doc) => doc.shown || !doc.picture) : [];
  const kinds = seen.map((doc) => (doc.picture || doc.reading ? verdict(doc, answerOf(doc.board)).kind : ""));
  const state = JSON.stringify([kinds, seen.map(({ id }) => id), seen.findIndex((doc) => doc.entry === entry)]);
  if (state === visitedDrawn) return;
  visitedDrawn = state;
  const box = $("visited");
  box.replaceChildren(...seen.map((doc, n) => entryButton(doc, kinds[n], doc.entry === entry)));
  box.scrollLeft = box.querySelector("[aria-pressed=true]")?.offsetLeft - box.clientWidth / 2;
}

// Where something is wrong with a picture, it leads to what puts it right.
/** @param {Doc} doc @param {Verdict["kind"]} kind @param {boolean} isSeen */
function entryButton(doc, kind, isSeen) {
  const { picture, board, shown } = doc;
  const title = picture?.name ?? `Puzzle${board?.free ? "" : ` of ${board?.cols} × ${board?.rows}`}`;
  const made = button("", () => goTo(doc, kind === "warn" || kind === "bad" ? "Correct" : ""), {
    class: kind,
    "aria-pressed": String(isSeen),
    "aria-label": VERDICTS[kind] ? `${title}: ${VERDICTS[kind]}` : title,
    title,
  });
  made.append(shown || !board ? el("img", { src: shown?.url, alt: "" }) : thumbnail(svg("svg"), board));
  return made;
}

/** @param {Doc} doc */
function showViews({ board, picture, pending }) {
  $("switch").hidden = !picture || !board;
  draw(
    $("switch"),
    ["Picture", "Board", "Both"].map((text) =>
      button(text, () => store.set({ view: text.toLowerCase() }), { "aria-pressed": String(ui.view === text.toLowerCase()) }),
    ),
  );
  $("letters").parentElement.hidden = !board || pending;
  $("zoom").hidden = !board || Math.max(board.rows, board.cols, Math.sqrt(geometry(board).cells.length)) <= ZOOMED_FROM;
}

/** @param {Doc} doc */
function showTabs(doc) {
  const { board } = doc;
  for (const name of TABS) {
    const isOpen = !!board && name === ui.tab;
    $(`panel-${name}`).hidden = !isOpen;
    draw($(`panel-${name}`), isOpen ? PANELS[name]({ ...doc, board }) : []);
  }
  search.show();
  writing.show();
  if (!board) return;
  const tab = (/** @type {string} */ name) => ({
    role: "tab",
    id: `tab-${name}`,
    "aria-selected": String(name === ui.tab),
    "aria-controls": `panel-${name}`,
    tabindex: name === ui.tab ? 0 : -1,
  });
  draw(
    $("tabs"),
    TABS.map((name) => button(name, () => acts.open(name), tab(name))),
  );
}
