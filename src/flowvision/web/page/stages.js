// The panel that shows how a picture was read: a small picture of every stage, drawn when it is looked at.

import { file, object } from "./api.js";
import { button, el } from "./dom.js";
import { store } from "./state.js";

export function stagesPanel() {
  const strip = el("div", { class: "strip" });
  const times = el("p", { class: "hint" });
  const node = el("div", {}, times, strip);
  let of = null;
  let stopper = null;

  async function load(picture, query) {
    stopper?.abort();
    stopper = new AbortController();
    const { signal } = stopper;
    strip.replaceChildren(el("p", { text: "Drawing what was seen …" }));
    const made = [];
    let known = [];
    try {
      known = (await object("stages", { body: picture.blob, query, signal })).stages;
    } catch (error) {
      if (error.name === "AbortError") return;
    }
    for (const { name, title, caption } of known) {
      try {
        const response = await file(`stage/${name}`, { body: picture.blob, query, signal });
        const url = URL.createObjectURL(await response.blob());
        if (of !== store.now.reading) return;
        const figure = el("figure", {});
        const large = button("", () => figure.classList.toggle("large"), { "aria-label": `${title}: larger or smaller` });
        large.append(el("img", { src: url, alt: "" }));
        figure.append(large, el("figcaption", {}, el("b", { text: title }), ` ${caption}`));
        made.push(figure);
        strip.replaceChildren(...made);
      } catch (error) {
        if (error.name === "AbortError") return;
      }
    }
    if (!made.length)
      strip.replaceChildren(el("p", { text: "No stage got far enough to be drawn: nothing in the picture looked like a board." }));
  }

  // Called when the panel is seen.
  function show(seen) {
    const { reading, picture } = store.now;
    if (!reading || !picture || !seen || of === reading) return;
    of = reading;
    const spent = store.now.stages.filter((one) => one.ok).map((one) => `${one.stage} ${(1000 * one.seconds).toFixed(1)} ms`);
    times.textContent = spent.join(", ");
    load(picture, reading.query);
  }
  return { name: "Stages", title: "Details", node, show, pictured: true };
}
