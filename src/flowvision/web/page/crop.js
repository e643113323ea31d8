// The part of a picture that is looked at: a box with corners and edges to drag, or to move with the arrow keys.

import { WAYS } from "./board.js";
import { dress, placeIn, svg } from "./dom.js";

const LEAST = 20;
const REACH_PX = 22;
// Which of left, top, right, bottom a handle moves, and what it is called.
/** @type {[string, number, number, number, number][]} */
const HANDLES = ["top left", "top", "top right", "right", "bottom right", "bottom", "bottom left", "left"].map((where) => {
  const [left, top, right, bottom] = ["left", "top", "right", "bottom"].map((side) => Number(where.includes(side)));
  return [`${where} ${where.includes(" ") ? "corner" : "edge"}`, left, top, right, bottom];
});

export class CropBox {
  // `moved`: told of every other box (x, y, width, height in pixels of the picture; it may leave the picture);
  // `chosen`: that it is the one.
  /** @param {SVGSVGElement} root @param {(box: number[]) => void} moved @param {() => void} chosen */
  constructor(root, moved, chosen) {
    this.root = root;
    this.moved = moved;
    this.chosen = chosen;
    this.box = [0, 0, 0, 0];
    this.size = [0, 0];
    /** as long as it is dragged what is seen of the picture stays where it is */ this.isHeld = false;
    this.group = svg("g", { class: "crop" });
    this.shade = svg("path", { class: "shade", "fill-rule": "evenodd" });
    this.frame = svg("path", { class: "cropbox" });
    this.inside = this.handle("whole box", [1, 1, 1, 1], svg("path", { class: "inside" }));
    this.handles = HANDLES.map(([name, ...sides]) => this.handle(name, sides, svg("circle", { class: "handle" })));
    this.group.append(this.shade, this.inside, this.frame, ...this.handles);
    this.group.style.display = "none";
    root.append(this.group);
  }

  // A node to drag, which moves these sides (left, top, right, bottom: 1 or 0).
  /** @template {SVGElement} T @param {string} name @param {number[]} sides @param {T} node */
  handle(name, sides, node) {
    /** @type {{at: DOMPoint, box: number[]}|null} */
    let from = null;
    node.setAttribute("role", "button");
    node.setAttribute("tabindex", "0");
    node.setAttribute("aria-label", `Crop: ${name}, arrow keys move it, Enter reads it`);
    node.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      event.preventDefault();
      node.setPointerCapture(event.pointerId);
      from = { at: placeIn(this.root, event), box: this.box };
      this.isHeld = true;
    });
    node.addEventListener("pointermove", (event) => {
      if (!from || !node.hasPointerCapture(event.pointerId)) return;
      const at = placeIn(this.root, event);
      this.drag(from.box, sides, at.x - from.at.x, at.y - from.at.y);
    });
    for (const end of ["pointerup", "pointercancel"])
      node.addEventListener(end, () => {
        from = null;
        this.isHeld = false;
        this.moved(this.box);
      });
    node.addEventListener("keydown", (event) => {
      const way = WAYS[event.key];
      if (event.key === "Enter") this.chosen();
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      const step = event.shiftKey ? 1 : Math.max(1, Math.round(this.size[0] / 100));
      this.drag(this.box, sides, way[0] * step, way[1] * step);
    });
    return node;
  }

  /** @param {number[]} box @param {number[]} sides @param {number} dx @param {number} dy */
  drag([x, y, w, h], [left, top, right, bottom], dx, dy) {
    const [x1, y1] = [x + w + right * dx, y + h + bottom * dy];
    const [x0, y0] = [x + left * dx, y + top * dy];
    if (x1 - x0 < LEAST || y1 - y0 < LEAST) return;
    this.moved([x0, y0, x1 - x0, y1 - y0]);
  }

  // `lattice`: rows and columns to rule the part with. Handles lie outside of the box, so that they cover no cell.
  /** @param {number[]|null} box @param {number[]} size @param {number[]|null} lattice */
  show(box, [width, height], lattice) {
    this.group.style.display = box ? "" : "none";
    if (!box) return;
    this.box = box;
    this.size = [width, height];
    const [x, y, w, h] = box;
    const r = REACH_PX / (this.root.getScreenCTM()?.a || 1);
    const d = `M${x} ${y}h${w}v${h}h${-w}Z`;
    const [rows, cols] = lattice ?? [1, 1];
    const across = [...Array(rows).keys()].map((n) => `M${x} ${y + (n * h) / rows}h${w}`);
    const down = [...Array(cols).keys()].map((n) => `M${x + (n * w) / cols} ${y}v${h}`);
    this.frame.setAttribute("d", d + across.concat(down).join(""));
    this.inside.setAttribute("d", d);
    this.shade.setAttribute("d", `M${-width} ${-height}H${2 * width}V${2 * height}H${-width}Z${d}`);
    HANDLES.forEach(([, left, top, right, bottom], n) => {
      const [across, down] = [right - left, bottom - top];
      dress(this.handles[n], { cx: x + (w / 2) * (1 + across) + r * across, cy: y + (h / 2) * (1 + down) + r * down, r });
    });
  }
}
