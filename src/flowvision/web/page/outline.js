// The outline of a board: − and + move its sides by whole cells, corners mark the part of the picture to read.

import { cornersOf, far, WAYS } from "./board.js";
import { draggable, dress, placeIn, svg } from "./dom.js";
import { SIDES } from "./edits.js";
import { path } from "./view.js";

/** What a finger hits round − or +, the arm of a corner; room for − and + beyond the cells round the board. */
const [HIT_PX, ARM_PX] = [22, 18];
export const ROOM_PX = 50;
/** Rows or columns of a board, and pixels of a box. */
const [MIN, MAX, MIN_PX] = [2, 40, 20];
/** The way outwards at each side, as columns and rows. */
const OUTWARDS = [WAYS.ArrowLeft, WAYS.ArrowUp, WAYS.ArrowRight, WAYS.ArrowDown];
const CORNERS = ["top left", "top right", "bottom right", "bottom left"];

export class Outline {
  constructor(/** @type {import("./view.js").BoardView} */ view, /** @type {Outlining} */ told) {
    this.view = view;
    this.told = told;
    /** @type {Outlined} */
    this.shown = { size: [0, 0], box: null, isMarked: false, isLattice: false };
    /** Cells by which each side is dragged. */
    this.by = [0, 0, 0, 0];
    /** @type {{at: DOMPoint, box: number[]}|null} where a drag began; the view stays until it ends */
    this.from = null;
    this.shade = svg("path", { class: "shade", "fill-rule": "evenodd" });
    this.line = svg("path", { class: "outline" });
    this.brackets = svg("path", { class: "brackets" });
    this.beyond = svg("path", { class: "beyond" });
    this.inside = this.corner("whole box", [1, 1, 1, 1], svg("path", { class: "handle" }));
    this.corners = CORNERS.map((name) => {
      const sides = SIDES.map((side) => Number(name.includes(side)));
      return this.corner(`${name} corner`, sides, svg("circle", { class: "handle" }));
    });
    this.pills = SIDES.map((name, side) => {
      const [less, more] = [-1, 1].map((step) => this.stepper(name, side, step));
      return svg("g", { class: "pill" }, svg("rect", { rx: HIT_PX }), less, more);
    });
    this.group = svg("g", {}, this.shade, this.inside, this.beyond, this.line, this.brackets, ...this.corners, ...this.pills);
    view.root.append(this.group);
  }

  // Make a − or + that moves a side by a cell, or by more if it is dragged.
  /** @param {string} name @param {number} side @param {number} step */
  stepper(name, side, step) {
    const label = `${step < 0 ? "Leave out the" : "Add a"} ${side % 2 ? "row" : "column"} at the ${name}`;
    const node = svg(
      "g",
      { role: "button", tabindex: 0, "aria-label": label },
      svg("circle", { class: "handle", r: HIT_PX }),
      svg("path", { class: "sign", d: step < 0 ? "M-7 0h14" : "M-7 0h14M0-7v14" }),
    );
    const by = (/** @type {number} */ cells) => {
      const size = this.shown.size[side % 2];
      return SIDES.map((_, n) => (n === side ? Math.min(MAX - size, Math.max(MIN - size, cells)) : 0));
    };
    const preview = (/** @type {number} */ cells) => {
      this.by = by(cells);
      this.draw();
    };
    const hold = (/** @type {PointerEvent} */ event) => {
      this.hold(event);
      preview(step);
    };
    const drag = (/** @type {PointerEvent} */ event) => {
      const [at, to] = [/** @type {any} */ (this.from).at, placeIn(this.view.root, event)];
      preview(Math.round((OUTWARDS[side][0] * (to.x - at.x) + OUTWARDS[side][1] * (to.y - at.y)) / this.pitch(side)) || step);
    };
    const end = (/** @type {boolean} */ isDone) => {
      const moved = this.by;
      this.from = null;
      preview(0);
      if (isDone) this.told.moved(moved);
    };
    draggable(node, hold, drag, end);
    node.onkeydown = (/** @type {any} */ event) => event.key === "Enter" && this.told.moved(by(step));
    return node;
  }

  // Make a node a handle for sides of the box.
  corner(/** @type {string} */ name, /** @type {number[]} */ sides, /** @type {any} */ node) {
    dress(node, { role: "button", tabindex: 0, "aria-label": `Part to read: ${name}, arrow keys move it, Enter reads it` });
    const box = () => this.shown.box ?? [];
    const move = (/** @type {PointerEvent} */ event) => {
      const [from, to] = [/** @type {any} */ (this.from), placeIn(this.view.root, event)];
      this.drag(from.box, sides, to.x - from.at.x, to.y - from.at.y);
    };
    const end = () => {
      this.from = null;
      if (this.shown.isMarked) this.told.marked(box());
    };
    draggable(node, (event) => this.hold(event), move, end);
    node.onkeydown = (/** @type {any} */ event) => {
      const way = WAYS[event.key];
      if (event.key === "Enter") this.told.chosen();
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
    if (x1 - x0 >= MIN_PX && y1 - y0 >= MIN_PX) this.told.marked([x0, y0, x1 - x0, y1 - y0]);
  }

  show(/** @type {Outlined|null} */ shown) {
    this.group.style.display = shown ? "" : "none";
    if (!shown) return;
    this.shown = shown;
    this.draw();
  }

  // Return the width or the height of a cell, along which a side moves.
  pitch(/** @type {number} */ side) {
    const { size, box, isMarked } = this.shown;
    const axis = side % 2;
    return box && isMarked ? box[2 + axis] / size[axis] : far(this.view.at([0, 0]), this.view.at(axis ? [0, 1] : [1, 0]));
  }

  draw() {
    const { size, box, isMarked, isLattice } = this.shown;
    const [left, top, right, bottom] = this.by;
    const [cols, rows] = [size[0] + left + right, size[1] + top + bottom];
    this.told.sized(`${cols} × ${rows}`);
    const px = 1 / (this.view.root.getScreenCTM()?.a || 1);
    const [x, y, w, h] = box ?? [0, 0, 0, 0];
    const corners = cornersOf([x, y, x + w, y + h]);
    // A box that was marked is divided anew; another one moves its sides.
    const at = (/** @type {number[]} */ [u, v]) =>
      isMarked ? [x + (u * w) / cols, y + (v * h) / rows] : this.view.at([u - left, v - top]);
    const line = (/** @type {number[][]} */ ...places) => path(places.map(at));
    const lines = (/** @type {number[]} */ [u0, v0, u1, v1]) => [
      ...Array.from({ length: v1 - v0 + 1 }, (_, n) => line([u0, v0 + n], [u1, v0 + n])),
      ...Array.from({ length: u1 - u0 + 1 }, (_, n) => line([u0 + n, v0], [u0 + n, v1])),
    ];
    const reach = isMarked ? 0 : 1;
    const beyond = [[-1, 0, 0, rows], [0, -1, cols, 0], [cols, 0, cols + 1, rows], [0, rows, cols, rows + 1]]; // biome-ignore format: a table
    const outline = path(isLattice ? cornersOf([0, 0, cols, rows]).map(at) : corners, true);
    const inner = isMarked && isLattice ? lines([0, 0, cols, rows]) : [];
    this.line.setAttribute("d", outline + inner.join(""));
    this.beyond.setAttribute("d", reach && isLattice ? beyond.flatMap(lines).join("") : "");
    this.shade.setAttribute("d", box ? `M-99999 -99999H99999V99999H-99999Z${outline}` : "");
    this.inside.setAttribute("d", isMarked ? path(corners, true) : "");
    const bracket = (/** @type {number[]} */ [cx, cy], /** @type {number} */ n) =>
      `M${cx + (n % 3 ? -ARM_PX : ARM_PX) * px} ${cy}H${cx}V${cy + (n < 2 ? ARM_PX : -ARM_PX) * px}`;
    this.brackets.setAttribute("d", box ? corners.map(bracket).join("") : "");
    for (const [n, [cx, cy]] of corners.entries()) dress(this.corners[n], { cx, cy, r: box ? HIT_PX * px : 0 });
    for (const [side, pill] of this.pills.entries()) {
      // The columns of a box that was marked are set above it, its rows at the left.
      const [dx, dy] = OUTWARDS[isMarked ? side ^ 1 : side];
      const [cx, cy] = at([(cols * (1 + dx)) / 2 + dx * reach, (rows * (1 + dy)) / 2 + dy * reach]);
      const [bar, less, more] = pill.children;
      const [across, along] = [Math.abs(dx), Math.abs(dy)].map((one) => HIT_PX * (2 - one));
      dress(bar, { x: -across, y: -along, width: 2 * across, height: 2 * along });
      for (const [one, way] of [[less, -HIT_PX], [more, HIT_PX]]) dress(one, { transform: `translate(${dy ? way : 0} ${dx ? way : 0})` }); // biome-ignore format: a table
      const isShown = isLattice && !(isMarked && side > 1);
      dress(pill, {
        transform: `translate(${cx + dx * HIT_PX * px} ${cy + dy * HIT_PX * px}) scale(${px})`,
        display: isShown ? "" : "none",
      });
    }
  }
}
