// The panel that shows how a picture was read: a small picture of every stage, drawn when it is looked at.

import { drawStages } from "./api.js";
import { button, el } from "./dom.js";
import { store } from "./state.js";
import { faultWords } from "./words.js";

/** @returns {Panel} */
export function detailsPanel() {
  const strip = el("div", { class: "strip" });
  const times = el("p", { class: "hint" });
  const large = el("dialog", { class: "wide", "aria-label": "A stage of reading", onclick: () => large.close() });
  const node = el("div", {}, strip, times, large);
  /** @type {any} */
  let of = null;
  /** @type {string[]} */
  const urls = [];

  /** @param {import("./api.js").StagePicture} stage @returns {Element} */
  function figure({ title, caption, jpeg }) {
    const url = URL.createObjectURL(new Blob([Uint8Array.from(atob(jpeg), (one) => one.charCodeAt(0))], { type: "image/jpeg" }));
    urls.push(url);
    const words = el("figcaption", {}, el("b", { text: title }), ` ${caption}`);
    const open = button("", () => enlarge(url, words), { "aria-label": `${title}: larger` });
    open.append(el("img", { src: url, alt: "" }));
    return el("figure", {}, open, words);
  }

  /** @param {string} url @param {Element} words */
  function enlarge(url, words) {
    large.replaceChildren(
      el("img", { src: url, alt: "" }),
      words.cloneNode(true),
      button("Close", () => large.close()),
    );
    large.showModal();
  }

  /** @param {Picture} picture @param {any} reading */
  async function load(picture, reading) {
    strip.replaceChildren(el("p", { text: "Drawing what was seen …" }));
    for (const url of urls.splice(0)) URL.revokeObjectURL(url);
    /** @type {Element[]} */
    const made = [];
    let said = "Nothing in the picture looked like a board.";
    try {
      await drawStages(
        picture.blob,
        reading.query,
        (stage) => {
          if (of !== reading) return;
          made.push(figure(stage));
          strip.replaceChildren(...made);
        },
        store.whileSeen("reading"),
      );
    } catch (error) {
      said = faultWords(error);
      if (!said && of === reading) of = null; // drawn anew when it is seen again
    }
    if (!made.length && said) strip.replaceChildren(el("p", { text: said }));
  }

  // Called when the panel is seen.
  function show(/** @type {boolean} */ seen) {
    const { reading, picture, pending, stages } = store.now;
    if (!reading || !picture || !seen || pending || of === reading) return;
    of = reading;
    const spent = stages.filter((one) => one.ok).map((one) => `${one.stage} ${(1000 * (one.seconds ?? 0)).toFixed(1)} ms`);
    times.textContent = spent.join(", ");
    load(picture, reading);
  }
  return { name: "Details", node, show, pictured: true };
}
