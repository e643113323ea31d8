// The outline of a board: discs move its sides by whole cells, corners mark the part of the picture to read.

import { cornersOf, far, WAYS } from "./board.js";
import { draggable, dress, placeIn, svg } from "./dom.js";
import { SIDES } from "./edits.js";
import { path } from "./view.js";

/** Radii of a disc, and of what a finger hits; pixels round the board in which the discs fit. */
const [DISC_PX, HIT_PX] = [15, 22];
export const ROOM_PX = 2 * HIT_PX;
/** Rows or columns of a board, and pixels of a box. */
const [MIN, MAX, MIN_PX] = [2, 40, 20];
/** The way outwards at each side, as columns and rows. */
const OUTWARDS = ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"].map((key) => WAYS[key]);
/** @type {[name: string, sides: number[]][]} the corners, and the sides that each moves */
const CORNERS = [
  ["top left", [1, 1, 0, 0]],
  ["top right", [0, 1, 1, 0]],
  ["bottom right", [0, 0, 1, 1]],
  ["bottom left", [1, 0, 0, 1]],
];

/**
 * `size`: columns and rows. `box`: what the corners mark, as x, y, width and height in pixels; null without a picture.
 * `isMarked`: the box was marked by hand. `isLattice`: the sides can be moved by cells.
 * @typedef {{size: number[], box: number[]|null, isMarked: boolean, isLattice: boolean}} Outlined
 */
export class Outline {
  // `moved` gets the cells by which each side moves outwards, in the order of `SIDES`; `marked` each new box; `chosen` is called on Enter.
  /** @param {import("./view.js").BoardView} view @param {(by: number[]) => void} moved @param {(box: number[]) => void} marked @param {() => void} chosen */
  constructor(view, moved, marked, chosen) {
    this.view = view;
    this.moved = moved;
    this.marked = marked;
    this.chosen = chosen;
    /** @type {Outlined} */
    this.shown = { size: [0, 0], box: null, isMarked: false, isLattice: false };
    /** Cells by which each side is dragged. */
    this.by = [0, 0, 0, 0];
    /** @type {{at: DOMPoint, box: number[]}|null} where a drag began; the view stays until it ends */
    this.from = null;
    this.shade = svg("path", { class: "shade", "fill-rule": "evenodd" });
    this.line = svg("path", { class: "outline" });
    this.brackets = svg("path", { class: "brackets" });
    this.words = svg("text", {});
    this.chip = svg("g", { class: "size" }, svg("rect", { rx: 13, x: -36, y: -20, width: 72, height: 28 }), this.words);
    this.inside = this.corner("whole box", [1, 1, 1, 1], svg("path", { class: "handle" }));
    this.corners = CORNERS.map(([name, sides]) => this.corner(`${name} corner`, sides, svg("circle", { class: "handle" })));
    this.discs = SIDES.flatMap((name, side) => [-1, 1].map((step) => this.disc(name, side, step)));
    this.group = svg("g", {}, this.shade, this.inside, this.line, this.brackets, this.chip, ...this.corners, ...this.discs);
    view.root.append(this.group);
  }

  // Make a disc that moves a side by a cell, or by more if it is dragged.
  /** @param {string} name @param {number} side @param {number} step */
  disc(name, side, step) {
    const label = `${step < 0 ? "Leave out the" : "Add a"} ${side % 2 ? "row" : "column"} at the ${name}`;
    const node = svg(
      "g",
      { role: "button", tabindex: 0, "aria-label": label },
      svg("circle", { class: "handle", r: HIT_PX / DISC_PX }),
      svg("circle", { class: "grip", r: 1 }),
      svg("path", { class: "sign", d: step < 0 ? "M-.4 0h.8" : "M-.4 0h.8M0-.4v.8" }),
    );
    const by = (/** @type {number} */ cells) => {
      const size = this.shown.size[side % 2];
      return SIDES.map((_, n) => (n === side ? Math.min(MAX - size, Math.max(MIN - size, cells)) : 0));
    };
    const drag = (/** @type {PointerEvent} */ event) => {
      const [at, to] = [/** @type {any} */ (this.from).at, placeIn(this.view.root, event)];
      this.by = by(Math.round((OUTWARDS[side][0] * (to.x - at.x) + OUTWARDS[side][1] * (to.y - at.y)) / this.pitch(side)));
      this.draw();
    };
    const end = (/** @type {boolean} */ isDone) => {
      const cells = this.by[side] || step;
      this.from = null;
      this.by = by(0);
      this.draw();
      if (isDone) this.moved(by(cells));
    };
    draggable(node, (event) => this.hold(event), drag, end);
    node.onkeydown = (/** @type {any} */ event) => event.key === "Enter" && this.moved(by(step));
    return node;
  }

  // Make a node a handle for these sides of the box.
  corner(/** @type {string} */ name, /** @type {number[]} */ sides, /** @type {any} */ node) {
    dress(node, { role: "button", tabindex: 0, "aria-label": `Part to read: ${name}, arrow keys move it, Enter reads it` });
    const box = () => this.shown.box ?? [];
    const move = (/** @type {PointerEvent} */ event) => {
      const [from, to] = [/** @type {any} */ (this.from), placeIn(this.view.root, event)];
      this.drag(from.box, sides, to.x - from.at.x, to.y - from.at.y);
    };
    const end = () => {
      this.from = null;
      if (this.shown.isMarked) this.marked(box());
    };
    draggable(node, (event) => this.hold(event), move, end);
    node.onkeydown = (/** @type {any} */ event) => {
      const way = WAYS[event.key];
      if (event.key === "Enter") this.chosen();
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      const step = event.shiftKey ? 1 : Math.max(1, Math.round(box()[2] / 50));
      this.drag(box(), sides, way[0] * step, way[1] * step);
    };
    return node;
  }

  hold(/** @type {PointerEvent} */ event) {
    this.from = { at: placeIn(this.view.root, event), box: this.shown.box ?? [] };
  }

  /** @param {number[]} box @param {number[]} sides @param {number} dx @param {number} dy */
  drag([x, y, w, h], [left, top, right, bottom], dx, dy) {
    const [x0, y0, x1, y1] = [x + left * dx, y + top * dy, x + w + right * dx, y + h + bottom * dy];
    if (x1 - x0 >= MIN_PX && y1 - y0 >= MIN_PX) this.marked([x0, y0, x1 - x0, y1 - y0]);
  }

  show(/** @type {Outlined|null} */ shown) {
    this.group.style.display = shown ? "" : "none";
    if (!shown) return;
    this.shown = shown;
    this.draw();
  }

  // Return a place on the lattice in units of the drawing.
  at(/** @type {number[]} */ [u, v]) {
    const { size, box, isMarked } = this.shown;
    return box && isMarked ? [box[0] + (u * box[2]) / size[0], box[1] + (v * box[3]) / size[1]] : this.view.at([u, v]);
  }
  // Return the width or the height of a cell, along which a side moves.
  pitch(/** @type {number} */ side) {
    return far(this.at([0, 0]), this.at(side % 2 ? [0, 1] : [1, 0]));
  }

  draw() {
    const { size, box, isMarked, isLattice } = this.shown;
    const [[cols, rows], [left, top, right, bottom]] = [size, this.by];
    const px = 1 / (this.view.root.getScreenCTM()?.a || 1);
    const line = (/** @type {number[][]} */ ...places) => path(places.map((place) => this.at(place)));
    const across = isMarked && isLattice ? Array.from({ length: rows }, (_, n) => line([0, n], [cols, n])) : [];
    const down = isMarked && isLattice ? Array.from({ length: cols }, (_, n) => line([n, 0], [n, rows])) : [];
    const [x, y, w, h] = box ?? [0, 0, 0, 0];
    const corners = cornersOf([x, y, x + w, y + h]);
    const outer = cornersOf([-left, -top, cols + right, rows + bottom]).map((place) => this.at(place));
    const outline = path(isLattice ? outer : corners, true);
    this.line.setAttribute("d", outline + across.join("") + down.join(""));
    this.shade.setAttribute("d", box ? `M-99999 -99999H99999V99999H-99999Z${outline}` : "");
    this.inside.setAttribute("d", isMarked ? path(corners, true) : "");
    const arm = 1.2 * DISC_PX * px;
    const bracket = (/** @type {number[]} */ [cx, cy], /** @type {number} */ n) =>
      `M${cx + (n % 3 ? -arm : arm)} ${cy}H${cx}V${cy + (n < 2 ? arm : -arm)}`;
    this.brackets.setAttribute("d", box ? corners.map(bracket).join("") : "");
    for (const [n, [cx, cy]] of corners.entries()) dress(this.corners[n], { cx, cy, r: box ? HIT_PX * px : 0 });
    const [tx, ty] = isLattice ? outer[0] : corners[0];
    dress(this.words, { text: `${cols + left + right} × ${rows + top + bottom}` });
    dress(this.chip, { transform: `translate(${tx - 6 * px} ${ty - 22 * px}) scale(${px})` });
    for (const [n, disc] of this.discs.entries()) {
      const [side, isMore] = [n >> 1, n % 2];
      const [dx, dy] = OUTWARDS[side];
      const [u, v] = [(cols * (1 + dx)) / 2 + dx * this.by[side], (rows * (1 + dy)) / 2 + dy * this.by[side]];
      const along = (isMore ? HIT_PX : -HIT_PX) * px;
      const [cx, cy] = this.at([u, v]).map((value, axis) => value + [dx, dy][axis] * HIT_PX * px + (OUTWARDS[side][axis] ? 0 : along));
      dress(disc, { transform: `translate(${cx} ${cy}) scale(${DISC_PX * px})`, display: isLattice ? "" : "none" });
    }
  }
}
