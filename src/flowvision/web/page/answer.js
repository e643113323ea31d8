// The Answer panel: saving, sharing and hints.

import { see, seenNow, solutionLines, tried } from "./actions.js";
import { file } from "./api.js";
import { flowNames, keyOf, linkOf, placeOf, puzzleOf, textOf } from "./board.js";
import { button, el, iconButton, row } from "./dom.js";
import { linesOfPlay, mistakesIn, stepsOf } from "./pipes.js";
import { answerNow, askAbout } from "./solving.js";
import { NONE, store, ui } from "./state.js";
import { canSave, verdictUnder } from "./verdict.js";
import { watchPanel, watchSearch } from "./watch.js";

// Ask for the next steps after the known ones, with the reason and the colour of their flow; the board outlines their cells.
export async function askHint(/** @type {Line[]} */ known) {
  const { board } = /** @type {Opened} */ (store.now);
  const { record, used } = puzzleOf(board);
  const names = used.map((n) => flowNames(board)[n]).join();
  const places = stepsOf(known).map(([a, b]) => [a, b].map((key) => placeOf(board, key)));
  const { hint, short } = await askAbout("hint", { puzzle: record, kind: "next", known: places, names });
  const steps = hint.map((/** @type {{flow: number, cells: Place[]}} */ { flow, cells }) => ({ flow: used[flow], path: cells }));
  const ink = board.flows[steps[0]?.flow]?.rgb ?? "";
  return { why: short, ink, steps, cells: steps.flatMap((/** @type {Line} */ { path }) => path.map(keyOf)) };
}

// Return the steps shown of the solution, at first the correct pipes on the board.
function shownSteps() {
  const { steps } = seenNow();
  if (ui.isHidden && steps.length) return steps;
  const { played } = store.now;
  const alone = (/** @type {number} */ flow) => played.map((pipe, n) => (n === flow ? pipe : null));
  return linesOfPlay(played).filter(({ flow }) => !mistakesIn(alone(flow), solutionLines()).length);
}

const hint = tried(async () => {
  const known = shownSteps();
  see({ steps: known, lit: [], tone: "", show: null }, { isHidden: true });
  const { steps, why, ink, cells } = await askHint(known);
  if (ui.tab !== "Answer") return;
  see({ why, ink, tone: "tip", steps: [...known, ...steps], lit: cells });
});

// Return the answer as a picture: over its screenshot, or the board alone.
export function drawn(/** @type {string} */ format, /** @type {Doc} */ doc) {
  const { board, frame, picture } = /** @type {Opened} */ (doc);
  const { record, used } = puzzleOf(board);
  const colours = used.map((n) => board.flows[n].rgb).join();
  const query = { format, puzzle: JSON.stringify(record), colours, frame: picture && frame?.join() };
  return file("picture", { query, body: picture?.blob });
}

export const nameOf = (/** @type {Doc} */ { picture }, /** @type {string} */ suffix) =>
  `${(picture?.name ?? "puzzle").replace(/\.[^.]*$/, "")}.solved${suffix}`;

export function download(/** @type {string} */ name, /** @type {Blob} */ blob) {
  const href = URL.createObjectURL(blob);
  el("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
  see({ why: `${name} is ready.` });
}
const save = async (/** @type {string} */ format, /** @type {string} */ suffix) =>
  download(nameOf(store.now, suffix), await drawn(format, store.now));

const copyPicture = tried(async () => {
  await navigator.clipboard.write([new ClipboardItem({ "image/png": drawn("png", store.now) })]);
  see({ why: "The solved picture is on the clipboard." });
});

// Share the solved picture where the system takes one, else a link to the board.
export const share = tried(async () => {
  const doc = store.now;
  const link = textOf(/** @type {Board} */ (doc.board));
  const url = link && `${location.origin}${location.pathname}${linkOf(link)}`;
  const probe = new File([""], "a.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [probe] }) && canSave(doc, answerNow()) && !ui.isHidden) {
    const png = await drawn("png", doc);
    return navigator.share({ files: [new File([png], nameOf(doc, ".png"), { type: "image/png" })], text: url });
  }
  if (navigator.share && url) return navigator.share({ url });
  if (!url) return see({ why: "A board of this kind has no link; save it." });
  const isCopied = await navigator.clipboard?.writeText(url).then(
    () => true,
    () => false,
  );
  see({ why: isCopied ? "The link to this board is on the clipboard." : `A link to this board: ${url}` });
});

export const extra = (/** @type {string} */ name, /** @type {any[]} */ ...children) =>
  el("div", { class: `extra of-${name}${ui.unfolded === name ? "" : " folded"}` }, ...children);
// Return the button that opens an extra part.
/** @param {string} name @param {string} text @param {Record<string, any>} given */
export const unfolder = (name, text, given = {}) =>
  iconButton(name, text, () => store.set({ unfolded: ui.unfolded === name ? "" : name }), {
    ...given,
    "aria-expanded": String(ui.unfolded === name),
  });
export const lettersButton = () =>
  iconButton("letters", "Letters", () => store.set({ letters: !ui.letters }), { "aria-pressed": String(ui.letters) });

export function answerPanel(/** @type {Doc} */ doc) {
  const answer = answerNow();
  const { show: shown } = seenNow();
  if (shown) return watchPanel(shown);
  if (!answer) return [];
  const { isHidden } = ui;
  // A main button of the verdict leads.
  const main = verdictUnder(doc, answer, "Answer").buttons.some((one) => one.main) ? "" : "main";
  const isSolved = answer.status === "solved";
  const isReady = canSave(doc, answer) && !isHidden;
  /** @type {string[][]} name, words and suffix of each */
  const forms = ui.about.formats;
  const show = () => store.set({ isHidden: false, seen: NONE });
  const saver = (/** @type {string[]} */ [form, , suffix]) => tried(() => save(form, suffix));
  const isWatched = answer.status === "unsolvable" || isSolved;
  const next = isHidden && seenNow().steps.length ? "Next hint" : "Hint";
  return [
    row(
      isSolved ? iconButton("hint", next, hint, { "aria-label": "Next hint", class: main, disabled: ui.lost || ui.locked }) : null,
      isSolved && isHidden ? iconButton("show", "Show all", show, { "aria-label": "Show solution" }) : null,
      isReady ? iconButton("save", "Save", saver(forms[0])) : null,
      iconButton("share", "Share", share),
      unfolder("more", "More"),
    ),
    extra(
      "more",
      row(
        lettersButton(),
        isWatched ? iconButton("watch", "Watch the solver", watchSearch) : null,
        isReady && navigator.clipboard && window.isSecureContext ? iconButton("paste", "Copy picture", copyPicture) : null,
      ),
      isReady ? el("h3", { text: "Save as" }) : null,
      isReady ? el("div", { class: "forms" }, ...forms.slice(1).map((form) => button(form[1], saver(form)))) : null,
    ),
  ];
}
