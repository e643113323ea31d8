// The panel to take things away with: pictures, JSON, text, a link.

import { answerNow, solutionLines } from "./actions.js";
import { queued } from "./api.js";
import { keyOf, LETTERS, numlin, puzzleOf, textOf } from "./board.js";
import { announce, button, el, fill } from "./dom.js";
import { store, ui } from "./state.js";
import { faultWords } from "./words.js";

export function filesPanel() {
  const said = el("p", { role: "status", class: "toast" });
  const result = el("img", { alt: "The solved picture", hidden: true, class: "result" });
  const copies = navigator.clipboard && window.isSecureContext;
  const files = el("div", { class: "bar" });
  const words = el("div", { class: "bar" });
  const fold = el("details", {}, el("summary", { text: "Files, text, link" }), files, el("h2", { text: "Copy" }), words);
  const node = el("div", {}, fold, said, result);
  // `sure`: the row under the verdict saves and copies the picture, and all else is folded away.
  const panel = { name: "Files", node, show, first, sure: false };

  /** @param {string} format @returns {import("./api.js").Request} */
  function query(format) {
    const { board } = store;
    const { record, used } = puzzleOf(board);
    const { frame, rotate, picture } = store.now;
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

  const solved = (/** @type {string} */ format) => queued("picture", query(format));

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

  const stem = () => (store.now.picture?.name ?? "puzzle").replace(/\.[^.]*$/, "");
  const tried = (/** @type {() => any} */ work) => async () => {
    try {
      await work();
    } catch (error) {
      say(faultWords(error));
    }
  };

  async function showPicture() {
    const blob = await solved("png");
    URL.revokeObjectURL(result.src);
    result.src = URL.createObjectURL(blob);
    result.hidden = false;
    say("Long-press or right-click the picture to share it.");
  }

  function json() {
    const { board } = store;
    const answer = answerNow();
    const { record, used } = puzzleOf(board);
    const flows = used.map((n, i) => ({ ...board.flows[n], ends: record.pairs[i], path: answer?.paths?.[i] ?? [] }));
    return JSON.stringify(
      { puzzle: record, flows, unique: answer?.unique ?? null, rules: answer?.rules, reading: store.now.reading ?? undefined },
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
  /** @param {string} text @param {string} what */
  const copy = async (text, what) => {
    await navigator.clipboard.writeText(text);
    say(`${what} is on the clipboard.`);
  };

  const form = el("select", { "aria-label": "Another form" });
  /** @type {Record<string, () => any>} */
  const forms = {
    json: () => give(new Blob([json()], { type: "application/json" }), name(".json")),
    text: () => give(new Blob([textOf(store.board)], { type: "text/plain" }), name(".txt")),
  };

  const name = (/** @type {string} */ end) => stem() + end;
  const savePicture = tried(async () => give(await solved("png"), name(".solved.png")));
  const copyPicture = tried(async () => {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": solved("png") })]);
    say("The solved picture is on the clipboard.");
  });
  // What most want of a sure answer, for the row under the verdict.
  function first() {
    return [button("Save", savePicture, { class: "main" }), ...(copies ? [button("Copy", copyPicture)] : [])];
  }

  /** @type {Board|null} */
  let shownBoard = null;
  let wasSure = false;
  function show() {
    const { board } = store;
    const answer = answerNow();
    const done = answer?.status === "solved";
    const text = !board.free;
    /** @param {string} name @param {() => any} work @param {object} given */
    const make = (name, work, given = {}) => button(name, tried(work), given);
    const { sure } = panel;
    fill(files, [done, text, sure, ui.about.formats], () => [
      ...(sure ? [] : [button("Solved picture", savePicture, { disabled: !done, class: "main" })]),
      make("Show it here", showPicture, { disabled: !done }),
      el(
        "span",
        { class: "steps" },
        form,
        make("Save", () => forms[form.value]()),
      ),
    ]);
    for (const [form, , suffix] of ui.about.formats) forms[form] = async () => give(await solved(form), name(suffix));
    const offered = [
      ...(done ? ui.about.formats.filter((/** @type {string[]} */ [name]) => name !== "png") : []),
      ["json", "JSON"],
      ...(text ? [["text", "Text"]] : []),
    ];
    fill(form, offered, () => offered.map(([value, words]) => el("option", { value, text: words })));
    fill(words, [done, sure, numlin(board), text], () => [
      ...(copies
        ? [
            ...(sure ? [] : [button("Picture", copyPicture, { disabled: !done })]),
            ...(text
              ? [
                  make("Puzzle", () => copy(textOf(store.board), "The puzzle")),
                  make("Solution", () => copy(solutionText(), "The solution"), { disabled: !done }),
                  make("Link", () => copy(link(), "A link that opens this puzzle here")),
                  ...(numlin(board) ? [make("puzz.link", () => copy(numlin(board), "A link for anybody"))] : []),
                ]
              : []),
          ]
        : [
            el("p", {
              class: "hint",
              text: "Over plain HTTP there is no clipboard: save the files, or select the text under “Make”.",
            }),
          ]),
    ]);
    if (shownBoard !== board || wasSure !== sure) fold.open = !sure;
    wasSure = sure;
    if (shownBoard !== board) {
      shownBoard = board;
      result.hidden = true;
      said.textContent = "";
    }
  }
  return panel;
}
