// Decode pictures and measure colours in them.

import { file } from "./api.js";
import { distance, geometry, got, hexOf, isDark, isOfGame, linesRound, middleOf, rgbOf } from "./board.js";
import { mapper } from "./view.js";

/** Measurements of one plain surface are nearer than this, and bars of the game to the black they lie on. */
const [PLAIN, BARS] = [45, 80];
/** In cell widths from the middle of a cell: within a dot, whose radius is 0.35, and outside it; half of the patches measured. */
const [INNER, OUTER, PATCH, OUTER_PATCH] = [0.22, 0.43, 0.06, 0.03];
/** Angle of the places outside a dot from the corners of the cell: elsewhere its lines are near. */
const TURN = Math.PI / 12;
/** Places across the line between two cells, in cell widths from it; a cell without so many of its lines is covered. */
const [ACROSS, LINES_HIDDEN] = [[-0.06, -0.04, -0.02, 0, 0.02, 0.04, 0.06], 3];
/** Shares of places of one colour: in a dot, round a dot, and at most of the dot's colour round it. */
const [IN_DOT, ROUND_DOT, OF_DOT] = [0.8, 0.6, 0.35];

// Return a picture that this browser can show, converted by the server if necessary.
export const openable = async (/** @type {Blob} */ blob, /** @type {AbortSignal|undefined} */ signal = undefined) =>
  (await imageOf(blob)) ?? imageOf(await file("preview", { body: blob, signal }));

const addresses = new FinalizationRegistry(URL.revokeObjectURL);

// Return an image; its address is given back when nothing refers to the image.
function imageOf(/** @type {Blob} */ blob) {
  const image = new Image();
  image.src = URL.createObjectURL(blob);
  addresses.register(image, image.src);
  return image.decode().then(
    () => image,
    () => URL.revokeObjectURL(image.src) ?? null,
  );
}

// Return the size of the original picture: the browser may show a smaller one.
export const sizeOf = (/** @type {{width: number, height: number}} */ { width, height }, /** @type {any} */ reading) =>
  reading?.seen?.picture?.length ? reading.seen.picture : [width, height];

/** @type {WeakMap<HTMLImageElement, ImageData>} */
const pixels = new WeakMap();
function pixelsOf(/** @type {HTMLImageElement} */ shown) {
  const known = pixels.get(shown);
  if (known) return known;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [shown.width, shown.height];
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  context.drawImage(shown, 0, 0);
  const made = context.getImageData(0, 0, shown.width, shown.height);
  pixels.set(shown, made);
  return made;
}

// Return the mean colour of a square in the picture.
function colourAt(/** @type {ImageData} */ { data, width, height }, /** @type {number[]} */ [x, y], /** @type {number} */ reach) {
  const [left, top] = [x - reach, y - reach].map(Math.round);
  const size = Math.max(1, Math.round(2 * reach));
  const sum = [0, 0, 0];
  for (let n = 0; n < size * size; n++) {
    const [column, row] = [left + (n % size), top + Math.floor(n / size)];
    const at = 4 * (Math.min(height - 1, Math.max(0, row)) * width + Math.min(width - 1, Math.max(0, column)));
    for (const channel of [0, 1, 2]) sum[channel] += data[at + channel];
  }
  return hexOf(sum.map((value) => value / (size * size)));
}

/** @param {number[]} centre @param {number} radius @param {number[]} angles */
const around = ([x, y], radius, angles) => angles.map((angle) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]);
const EIGHT = Array.from({ length: 8 }, (_, n) => (Math.PI * (n + 0.5)) / 4);
const cornersAt = (/** @type {Cell} */ { centre: [x, y], outline }) =>
  outline.map((corner) => Math.atan2(corner[1] - y, corner[0] - x)).flatMap((angle) => [angle - TURN, angle, angle + TURN]);
// Return a place beside the middle of a line.
const across = (/** @type {number[]} */ p, /** @type {number[]} */ q, /** @type {number} */ off) => {
  const [x, y] = middleOf(p, q);
  return [x + off * (q[1] - p[1]), y + off * (p[0] - q[0])];
};
const middle = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[values.length >> 1];
const median = (/** @type {string[]} */ colours) => hexOf([0, 1, 2].map((channel) => middle(colours.map((rgb) => rgbOf(rgb)[channel]))));
const share = (/** @type {string[]} */ colours, /** @type {string} */ rgb, within = PLAIN) =>
  colours.filter((one) => distance(one, rgb) < within).length / colours.length;

// Return a function that measures the colour at a place in cell units.
function meterOf(/** @type {Pick<Doc, "shown"|"frame"|"board"|"reading">} */ doc) {
  const { shown, frame, board, reading } = /** @type {Opened & {shown: HTMLImageElement}} */ (doc);
  const scale = shown.width / sizeOf(shown, reading)[0];
  const at = mapper(frame);
  const toPx = (/** @type {number[]} */ place) => at(place).map((value) => (value + 0.5) * scale);
  const [{ centre }] = geometry(board).cells;
  const [[left], [right]] = [toPx([centre[0] - 0.5, centre[1]]), toPx([centre[0] + 0.5, centre[1]])];
  return (/** @type {number[]} */ place, reach = PATCH) => colourAt(pixelsOf(shown), toPx(place), reach * Math.abs(right - left));
}

/** @type {WeakMap<number[], {shape: Geometry, looks: Map<Key, Look>}>} by the frame */
const known = new WeakMap();

// Return what the picture shows in each cell; nothing without a picture.
/** @returns {Map<Key, Look>} */
export function looksOf(/** @type {Pick<Doc, "shown"|"frame"|"board"|"reading">} */ doc) {
  const { shown, frame, board } = doc;
  if (!shown || !frame || !board) return new Map();
  const shape = geometry(board);
  const found = known.get(frame);
  if (found?.shape === shape) return found.looks;
  const meter = meterOf(doc);
  const seen = shape.cells.map((cell) => ({
    cell,
    inner: around(cell.centre, INNER, EIGHT).map((place) => meter(place)),
    outer: around(cell.centre, OUTER, cornersAt(cell)).map((place) => meter(place, OUTER_PATCH)),
  }));
  const ground = median(seen.flatMap(({ outer }) => outer));
  const isLine = (/** @type {number[][]} */ [p, q]) => ACROSS.some((off) => distance(meter(across(p, q, off), 0), ground) > PLAIN);
  const hidden = shape.cells.map((cell) => linesRound(cell).filter((line) => !isLine(line)).length);
  const isHidden = (/** @type {number} */ n) => hidden[n] >= LINES_HIDDEN && middle([...hidden]) === 0;
  const lookIn = (/** @type {{inner: string[], outer: string[]}} */ { inner, outer }, /** @type {number} */ n) => {
    const look = lookOf(inner, outer, ground);
    return look.kind === "ground" && isHidden(n) ? { kind: /** @type {const} */ ("cover"), rgb: look.rgb } : look;
  };
  /** @type {Map<Key, Look>} */
  const looks = new Map(seen.map((one, n) => [one.cell.key, lookIn(one, n)]));
  known.set(frame, { shape, looks });
  return looks;
}

// Tell a dot, plain ground and what covers a cell apart: a cover is wider than a dot, or of several colours.
/** @returns {Look} */
function lookOf(/** @type {string[]} */ inner, /** @type {string[]} */ outer, /** @type {string} */ ground) {
  const [rgb, round] = [median(inner), median(outer)];
  const within = isDark(ground) ? BARS : PLAIN;
  const isOpen = share(outer, ground, within) >= ROUND_DOT;
  if (isOpen && share(inner, ground, within) >= IN_DOT) return { kind: "ground", rgb };
  const isDot = share(inner, rgb) >= IN_DOT && share(outer, rgb) < OF_DOT && (isOpen || share(outer, round) >= ROUND_DOT);
  return { kind: isDot ? "dot" : "cover", rgb };
}

// Return what a tapped cell shows. Of a covered dot, the colour of the game that was touched counts.
/** @returns {Look} */
export function lookAt(/** @type {Doc} */ doc, /** @type {Key} */ key, /** @type {number[]|null} */ touched) {
  const look = got(looksOf(doc), key);
  const rgb = touched ? meterOf(doc)(touched) : look.rgb;
  return look.kind === "cover" && isOfGame(rgb) ? { kind: "cover", rgb } : look;
}
