// The empty page: a board that is solved once before one's eyes, samples to try, and the phone that is connected.

import { faultWords } from "./advice.js";
import { object, queued } from "./api.js";
import { fromAnswer, puzzleOf } from "./board.js";
import { $, button, el, plural } from "./dom.js";
import { take } from "./reading.js";
import { notice, store, ui } from "./state.js";
import { thumbnail } from "./view.js";

const SAMPLES = ["7 × 7", "with holes", "hexagons"];
const BEGIN_MS = 900;
const EACH_MS = 420;
const PLAY_MS = 300_000;
// A board of 5 × 5: a colour and its path, cell by cell.
const DEMO = [
  ["#ff0000", "00 10 20 30 40 41"],
  ["#009000", "02 01 11 21 31"],
  ["#eae000", "04 03 13 23 33"],
  ["#0c29fe", "12 22 32 42"],
  ["#fb8900", "14 24 34 44 43"],
].map(([rgb, cells]) => ({ rgb, letter: "", path: cells.split(" ").map(([r, c]) => [Number(r), Number(c)]) }));

let isBegun = false;

// Called whenever the empty page is seen: all of it happens once.
export function showStart() {
  if (isBegun) return;
  isBegun = true;
  const board = fromAnswer(
    { rows: 5, cols: 5, tiling: "square" },
    DEMO.map((flow) => ({ ...flow, ends: [flow.path[0], flow.path[flow.path.length - 1]] })),
  );
  const lines = DEMO.map(({ path }, flow) => ({ flow, path, grow: BEGIN_MS + flow * EACH_MS }));
  thumbnail($("demo"), board, lines);
  loadSamples().then(findPhone);
}

async function findPhone() {
  const { name } = await object("phone").catch(() => ({ name: "" }));
  store.set({ phone: name });
  $("phone").hidden = !name;
  $("phone").title = name;
}

const PHONE_SHOT = "phone.png";
export async function fromPhone() {
  try {
    await take([new File([await queued("phone/shot")], PHONE_SHOT)]);
  } catch (error) {
    notice(faultWords(error));
  }
}

export const isOfPhone = (/** @type {Doc} */ doc) => !!ui.phone && doc.picture?.name === PHONE_SHOT;

// Nothing is touched before it is agreed to, nor where the phone shows another board by now.
export async function playOnPhone() {
  if (!confirm(`Flowvision will draw the solution on ${ui.phone} by touches: leave it alone meanwhile. Begin?`)) return;
  notice(`Playing on ${ui.phone} …`);
  try {
    const body = JSON.stringify({ puzzle: puzzleOf(store.board).record });
    const { touches, seen } = await object("phone/play", { body, patience: PLAY_MS });
    notice(seen && !touches ? "It is solved there already." : `Played on ${ui.phone}: ${plural(touches, "touch event")}.`);
  } catch (error) {
    notice(faultWords(error));
  }
}

async function loadSamples() {
  for (const [n, words] of SAMPLES.entries()) {
    const blob = await queued(`sample/${n}`).catch(() => null);
    if (!blob) return;
    const url = URL.createObjectURL(blob);
    const made = button("", () => take([new File([blob], `sample ${words}.png`)]), { "aria-label": `Try a sample: ${words}` });
    made.append(el("img", { src: url, alt: "", onload: () => URL.revokeObjectURL(url) }));
    $("samples").append(made);
    $("samples").hidden = false;
  }
}
