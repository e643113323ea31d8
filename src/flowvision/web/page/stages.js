// How a picture was read: a small picture of every stage, drawn when it is looked at.

import { faultWords } from "./advice.js";
import { drawStages } from "./api.js";
import { $, button, el } from "./dom.js";
import { store } from "./state.js";

/** @param {import("./api.js").StagePicture} stage @returns {Element} */
function figure({ title, caption, jpeg }) {
  const bytes = Uint8Array.from(atob(jpeg), (one) => one.charCodeAt(0));
  const src = URL.createObjectURL(new Blob([bytes], { type: "image/jpeg" }));
  const image = el("img", { src, alt: "", onload: () => URL.revokeObjectURL(src) });
  const made = el("figure", {}, el("figcaption", {}, el("b", { text: title }), ` ${caption}`));
  const larger = button("", () => made.classList.toggle("wide"), { "aria-label": `${title}: larger or smaller` });
  larger.append(image);
  made.prepend(larger);
  return made;
}

export async function showStages() {
  const { reading, picture, stages } = store.now;
  const strip = $("stages").querySelector(".strip");
  if (!reading || !picture) return;
  $("stages").showModal();
  const spent = stages.filter((one) => one.ok).map((one) => `${one.stage} ${(1000 * (one.seconds ?? 0)).toFixed(1)} ms`);
  const times = el("p", { class: "hint wide", text: spent.join(", ") });
  strip.replaceChildren(el("p", { text: "Drawing what was seen …" }), times);
  /** @type {Element[]} */
  const made = [];
  const add = (/** @type {import("./api.js").StagePicture} */ stage) => {
    made.push(figure(stage));
    strip.replaceChildren(...made, times);
  };
  let words = "Nothing in the picture looked like a board.";
  try {
    await drawStages(picture.blob, reading.query, add, store.whileSeen("reading"));
  } catch (error) {
    words = faultWords(error);
  }
  if (!made.length) strip.replaceChildren(el("p", { text: words }), times);
}
