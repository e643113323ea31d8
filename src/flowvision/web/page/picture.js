// Pictures: how they come in, what colour a place has, and which part is looked at.

import { file } from "./api.js";
import { distance, hexOf, isOfGame } from "./board.js";

// A picture that this browser can show: as it is, or turned or made readable by the server.
/** @param {Blob} blob @param {number} rotate @param {AbortSignal} signal */
export async function openable(blob, rotate, signal) {
  if (!rotate) {
    const plain = await shown(URL.createObjectURL(blob));
    if (plain) return plain;
  }
  const response = await file("preview", { body: blob, query: { rotate: rotate || "" }, signal });
  return shown(URL.createObjectURL(await response.blob()));
}

/** @param {string} url @returns {Promise<Shown|null>} */
async function shown(url) {
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    urls.add(url);
    return { url, width: image.naturalWidth, height: image.naturalHeight, image };
  } catch {
    URL.revokeObjectURL(url);
    return null;
  }
}

/** @type {Set<string>} */
const urls = new Set();

// Pictures that no state has any more are let go.
export function keepOnly(/** @type {(Shown|null)[]} */ kept) {
  const used = new Set(kept.map((one) => one?.url));
  for (const url of urls)
    if (!used.has(url)) {
      URL.revokeObjectURL(url);
      urls.delete(url);
    }
}

/** @type {WeakMap<Shown, CanvasRenderingContext2D>} */
const canvases = new WeakMap();

// The colour of a place in a picture: the mean of a small square round it.
/** @param {Shown} shownPicture @param {number[]} place @param {number} reach */
function colourAt(shownPicture, [x, y], reach) {
  let context = canvases.get(shownPicture);
  if (!context) {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [shownPicture.width, shownPicture.height];
    context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
    context.drawImage(shownPicture.image, 0, 0);
    canvases.set(shownPicture, context);
  }
  const size = Math.max(1, Math.round(2 * reach));
  const { data } = context.getImageData(Math.round(x - reach), Math.round(y - reach), size, size);
  const sum = [0, 0, 0];
  for (let n = 0; n < data.length; n += 4) for (let i = 0; i < 3; i++) sum[i] += data[n + i];
  return hexOf(sum.map((v) => (4 * v) / data.length));
}

// The colour of the dot in a cell, where it was touched or in the middle; null where the picture shows ground or a cover.
// A cover is wider than a dot, and has no colour of the game.
/** @param {Shown} shownPicture @param {(place: number[]) => number[]} toPx @param {number[]} centre @param {number[]|null} touched */
export function dotColourAt(shownPicture, toPx, [x, y], touched) {
  const [[left], [right]] = [toPx([x - 0.5, y]), toPx([x + 0.5, y])];
  const reach = 0.12 * Math.abs(right - left);
  const around = (/** @type {number} */ radius, /** @type {number} */ count) =>
    [...Array(count).keys()].map((n) => {
      const angle = (2 * Math.PI * (n + 0.5)) / count;
      return colourAt(shownPicture, toPx([x + radius * Math.cos(angle), y + radius * Math.sin(angle)]), reach / 2);
    });
  const [corners, ring] = [around(CORNER, 4), around(BEYOND_DOT, 12)];
  const share = (/** @type {string} */ rgb, /** @type {string[]} */ places) =>
    places.filter((one) => distance(one, rgb) < GROUND).length / places.length;
  const isDot = (/** @type {string} */ rgb) => share(rgb, corners) < 0.75 && (share(rgb, ring) < 0.5 || isOfGame(rgb));
  const looked = touched ? [colourAt(shownPicture, toPx(touched), reach / 2)] : [];
  return [...looked, colourAt(shownPicture, toPx([x, y]), reach)].find(isDot) ?? null;
}
const GROUND = 45;
const CORNER = 0.53; // in cell widths from the middle of a cell; the radius of a dot is 0.35
const BEYOND_DOT = 0.4;

// `take` is given what is dropped or pasted.
export function listenForFiles(/** @type {(files: File[]) => void} */ take) {
  const isPicture = (/** @type {File} */ one) => one && (one.type.startsWith("image/") || /\.(hei[cf]|avif)$/i.test(one.name ?? ""));
  let depth = 0;
  const over = (/** @type {number} */ by) => {
    depth = by ? depth + by : 0;
    document.body.classList.toggle("over", depth > 0);
  };
  addEventListener("dragenter", () => over(1));
  addEventListener("dragleave", () => over(-1));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    over(0);
    take([...(event.dataTransfer?.files ?? [])]);
  });
  addEventListener("paste", (event) => {
    const found = [...(event.clipboardData?.files ?? [])].find(isPicture);
    const isTyping = /^(INPUT|TEXTAREA)$/.test(/** @type {Element} */ (event.target).tagName);
    const text = isTyping ? "" : event.clipboardData?.getData("text/plain");
    if (!found && !text) return;
    event.preventDefault();
    take([found ?? new File([text ?? ""], "pasted.txt", { type: "text/plain" })]);
  });
}
