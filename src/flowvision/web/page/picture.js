// Decode pictures and measure colours in them.

import { file } from "./api.js";
import { distance, hexOf, isOfGame } from "./board.js";

/** Background colours are nearer to each other than this. */
const BACKGROUND = 45;
/** In cell widths from the middle of a cell; the radius of a dot is 0.35. */
const [CORNER, BEYOND_DOT] = [0.53, 0.4];

// Return a picture that this browser can show, converted by the server if necessary.
export const openable = async (/** @type {Blob} */ blob, /** @type {AbortSignal|undefined} */ signal = undefined) =>
  (await imageOf(blob)) ?? imageOf(await file("preview", { body: blob, signal }));

const addresses = new FinalizationRegistry(URL.revokeObjectURL);

// Return an image; its address is given back when nothing refers to the image.
function imageOf(blob) {
  const image = new Image();
  image.src = URL.createObjectURL(blob);
  addresses.register(image, image.src);
  return image.decode().then(
    () => image,
    () => URL.revokeObjectURL(image.src) ?? null,
  );
}

/** @type {WeakMap<HTMLImageElement, CanvasRenderingContext2D>} */
const canvases = new WeakMap();

function colourAt(shown, [x, y], reach) {
  let context = canvases.get(shown);
  if (!context) {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [shown.width, shown.height];
    context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
    context.drawImage(shown, 0, 0);
    canvases.set(shown, context);
  }
  const size = Math.max(1, Math.round(2 * reach));
  const { data } = context.getImageData(Math.round(x - reach), Math.round(y - reach), size, size);
  return hexOf([0, 1, 2].map((channel) => data.reduce((sum, v, n) => (n % 4 === channel ? sum + v : sum), 0) / (size * size)));
}

// Return the colour of the dot in a cell, where touched or in the middle; null for background or a cover.
// A cover is wider than a dot and has no colour of the game.
export function dotColourAt(shown, toPx, /** @type {number[]} */ [x, y], touched) {
  const [[left], [right]] = [toPx([x - 0.5, y]), toPx([x + 0.5, y])];
  const reach = 0.12 * Math.abs(right - left);
  const around = (radius, count) =>
    Array.from({ length: count }, (_, n) => {
      const angle = (2 * Math.PI * (n + 0.5)) / count;
      return colourAt(shown, toPx([x + radius * Math.cos(angle), y + radius * Math.sin(angle)]), reach / 2);
    });
  const [corners, ring] = [around(CORNER, 4), around(BEYOND_DOT, 12)];
  const share = (rgb, places) => places.filter((one) => distance(one, rgb) < BACKGROUND).length / places.length;
  const isDot = (rgb) => share(rgb, corners) < 0.75 && (share(rgb, ring) < 0.5 || isOfGame(rgb));
  const looked = touched ? [colourAt(shown, toPx(touched), reach / 2)] : [];
  return [...looked, colourAt(shown, toPx([x, y]), reach)].find(isDot) ?? null;
}
