// The panel to take things away with: pictures, JSON, text, a link.

import { answerNow, solutionLines } from "./actions.js";
import { object, queued } from "./api.js";
import { keyOf, LETTERS, puzzleOf, textOf } from "./board.js";
import { announce, button, el, fill } from "./dom.js";
import { answerOf } from "./solving.js";
import { store, ui } from "./state.js";
import { faultWords, isUntrusted, verdict } from "./words.js";

// The pictures of this visit that have their answer.
export const solvedPictures = () => ui.visited.filter((doc) => doc.picture && verdict(doc, answerOf(doc.board)).kind === "good");

export function filesPanel() {
  const said = el("p", { role: "status", class: "toast" });
  const result = el("img", { alt: "The solved picture", hidden: true, class: "result" });
  const copies = navigator.clipboard && window.isSecureContext;
  const files = el("div", { class: "bar" });
  const words = el("div", { class: "bar" });
  const hint = (/** @type {string} */ text) => el("p", { class: "hint", text });
  const elsewhere = el(
    "details",
    {},
    el("summary", { text: "A link for people without Flowvision" }),
    hint("It opens this board at puzz.link, a free site to play puzzles on. Flow is called Numberlink there: numbers in place of colours."),
    button("Copy the puzz.link address", () => copyElsewhere()),
  );
  const node = el("div", {}, files, words, elsewhere, said, result);

  /** @param {string} format @param {Doc & {board: Board}} doc @returns {import("./api.js").Request} */
  function query(format, { board, frame, rotate, picture }) {
    const { record, used } = puzzleOf(board);
    const letters = used.map((n) => board.flows[n].letter).join("");
    const over = picture && frame;
    return {
      query: {
        format,
        puzzle: JSON.stringify(record),
        colours: used.map((n) => board.flows[n].rgb).join(),
        letters: letters.includes("?") ? "" : letters,
        frame: over ? frame.join() : "",
        rotate: over ? rotate || "" : "",
      },
      body: over ? picture.blob : undefined,
    };
  }

  /** @param {string} format @param {Doc} doc */
  const solved = (format, doc = store.now) => queued("picture", query(format, { ...doc, board: doc.board ?? store.board }));

  /** @param {Blob} blob @param {string} name */
  function give(blob, name) {
    const url = URL.createObjectURL(blob);
    el("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    ui.edited = false;
    say(`${name} is ready.`);
  }

  /** @type {number|undefined} */
  let fading;
  function say(/** @type {string} */ sentence) {
    said.textContent = sentence;
    announce(sentence);
    clearTimeout(fading);
    fading = setTimeout(() => (said.textContent = ""), 8000);
  }

  const stem = ({ picture } = store.now) => (picture?.name ?? "puzzle").replace(/\.[^.]*$/, "");
  const tried = (/** @type {() => any} */ work) => async () => {
    try {
      await work();
    } catch (error) {
      say(faultWords(error));
    }
  };

  function json() {
    const { board } = store;
    const answer = answerNow();
    const { record, used } = puzzleOf(board);
    const { reading, trust } = store.now;
    const flows = used.map((n, i) => ({ ...board.flows[n], ends: record.pairs[i], path: answer?.paths?.[i] ?? [] }));
    return JSON.stringify(
      { puzzle: record, flows, unique: answer?.unique ?? null, rules: answer?.rules, ...(reading ? { reading, trust } : {}) },
      null,
      1,
    );
  }

  // Rows of letters; where those do not suffice, as JSON.
  function solutionText() {
    const { board } = store;
    if (board.flows.length > LETTERS.length) return json();
    const at = new Map(solutionLines().flatMap((line) => line.path.map((place) => [keyOf(place), board.flows[line.flow].letter])));
    const rows = [];
    for (let r = 0; r < board.rows; r++)
      rows.push([...Array(board.cols).keys()].map((c) => at.get(`${r},${c}`) ?? (board.holes.has(`${r},${c}`) ? "#" : ".")).join(""));
    return rows.join("\n");
  }

  const link = () => `${location.origin}/#puzzle=${encodeURIComponent(textOf(store.board))}`;
  const puzzLink = async () => (await object("puzzle", { body: JSON.stringify(puzzleOf(store.board).record) })).puzzle.puzz_link;
  const copyElsewhere = tried(() => copy(puzzLink(), "A link for anybody"));
  /** @param {string|Promise<string>} text @param {string} what */
  const copy = async (text, what) => {
    const blob = Promise.resolve(text).then((one) => new Blob([one], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    say(`${what} is on the clipboard.`);
  };

  const form = el("select", { "aria-label": "Form of the file" });
  let chosen = "";
  form.addEventListener("change", () => {
    chosen = form.value;
  });
  const savePicture = tried(async () => give(await solved("png"), `${stem()}.solved.png`));
  const saveAll = tried(async () => {
    for (const doc of solvedPictures()) give(await solved("png", doc), `${stem(doc)}.solved.png`);
  });
  const copyPicture = tried(async () => {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": solved("png") })]);
    say("The solved picture is on the clipboard.");
  });
  // What most want of an answer, for the row under the verdict; `disabled`: not before somebody has compared it.
  function first(/** @type {boolean} */ disabled) {
    const { length } = solvedPictures();
    return [
      button("Save", savePicture, { class: disabled ? "" : "main", disabled }),
      ...(copies ? [button("Copy", copyPicture, { disabled })] : []),
      ...(length > 1 && !disabled ? [button(`Save all ${length} solved`, saveAll)] : []),
    ];
  }

  async function saveFile() {
    const kind = form.value;
    if (kind === "json") return give(new Blob([json()], { type: "application/json" }), `${stem()}.json`);
    if (kind === "solution") return give(new Blob([solutionText()], { type: "text/plain" }), `${stem()}.solved.txt`);
    if (kind === "text") return give(new Blob([textOf(store.board)], { type: "text/plain" }), `${stem()}.txt`);
    const [, , suffix] = ui.about.formats.find((/** @type {string[]} */ [one]) => one === kind);
    give(await solved(kind), `${stem()}.solved${suffix}`);
  }

  async function showPicture() {
    const isPicture = ui.about.formats.some((/** @type {any[]} */ [one, , , shown]) => shown && one === form.value);
    const blob = await solved(isPicture ? form.value : "png");
    URL.revokeObjectURL(result.src);
    result.src = URL.createObjectURL(blob);
    result.hidden = false;
    say("Long-press or right-click the picture to share it.");
  }

  /** @type {Board|null} */
  let shownBoard = null;
  function show() {
    const { board } = store;
    const answer = answerNow();
    const isUnsure = isUntrusted(store.now);
    const done = answer?.status === "solved" && !isUnsure;
    const text = !board.free;
    /** @param {string} name @param {() => any} work @param {boolean} [disabled] */
    const make = (name, work, disabled) => button(name, tried(work), { disabled });
    // The solved picture as PNG is what Save and Copy under the verdict give.
    const offered = [
      ...(done ? ui.about.formats.filter((/** @type {string[]} */ [name]) => name !== "png") : []),
      ["json", "JSON"],
      ...(text ? [["text", "Puzzle as text"]] : []),
      ...(text && done ? [["solution", "Solution as text"]] : []),
    ];
    fill(files, [done, offered], () => {
      form.replaceChildren(...offered.map(([value, words]) => el("option", { value, text: words, selected: value === chosen })));
      return [el("span", { text: "Other forms" }), form, make("Save this form", saveFile), make("Show it here", showPicture, !done)];
    });
    // There is a board of squares with nothing but pairs of dots on it.
    const isPlain =
      board.tiling === "square" &&
      answer?.status !== "incomplete" &&
      ![board.holes, board.walls, board.bridges, board.warps].some((set) => set.size);
    fill(words, [done, text], () =>
      !copies
        ? [hint("Over plain HTTP nothing can be copied: save files, or select the text under “Make”.")]
        : text
          ? [
              el("span", { text: "Copy as text" }),
              make("Puzzle", () => copy(textOf(store.board), "The puzzle")),
              make("Solution", () => copy(solutionText(), "The solution"), !done),
              make("Link", () => copy(link(), "A link that opens this puzzle in this browser")),
            ]
          : [],
    );
    elsewhere.hidden = !copies || !isPlain;
    if (shownBoard === board) return;
    shownBoard = board;
    result.hidden = true;
    said.textContent = "";
  }
  return { name: "Files", node, show, first };
}
