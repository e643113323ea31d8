// The crop: a box with corners to drag, or to move with the arrow keys.

import { cornersOf, WAYS } from "./board.js";
import { draggable, dress, placeIn, svg } from "./dom.js";

const MIN_PX = 20;
const HANDLE_PX = 22;
/** @type {[name: string, left: number, top: number, right: number, bottom: number][]} the sides that each handle moves */
const HANDLES = [
  ["top left corner", 1, 1, 0, 0],
  ["top right corner", 0, 1, 1, 0],
  ["bottom right corner", 0, 0, 1, 1],
  ["bottom left corner", 1, 0, 0, 1],
];

export class CropBox {
  // `moved` gets each new box (x, y, width, height in pixels of the picture); `chosen` is called on Enter.
  constructor(/** @type {SVGSVGElement} */ root, /** @type {(box: number[]) => void} */ moved, /** @type {() => void} */ chosen) {
    this.root = root;
    this.moved = moved;
    this.chosen = chosen;
    this.box = [0, 0, 0, 0];
    /** @type {{at: DOMPoint, box: number[]}|null} where a drag began; the view stays until it ends */ this.from = null;
    this.shade = svg("path", { class: "shade", "fill-rule": "evenodd" });
    this.frame = svg("path", { class: "cropbox" });
    this.inside = this.handle("whole box", [1, 1, 1, 1], svg("path", { class: "inside" }));
    this.handles = HANDLES.map(([name, ...sides]) =>
      this.handle(/** @type {string} */ name, /** @type {number[]} */ sides, svg("circle", { class: "handle" })),
    );
    this.group = svg("g", { class: "crop" }, this.shade, this.inside, this.frame, ...this.handles);
    root.append(this.group);
  }

  // Make a node a handle for these sides (left, top, right, bottom: 1 or 0).
  handle(/** @type {string} */ name, /** @type {number[]} */ sides, /** @type {any} */ node) {
    dress(node, { role: "button", tabindex: 0, "aria-label": `Crop: ${name}, arrow keys move it, Enter reads it` });
    const begin = (/** @type {PointerEvent} */ event) => {
      this.from = { at: placeIn(this.root, event), box: this.box };
    };
    const move = (/** @type {PointerEvent} */ event) => {
      if (!this.from) return;
      const [{ at, box }, to] = [this.from, placeIn(this.root, event)];
      this.drag(box, sides, to.x - at.x, to.y - at.y);
    };
    const end = () => {
      this.from = null;
      this.moved(this.box);
    };
    draggable(node, begin, move, end);
    node.onkeydown = (/** @type {any} */ event) => {
      const way = WAYS[event.key];
      if (event.key === "Enter") this.chosen();
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      const step = event.shiftKey ? 1 : Math.max(1, Math.round(this.box[2] / 50));
      this.drag(this.box, sides, way[0] * step, way[1] * step);
    };
    return node;
  }

  /** @param {number[]} box @param {number[]} sides @param {number} dx @param {number} dy */
  drag([x, y, w, h], [left, top, right, bottom], dx, dy) {
    const [x0, y0, x1, y1] = [x + left * dx, y + top * dy, x + w + right * dx, y + h + bottom * dy];
    if (x1 - x0 >= MIN_PX && y1 - y0 >= MIN_PX) this.moved([x0, y0, x1 - x0, y1 - y0]);
  }

  // Draw the box with the rows and columns of `lattice`.
  show(/** @type {number[]|null} */ box, /** @type {number[]} */ [rows, cols]) {
    this.group.style.display = box ? "" : "none";
    if (!box) return;
    this.box = box;
    const [x, y, w, h] = box;
    const r = HANDLE_PX / (this.root.getScreenCTM()?.a || 1);
    const outline = `M${x} ${y}h${w}v${h}h${-w}Z`;
    const grips = cornersOf([x, y, x + w, y + h]).map(([cx, cy]) => `M${cx - r / 2} ${cy}a1 1 0 0 0 ${r} 0a1 1 0 0 0 ${-r} 0`);
    const across = Array.from({ length: rows }, (_, n) => `M${x} ${y + (n * h) / rows}h${w}`);
    const down = Array.from({ length: cols }, (_, n) => `M${x + (n * w) / cols} ${y}v${h}`);
    this.frame.setAttribute("d", [outline, ...across, ...down, ...grips].join(""));
    this.inside.setAttribute("d", outline);
    this.shade.setAttribute("d", `M-99999 -99999H99999V99999H-99999Z${outline}`);
    for (const [n, [cx, cy]] of cornersOf([x, y, x + w, y + h]).entries()) dress(this.handles[n], { cx, cy, r });
  }
}
