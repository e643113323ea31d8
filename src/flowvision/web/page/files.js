// What is taken away: the answer as a picture.

import { say, tried } from "./actions.js";
import { file } from "./api.js";
import { puzzleOf } from "./board.js";
import { bar, button, choice, el } from "./dom.js";
import { answerNow, answerOf } from "./solving.js";
import { store, ui } from "./state.js";
import { isUntrusted, verdict } from "./verdict.js";

export const canCopy = () => !!navigator.clipboard && window.isSecureContext;
export const solvedPictures = () => [...store.pictures.values()].filter((doc) => verdict(doc, answerOf(doc.board)).kind === "good");

// Return the answer to a state as a picture: over its screenshot, or the board alone.
/** @param {string} format @param {Doc} doc */
function drawn(format, { board, frame, rotate, picture } = store.now) {
  const whole = board ?? store.board;
  const { record, used } = puzzleOf(whole);
  const flows = used.map((n) => whole.flows[n]);
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

/** @param {string} format @param {string} suffix */
async function save(format, suffix, doc = store.now) {
  const href = URL.createObjectURL(await drawn(format, doc));
  const name = `${(doc.picture?.name ?? "puzzle").replace(/\.[^.]*$/, "")}.solved${suffix}`;
  el("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
  say(`${name} is ready.`);
}

export const savePicture = tried(() => save("png", ".png"));
export const saveAll = tried(async () => {
  for (const doc of solvedPictures()) await save("png", ".png", doc);
});
export const copyPicture = tried(async () => {
  await navigator.clipboard.write([new ClipboardItem({ "image/png": drawn("png") })]);
  say("The solved picture is on the clipboard.");
});

// Offer the other forms of an answer that is trusted.
/** @param {Doc} doc @returns {Element[]} */
export function filesPart(doc) {
  if (answerNow()?.status !== "solved" || isUntrusted(doc)) return [];
  /** @type {string[][]} name, words and suffix of each */
  const forms = ui.about.formats.slice(1); // the first is that of "Save"
  const [form, , suffix] = forms.find(([name]) => name === ui.form) ?? forms[0];
  return [
    el("h2", { text: "Other forms" }),
    bar(
      choice("Form of the file", forms, form, (form) => store.set({ form })),
      button(
        "Save this form",
        tried(() => save(form, suffix)),
      ),
    ),
  ];
}
