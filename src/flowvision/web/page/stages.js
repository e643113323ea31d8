// How a picture was read: a small picture of every stage, drawn when it is looked at.

import { faultWords, object } from "./api.js";
import { $, button, el } from "./dom.js";
import { store } from "./state.js";

/** @param {{title: string, caption: string, jpeg: string}} stage @returns {Element} */
function figure({ title, caption, jpeg }) {
  const bytes = Uint8Array.from(atob(jpeg), (one) => one.charCodeAt(0));
  const src = URL.createObjectURL(new Blob([bytes], { type: "image/jpeg" }));
  const larger = button("", () => made.classList.toggle("wide"), { "aria-label": `${title}: larger or smaller` });
  larger.append(el("img", { src, alt: "" }));
  const made = el("figure", {}, larger, el("figcaption", {}, el("b", { text: title }), ` ${caption}`));
  return made;
}

export async function showStages() {
  const { reading, picture } = store.now;
  if (!reading || !picture) return;
  $("stages").showModal();
  const words = el("p", { text: "Drawing what was seen …" });
  $("strip").replaceChildren(words);
  try {
    const { stages } = await object("stages", { body: picture.blob, query: reading.query });
    if (stages.length && words.isConnected) $("strip").replaceChildren(...stages.map(figure));
    words.textContent = "Nothing in the picture looked like a board.";
  } catch (error) {
    words.textContent = faultWords(error);
  }
}
