// What is taken away: pictures, text, links.

import { say, tried } from "./actions.js";
import { file, object } from "./api.js";
import { puzzleOf, textOf } from "./board.js";
import { bar, button, choice, el } from "./dom.js";
import { answerNow, answerOf } from "./solving.js";
import { store, ui } from "./state.js";
import { isUntrusted, verdict } from "./verdict.js";

export const canCopy = () => !!navigator.clipboard && window.isSecureContext;
export const solvedPictures = () => [...store.pictures.values()].filter((doc) => verdict(doc, answerOf(doc.board)).kind === "good");

// Return the answer to a state as a picture: over its screenshot, or the board alone.
/** @param {string} format @param {Doc} doc */
function drawn(format, { board, frame, rotate, picture } = store.now) {
  const { record, used } = puzzleOf(board ?? store.board);
  const flows = used.map((n) => (board ?? store.board).flows[n]);
  const letters = flows.map(({ letter }) => letter).join("");
  const query = {
    format,
    puzzle: JSON.stringify(record),
    colours: flows.map(({ rgb }) => rgb).join(),
    letters: letters.includes("?") ? "" : letters,
    frame: picture && frame?.join(),
    rotate: (picture && rotate) || "",
  };
  return file("picture", { query, body: picture?.blob });
}

const stem = ({ picture } = store.now) => (picture?.name ?? "puzzle").replace(/\.[^.]*$/, "");

/** @param {Blob} blob @param {string} name */
function give(blob, name) {
  const url = URL.createObjectURL(blob);
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  store.set({ edited: false });
  say(`${name} is ready.`);
}
/** @param {string} type @param {Blob|Promise<Blob>} blob @param {string} words */
async function copy(type, blob, words) {
  await navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
  say(`${words} is on the clipboard.`);
}

export const savePicture = tried(async () => give(await drawn("png"), `${stem()}.solved.png`));
export const copyPicture = tried(() => copy("image/png", drawn("png"), "The solved picture"));
export const saveAll = tried(async () => {
  for (const doc of solvedPictures()) give(await drawn("png", doc), `${stem(doc)}.solved.png`);
});

/** @type {[form: string, words: string, suffix: string, make: () => string|Promise<string>][]} */
const TEXTS = [
  ["text", "Puzzle as text", ".txt", () => textOf(store.board)],
  [
    "link",
    "Link to the puzzle in this browser",
    ".link.txt",
    () => `${location.origin}/#puzzle=${encodeURIComponent(textOf(store.board))}`,
  ],
  ["puzz.link", "Link to puzz.link, for everyone", ".link.txt", async () => (await object("puzzle", asked())).puzzle.puzz_link],
];
const asked = () => ({ body: JSON.stringify(puzzleOf(store.board).record) });

// Return the forms of the answer to now: texts only of boards with rows and columns, puzz.link only of squares with dots alone.
function formsNow() {
  const { free, tiling, holes, walls, bridges, warps } = store.board;
  const isPlain = tiling === "square" && ![holes, walls, bridges, warps].some((set) => set.size);
  const isText = (/** @type {string} */ form) => !free && (form !== "puzz.link" || isPlain);
  const pictures = ui.about.formats.filter((/** @type {string[]} */ [form]) => form !== "png"); // that is "Save"
  return [...pictures, ...TEXTS.filter(([form]) => isText(form))];
}

const formNow = () => formsNow().find(([form]) => form === ui.form) ?? formsNow()[0];

const saveForm = tried(async () => {
  const [form, , suffix, make] = formNow();
  if (make) give(new Blob([await make()], { type: "text/plain" }), stem() + suffix);
  else give(await drawn(form), `${stem()}.solved${suffix}`);
});
const copyForm = tried(async () => {
  const [, words, , make] = formNow();
  const text = Promise.resolve(make()).then((one) => new Blob([one], { type: "text/plain" }));
  await copy("text/plain", text, words);
});

// Offer the other forms of an answer that is trusted.
/** @param {Doc & {board: Board}} doc @returns {Element[]} */
export function filesPart(doc) {
  if (answerNow()?.status !== "solved" || isUntrusted(doc)) return [];
  const [form, , , make] = formNow();
  return [
    el("h2", { text: "Other forms" }),
    bar(
      choice("Form of the file", formsNow(), form, (form) => store.set({ form })),
      button("Save this form", saveForm),
      make && canCopy() ? button("Copy this form", copyForm) : null,
    ),
  ];
}
