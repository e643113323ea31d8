// What is seen, drawn from the state alone.

import { answerNow, boxOf, changeSide, confirmBoard, goTo, lineOf, placeCrop, readCrop, repair, reveal, solutionLines } from "./actions.js";
import { dotsOf, flowNames, geometry, keyOf, placeWords, puzzleOf } from "./board.js";
import { correctPanel } from "./correct.js";
import { CropBox } from "./crop.js";
import { detailsPanel } from "./details.js";
import { $, button, dress, el, fill, svg } from "./dom.js";
import { repaired, withDots } from "./edits.js";
import { filesPanel, solvedPictures } from "./files.js";
import { learnPanel } from "./learn.js";
import { makePanel } from "./make.js";
import { isSolved, linesOfPlay, mistakesIn } from "./pipes.js";
import { playPanel } from "./play.js";
import { attach } from "./pointer.js";
import { boxRound, readAgain, retry, stopReading } from "./reading.js";
import { answerOf } from "./solving.js";
import { isOfPhone, playOnPhone, showStart } from "./start.js";
import { store, ui } from "./state.js";
import { BoardView, mapper, path, thumbnail } from "./view.js";
import { boardsIn, dotsAdvised, edgesOf, isUntrusted, placesNamed, sizeSeen, verdict, whyLocked } from "./words.js";

const DOUBT = 0.3;
const SURE = 0.9;
const MARGIN = 0.06;
const ZOOMED_FROM = 12;

export const view = new BoardView($("board"));
const overlay = new BoardView($("overlay"), { bare: true });
const cropper = new CropBox($("overlay"), placeCrop, readCrop);
const shot = svg("image", { preserveAspectRatio: "none" });
// Where the cells lie that are tried as long as the picture is read.
const tried = svg("path");
overlay.layers.shot.append(shot, tried);
const learn = learnPanel();
const play = playPanel();
const files = filesPanel();
/** @type {Panel[]} */
const panels = [files, correctPanel(), learn, play, makePanel(), detailsPanel()];
export const visiblePanels = () => panels.filter((panel) => !panel.pictured || store.now.picture);

attach(view);
attach(overlay);
for (const panel of panels) {
  Object.assign(panel.node, { id: `panel-${panel.name}`, role: "tabpanel" }).setAttribute("aria-labelledby", `tab-${panel.name}`);
  $("panels").append(panel.node);
}

const current = () => (visiblePanels().some((panel) => panel.name === ui.tab) ? ui.tab : "Files");

// What to look at first: dots without a partner and, as long as the board is as it was read, those that were seen worst.
/** @param {Doc & {board: Board}} doc @returns {Key[]} */
function doubtful({ read, board, reading, picture, trust }) {
  if (trust === "confirmed") return [];
  const named = placesNamed(store.now).filter((key) => geometry(board).of.has(key));
  if (named.length || edgesOf(store.now).length) return named;
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

// No solution is drawn while the verdict is red, and none where somebody plays.
/** @param {Doc} doc @param {string} kind @returns {Line[]} */
function linesShown(doc, kind) {
  if (ui.tab === "Play") return linesOfPlay(doc.played);
  if (doc.pending) return [];
  if (ui.over && ui.over.of === doc.board) return ui.over.lines;
  const isHere = ui.shown.of === undefined || ui.shown.of === doc.board;
  if (ui.shown.mode === "part" || (ui.shown.mode === "one" && isHere)) return isHere ? ui.shown.steps : [];
  return kind === "bad" ? [] : solutionLines();
}

const LOST = "Flowvision does not answer. Look whether `flowvision web` still runs; this page waits for it.";
const LOCKED =
  " Open the address that the terminal shows, in this browser: this page then goes on. It opens once; where it was used before, start `flowvision web` again.";

// What keeps everything else from working is said until it is over, whatever else was to be said.
export function showNotice() {
  const said = ui.lost ? LOST : ui.locked ? whyLocked() + LOCKED : ui.notice;
  $("notice").textContent = said;
  $("notice").hidden = !said;
  document.body.classList.toggle("locked", ui.locked && !store.now.board && !store.now.picture);
  $("notice").classList.toggle("passing", said === ui.notice); // it moves nothing that a finger is about to touch
}

export function render() {
  const doc = store.now;
  const { board, picture } = doc;
  const said = verdict(doc, answerNow());
  showNotice();
  $("undo").disabled = !store.can(-1);
  $("redo").disabled = !store.can(1);
  $("start").hidden = !!(board || picture);
  if (!$("start").hidden) showStart();
  const place = $(board || picture ? "undo" : "camera");
  if (place.previousElementSibling !== $("phone")) place.before($("phone"));
  $("work").hidden = $("another").hidden = !(board || picture);
  document.body.classList.toggle("busy", doc.pending);
  $("work").classList.toggle("cropping", !!ui.crop);
  $("picture-pane").hidden = !picture;
  // Both are compared where something may be wrong; else one is seen, large.
  const isOne = !picture || (current() !== "Correct" && !["bad", "warn"].includes(said.kind));
  $("panes").classList.toggle("alone", isOne);
  $("panes").dataset.view = picture && board ? ui.view : picture ? "picture" : "board";
  $("panes").dataset.tab = current();
  $("board-pane").hidden = $("tabs").hidden = $("panels").hidden = !board;
  $("switch").hidden = !picture || !board;
  $("bare").parentElement.hidden = !board || current() === "Play" || !linesShown(doc, said.kind).length;
  const drawn = board
    ? {
        lines: linesShown(doc, said.kind),
        lit: ui.shown.of === board ? ui.shown.lit : [],
        doubts: ui.tab === "Play" ? (ui.mistakes ? mistakesIn(doc.played, solutionLines()) : []) : doubtful({ ...doc, board }),
        letters: ui.letters,
      }
    : {};
  say(said, !!drawn.doubts?.length);
  if (picture) paintPicture(doc, ui.tab === "Play" ? { ...drawn, lines: [] } : drawn);
  showSwitch();
  showVisited(doc);
  if (board) view.show(board, null, drawn);
  paintLoupe();
  if (!board) return;
  $("zoom").hidden = Math.max(board.rows, board.cols, Math.sqrt(geometry(board).cells.length)) <= ZOOMED_FROM;
  for (const panel of panels) panel.show(panel.name === current());
  showTabs();
}

// How many pixels the picture has for the reader: a browser may show a smaller one.
/** @param {Shown} shown @param {any} reading @returns {number[]} */
const sizeOf = ({ width, height }, reading) => (reading?.seen?.picture?.length ? reading.seen.picture : [width, height]);

/** @param {Doc} doc @param {Drawn} drawn */
function paintPicture(doc, drawn) {
  const { board, frame, shown, reading, pending } = doc;
  if (!shown) return;
  const [w, h] = sizeOf(shown, pending ? null : reading);
  if (shot.getAttribute("href") !== shown.url) shot.setAttribute("href", shown.url);
  dress(shot, { x: -0.5, y: -0.5, width: w, height: h });
  // Where no board was seen, it may lie anywhere in the picture.
  const isFound = !!board && !!frame && (!ui.crop || reading?.ok || !!reading?.seen?.board);
  const box = ui.whole || !isFound ? [0, 0, w, h] : (ui.crop ?? within(boxOf(board, frame), w, h));
  const edge = ui.crop ? 0.17 * Math.max(box[2], box[3]) : 0;
  if (!cropper.isHeld)
    $("overlay").setAttribute("viewBox", [box[0] - 0.5 - edge, box[1] - 0.5 - edge, box[2] + 2 * edge, box[3] + 2 * edge].join(" "));
  $("whole").setAttribute("aria-pressed", String(ui.whole));
  if (board && frame) overlay.show(board, frame, drawn);
  for (const layer of ["numbers", "lines", "dots", "lit", "ruling", "rings"])
    overlay.layers[layer].style.display = ui.bare || ui.crop || !board || pending ? "none" : "";
  const { outline_px } = doc.tried;
  tried.setAttribute("d", pending && outline_px ? path(outline_px, true) : "");
  cropper.show(ui.crop, [w, h], ui.crop && reading && !reading.ok && board?.tiling === "square" ? [board.rows, board.cols] : null);
  $("crop").textContent = ui.crop ? "Read this part" : "Crop";
  $("crop").setAttribute("aria-pressed", String(!!ui.crop));
  $("uncrop").hidden = !ui.crop;
  $("whole").hidden = !isFound;
  $("crop").disabled = $("turn").disabled = pending;
}

/** @type {Picture|null} */
let lookedAt = null;

// The picture round the cell that was chosen, else the edge that cuts the board, or the first cell in doubt, while it is put right.
function paintLoupe() {
  const { board, frame, shown, pending, picture } = store.now;
  if (lookedAt !== picture) [lookedAt, view.chosen] = [picture, ""];
  const isOpen = current() === "Correct" && shown && frame && board && view.board === board && !pending && !ui.crop;
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

// The outline of the row or column that the picture ends in.
/** @param {Board} board @param {Edge} edge */
function lineAt({ rows, cols }, { line, n }) {
  const [x0, y0, x1, y1] = line === "row" ? [0, n - 1, cols, n] : [n - 1, 0, n, rows];
  return [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ]; // prettier-ignore
}
view.onRove = paintLoupe;

// The board with a margin, as far as the picture goes; beyond it while the board is put right.
/** @param {number[]} box @param {number} width @param {number} height */
function within([x, y, w, h], width, height) {
  const m = MARGIN * Math.max(w, h);
  if (current() === "Correct") return [x - m, y - m, w + 2 * m, h + 2 * m]; // numbers stand there
  const [x0, y0] = [Math.max(0, x - m), Math.max(0, y - m)];
  return [x0, y0, Math.max(20, Math.min(width, x + w + m) - x0), Math.max(20, Math.min(height, y + h + m) - y0)];
}

export function crop() {
  if (ui.crop) return readCrop();
  const { crop: last, board, frame, shown, reading } = store.now;
  if (shown) store.set({ crop: last ?? (board && frame ? boxOf(board, frame) : [0, 0, ...sizeOf(shown, reading)]) });
  $("picture-pane").scrollIntoView({ block: "nearest" });
}

// The next step: in play as that goes on from one's own pipes, else under "Learn".
export function nextHint() {
  if (current() === "Play") return play.hint();
  if (current() !== "Learn") open("Learn");
  learn.hint();
}

export function watchSolution() {
  open("Learn");
  learn.play();
}

function hintInstead() {
  store.set({ view: "board" });
  nextHint();
}

function otherSolution() {
  open("Learn");
  learn.others();
}

/** @param {Verdict} verdict @param {boolean} isRinged */
function say({ kind, words, more, confirm, again }, isRinged) {
  const { board, played, pending } = store.now;
  const answer = answerNow();
  const isPlay = current() === "Play";
  const isElsewhere = answer?.status === "solved" && !["Play", "Learn", "Correct"].includes(current());
  const isHidden = isElsewhere && ui.shown.mode === "part";
  if (isPlay && board && isSolved(board, played) && isUntrusted(store.now)) words = `Solved as it stands here. ${words}`;
  else if (isPlay && board && isSolved(board, played)) [kind, words, more, confirm] = ["good", "Solved!", "", false];
  else if (isPlay && kind === "good")
    [kind, words, more] = ["", `There is ${answer?.unique ? "exactly one solution: find it" : "more than one solution: find one"}.`, ""];
  else if (isHidden && kind === "good") words = words.replace("Solved: there", "There");
  else if (isRinged && !isPlay && !/ringed/.test(more)) more += " Ringed: what to look at first.";
  $("verdict").className = kind;
  if ($("words").textContent !== words) $("words").textContent = words;
  $("more").textContent = more;
  const isSure = kind === "good" && !!store.now.picture && !isPlay;
  const isSaved = isSure || (current() === "Files" && !!board && answer?.status === "solved" && !confirm);
  const isOneOf = isElsewhere && answer.unique === false;
  const cut = pending ? [] : edgesOf(store.now);
  const boards = boardsIn(store.now);
  const [rows, cols] = sizeSeen(store.now);
  const advised = pending ? [] : dotsAdvised(store.now);
  fill(
    $("next"),
    [
      confirm,
      again,
      isSure,
      isSaved,
      isHidden,
      isOneOf,
      cut,
      isOfPhone(store.now),
      current(),
      boards,
      rows,
      advised,
      pending,
      solvedPictures().length,
    ],
    () => [
      ...boards.map(({ name, crop, grid }) =>
        button(`Read the ${name} board`, () => readAgain({ crop, grid }), { class: boards.length > 1 ? "" : "main" }),
      ),
      ...(rows ? [button(`Read it as ${cols} × ${rows}`, () => readAgain({ grid: [rows, cols] }), { class: "main" })] : []),
      ...(advised.length ? [button(adviceWords(advised), () => repair(withDots(store.board, advised)), { class: "main" })] : []),
      ...(confirm ? [...files.first(true), button("It is right", confirmBoard, { class: "main" })] : []),
      ...(pending && store.can(-1) ? [button("Stop", stopReading)] : []),
      ...(again ? [button("Read it again", retry, { class: "main" })] : []),
      ...cut.flatMap(({ side, isHere }) => [
        ...(isHere ? [] : [button(`Add a ${lineOf(side)} at the ${side}`, () => changeSide(side, 1, true))]),
        button(`The ${lineOf(side)} at the ${side} is not part of the board`, () => changeSide(side, -1)),
      ]),
      ...(isHidden ? [button("Play it", () => open("Play")), button("Show the solution", () => reveal("all"))] : []),
      ...(isOneOf ? [button("Another solution", otherSolution)] : []),
      ...(isSaved ? files.first(false) : []),
      ...(isSure
        ? [
            ...(current() === "Learn" ? [] : [button("A hint instead", hintInstead)]),
            ...(current() === "Correct" ? [] : [button("Something is wrong?", () => open("Correct"))]),
            ...(isOfPhone(store.now) ? [button("Play it on the phone", playOnPhone)] : []),
          ]
        : []),
    ],
  );
  // Of a board that the picture cuts, a dot that is moved puts nothing right.
  const repairs = (pending || edgesOf(store.now).length ? [] : (answer?.repairs ?? [])).filter(isOfRead).slice(0, 6);
  fill($("repairs"), repairs, () =>
    repairs.length
      ? [
          el("p", {
            class: "hint",
            text: `With ${repairs.length > 1 ? "one of these changes" : "this change"} there is exactly one solution:`,
          }),
          ...repairs.map((one) => button(one.text, () => repair(repaired(store.board, one, puzzleOf(store.board).used)))),
        ]
      : [],
  );
  keepPlace();
}

// What a press does: with it there is exactly one solution.
/** @param {{key: Key, letter: string}[]} dots */
function adviceWords(dots) {
  const { board } = store;
  const said = dots.map(({ key, letter }) => {
    const flow = board.flows.findIndex((one) => one.letter === letter);
    return `${flowNames(board)[flow] ?? letter} in ${placeWords(board, key)}`;
  });
  return `Put ${said.join(" and ")}`;
}

// Whether a repair leaves what a person has set: it changes cells that are as they were read.
function isOfRead(/** @type {Repair} */ { changes }) {
  const { board, read } = store.now;
  const at = (/** @type {Board|null|undefined} */ one, /** @type {Place} */ place) => one?.flows[one.dots.get(keyOf(place)) ?? -1]?.rgb;
  return changes.every((one) => [one.read, one.meant].every((place) => at(board, place) === at(read?.board, place)));
}

// While fingers are on a board that is put right, it does not move up under them: what is said above it may become less.
let placed = 0;
let isOnBoard = false;
addEventListener("pointerdown", ({ target }) => (isOnBoard = target instanceof SVGElement && !!target.closest("#board, #overlay")), true);
function keepPlace() {
  const height = ["verdict", "next", "repairs"].reduce((sum, id) => sum + $(id).offsetHeight, 0);
  placed = isOnBoard && current() === "Correct" ? Math.max(placed, height) : height;
  $("say").style.setProperty("--spare", `${placed - height}px`);
  $("panes").style.setProperty("--above", `${placed + $("switch").offsetHeight + $("zoom").offsetHeight}px`);
}

// The entries of this visit, pictures with their verdicts; nothing for a single one.
const VERDICTS = { good: "solved", warn: "to compare", bad: "refused", "": "" };
function showVisited(/** @type {Doc} */ { entry }) {
  const seen = ui.visited.length > 1 ? ui.visited.filter((doc) => doc.shown || !doc.picture) : [];
  const kinds = seen.map((doc) => (doc.picture || doc.reading ? verdict(doc, answerOf(doc.board)).kind : ""));
  const box = $("visited");
  const isNew = fill(box, [kinds, seen.map((doc) => doc.id), seen.findIndex((doc) => doc.entry === entry)], () =>
    seen.map((doc, n) => {
      const { picture, board, shown } = doc;
      const [kind, title] = [kinds[n], picture?.name ?? `Puzzle${board?.free ? "" : ` of ${board?.cols} × ${board?.rows}`}`];
      // Where something is wrong with a picture, to what puts it right.
      const made = button("", () => goTo(doc, kind === "warn" || kind === "bad" ? "Correct" : ""), {
        class: kind,
        "aria-pressed": String(doc.entry === entry),
        "aria-label": VERDICTS[kind] ? `${title}: ${VERDICTS[kind]}` : title,
        title,
      });
      made.append(shown || !board ? el("img", { src: shown?.url, alt: "" }) : thumbnail(svg("svg"), board));
      return made;
    }),
  );
  if (isNew) box.scrollLeft = box.querySelector("[aria-pressed=true]")?.offsetLeft - box.clientWidth / 2;
}

function showSwitch() {
  fill($("switch"), ui.view, () =>
    [
      ["picture", "Picture"],
      ["board", "Board"],
    ].map(([name, text]) => button(text, () => store.set({ view: name }), { "aria-pressed": String(ui.view === name) })),
  );
}

function showTabs() {
  const now = current();
  const had = document.activeElement?.parentElement === $("tabs");
  fill($("tabs"), [now, !!store.now.picture], () =>
    visiblePanels().map((panel) =>
      button(panel.name, () => open(panel.name), {
        role: "tab",
        id: `tab-${panel.name}`,
        "aria-selected": String(panel.name === now),
        "aria-controls": `panel-${panel.name}`,
        tabindex: panel.name === now ? 0 : -1,
      }),
    ),
  );
  for (const panel of panels) panel.node.hidden = panel.name !== now;
  if (had) $(`tab-${now}`).focus();
}

export function open(/** @type {string} */ name) {
  learn.stop();
  store.set({ tab: name, crop: null, over: null, shown: { ...ui.shown, lit: [] }, ...(name === "Play" ? { view: "board" } : {}) });
  $(`panel-${name}`).firstElementChild.scrollIntoView({ block: "nearest" });
}
