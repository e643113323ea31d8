// The panel that shows how a picture was read: a small picture of every stage, drawn when it is looked at.

import { drawStages } from "./api.js";
import { button, el } from "./dom.js";
import { store } from "./state.js";

export function stagesPanel() {
  const strip = el("div", { class: "strip" });
  const times = el("p", { class: "hint" });
  const node = el("div", {}, times, strip);
  let of = null;
  const urls = [];

  async function load(picture, reading) {
    strip.replaceChildren(el("p", { text: "Drawing what was seen …" }));
    for (const url of urls.splice(0)) URL.revokeObjectURL(url);
    const made = [];
    const add = ({ title, caption, jpeg }) => {
      if (of !== reading) return;
      const url = URL.createObjectURL(new Blob([Uint8Array.from(atob(jpeg), (one) => one.charCodeAt(0))], { type: "image/jpeg" }));
      urls.push(url);
      const figure = el("figure", {});
      const large = button("", () => figure.classList.toggle("large"), { "aria-label": `${title}: larger or smaller` });
      large.append(el("img", { src: url, alt: "" }));
      figure.append(large, el("figcaption", {}, el("b", { text: title }), ` ${caption}`));
      made.push(figure);
      strip.replaceChildren(...made);
    };
    try {
      await drawStages(picture.blob, reading.query, add, store.whileSeen("reading"));
    } catch (error) {
      if (error.name === "AbortError") {
        if (of === reading) of = null; // drawn anew when it is seen again
        return;
      }
    }
    if (!made.length) strip.replaceChildren(el("p", { text: "Nothing in the picture looked like a board." }));
  }

  // Called when the panel is seen.
  function show(seen) {
    const { reading, picture, pending } = store.now;
    if (!reading || !picture || !seen || pending || of === reading) return;
    of = reading;
    const spent = store.now.stages.filter((one) => one.ok).map((one) => `${one.stage} ${(1000 * one.seconds).toFixed(1)} ms`);
    times.textContent = spent.join(", ");
    load(picture, reading);
  }
  return { name: "Stages", title: "Details", node, show, pictured: true };
}
