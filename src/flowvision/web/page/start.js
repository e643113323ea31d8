// The empty page: samples to try.

import { file } from "./api.js";
import { $, button, el } from "./dom.js";
import { take } from "./reading.js";

const SAMPLES = ["7 × 7", "with holes", "hexagons"];

export async function showSamples() {
  if ($("samples").children.length > 1) return;
  const buttons = SAMPLES.map((words) => button("", () => {}, { "aria-label": `Try a sample: ${words}`, disabled: true }));
  $("samples").append(...buttons);
  for (const [n, one] of buttons.entries()) {
    const blob = await file("sample", { query: { number: n } }).catch(() => null);
    if (!blob) return;
    const url = URL.createObjectURL(blob);
    one.disabled = false;
    one.onclick = () => take([new File([blob], `sample ${SAMPLES[n]}.png`)]);
    one.append(el("img", { src: url, alt: "", onload: () => URL.revokeObjectURL(url) }));
  }
}
