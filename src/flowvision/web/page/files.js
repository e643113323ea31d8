// What is taken away: pictures, JSON, text, a link.

import { answerNow, say, solutionLines } from "./actions.js";
import { faultWords } from "./advice.js";
import { object, queued } from "./api.js";
import { keyOf, LETTERS, puzzleOf, textOf } from "./board.js";
import { bar, button, choice, el } from "./dom.js";
import { answerOf } from "./solving.js";
import { store, ui } from "./state.js";
import { isUntrusted, verdict } from "./verdict.js";
import { zipped } from "./zip.js";

// The pictures of this visit that have their answer.
export const solvedPictures = () => ui.visited.filter((doc) => doc.picture && verdict(doc, answerOf(doc.board)).kind === "good");

// The answer to a state as a file of this form: over its picture, or the board alone.
/** @param {string} format @param {Doc} doc */
function solved(format, { board, frame, rotate, picture } = store.now) {
  const { record, used } = puzzleOf(board ?? store.board);
  const { flows } = board ?? store.board;
  const letters = used.map((n) => flows[n].letter).join("");
  const over = picture && frame;
  const query = {
    format,
    puzzle: JSON.stringify(record),
    colours: used.map((n) => flows[n].rgb).join(),
    letters: letters.includes("?") ? "" : letters,
    frame: over ? frame.join() : "",
    rotate: over ? rotate || "" : "",
  };
  return queued("picture", { query, body: over ? picture.blob : undefined });
}

const stem = ({ picture } = store.now) => (picture?.name ?? "puzzle").replace(/\.[^.]*$/, "");
const tried = (/** @type {() => any} */ work) => async () => {
  try {
    await work();
  } catch (error) {
    say(faultWords(error));
  }
};

/** @param {Blob} blob @param {string} name */
function give(blob, name) {
  const url = URL.createObjectURL(blob);
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  ui.edited = false;
  say(`${name} is ready.`);
}

export const savePicture = tried(async () => give(await solved("png"), `${stem()}.solved.png`));
export const copyPicture = tried(async () => {
  await navigator.clipboard.write([new ClipboardItem({ "image/png": solved("png") })]);
  say("The solved picture is on the clipboard.");
});
export const saveAll = tried(async () => {
  const files = [];
  for (const [n, doc] of solvedPictures().entries()) {
    const data = new Uint8Array(await (await solved("png", doc)).arrayBuffer());
    files.push({ name: `${n + 1} ${stem(doc)}.solved.png`, data });
  }
  give(zipped(files), "solved.zip");
});

function json() {
  const { board } = store;
  const answer = answerNow();
  const { record, used } = puzzleOf(board);
  const { reading, trust } = store.now;
  const flows = used.map((n, i) => ({ ...board.flows[n], ends: record.pairs[i], path: answer?.paths?.[i] ?? [] }));
  const made = { puzzle: record, flows, unique: answer?.unique ?? null, rules: answer?.rules, ...(reading ? { reading, trust } : {}) };
  return JSON.stringify(made, null, 1);
}

// Rows of letters; where those do not suffice, as JSON.
function solutionText() {
  const { board } = store;
  if (board.flows.length > LETTERS.length) return json();
  const at = new Map(solutionLines().flatMap((line) => line.path.map((place) => [keyOf(place), board.flows[line.flow].letter])));
  const cell = (/** @type {Key} */ key) => at.get(key) ?? (board.holes.has(key) ? "#" : ".");
  const row = (/** @type {number} */ r) => Array.from({ length: board.cols }, (_, c) => cell(`${r},${c}`)).join("");
  return Array.from({ length: board.rows }, (_, r) => row(r)).join("\n");
}

const link = () => `${location.origin}/#puzzle=${encodeURIComponent(textOf(store.board))}`;
const puzzLink = async () => (await object("puzzle", { body: JSON.stringify(puzzleOf(store.board).record) })).puzzle.puzz_link;
/** @param {() => string|Promise<string>} text @param {string} what */
const copy = (text, what) =>
  tried(async () => {
    const blob = Promise.resolve(text()).then((one) => new Blob([one], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    say(`${what} is on the clipboard.`);
  });

const saveForm = tried(async () => {
  const { form } = ui;
  if (form === "json") return give(new Blob([json()], { type: "application/json" }), `${stem()}.json`);
  if (form === "solution") return give(new Blob([solutionText()], { type: "text/plain" }), `${stem()}.solved.txt`);
  if (form === "text") return give(new Blob([textOf(store.board)], { type: "text/plain" }), `${stem()}.txt`);
  const [, , suffix] = ui.about.formats.find((/** @type {string[]} */ [one]) => one === form);
  return give(await solved(form), `${stem()}.solved${suffix}`);
});

// The picture in the page, for browsers that give no other way to share it.
const showPicture = tried(async () => {
  const isPicture = ui.about.formats.some((/** @type {any[]} */ [one, , , shown]) => shown && one === ui.form);
  const blob = await solved(isPicture ? ui.form : "png");
  if (ui.result) URL.revokeObjectURL(ui.result.url);
  store.set({ result: { url: URL.createObjectURL(blob), of: store.now.board } });
  say("Long-press or right-click the picture to share it.");
});

// The other forms of an answer, and of a puzzle.
/** @param {Doc & {board: Board}} doc */
export function filesPart(doc) {
  const { board } = doc;
  const done = answerNow()?.status === "solved" && !isUntrusted(doc);
  const text = !board.free;
  const copies = !!navigator.clipboard && window.isSecureContext;
  // The solved picture as PNG is what Save and Copy give.
  const forms = [
    ...(done ? ui.about.formats.filter((/** @type {string[]} */ [name]) => name !== "png") : []),
    ["json", "JSON"],
    ...(text ? [["text", "Puzzle as text"]] : []),
    ...(text && done ? [["solution", "Solution as text"]] : []),
  ];
  if (!forms.some(([name]) => name === ui.form)) ui.form = forms[0][0];
  const isPlain = board.tiling === "square" && ![board.holes, board.walls, board.bridges, board.warps].some((set) => set.size);
  const elsewhere = isPlain && answerNow()?.status !== "incomplete";
  const words = [
    el("span", { text: "Copy as text" }),
    button(
      "Puzzle",
      copy(() => textOf(store.board), "The puzzle"),
    ),
    button("Solution", copy(solutionText, "The solution"), { disabled: !done }),
    button("Link", copy(link, "A link that opens this puzzle in this browser"), { title: "It opens this puzzle in this browser" }),
    ...(elsewhere
      ? [button("puzz.link", copy(puzzLink, "A link for anybody"), { title: "It opens the board as Numberlink at puzz.link" })]
      : []),
  ];
  const { result } = ui;
  return [
    el("h2", { text: "Other forms" }),
    bar(
      choice("Form of the file", forms, ui.form, (form) => store.set({ form })),
      button("Save this form", saveForm),
      button("Show it here", showPicture, { disabled: !done }),
    ),
    ...(copies && text ? [bar(...words)] : []),
    ...(copies ? [] : [el("p", { class: "hint", text: "Over plain HTTP nothing can be copied: save files instead." })]),
    ...(result && result.of === board ? [el("img", { src: result.url, alt: "The solved picture", class: "result" })] : []),
  ];
}
