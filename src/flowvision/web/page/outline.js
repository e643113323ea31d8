// Handles at the sides of a board in its picture: drag one by whole cells, or tap it to leave out a row or column.

import { cornersOf, far, WAYS } from "./board.js";
import { draggable, dress, svg } from "./dom.js";
import { SIDES } from "./edits.js";
import { path } from "./view.js";

const HANDLE_PX = 18;
/** From a side to the middle of its handle, in radii of the handle. */
const OFF = 0.7;
/** Pixels round the board in which handles fit. */
export const ROOM_PX = (1 + OFF) * HANDLE_PX;
/** The way outwards at each side, as columns and rows. */
const OUTWARDS = ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"].map((key) => WAYS[key]);

export class Sides {
  // `moved` gets the cells by which each side moves outwards, in the order of `SIDES`.
  constructor(/** @type {import("./view.js").BoardView} */ view, /** @type {(by: number[]) => void} */ moved) {
    this.view = view;
    this.moved = moved;
    this.size = [0, 0];
    /** Cells by which each side is dragged. */
    this.by = [0, 0, 0, 0];
    this.ghost = svg("path", { class: "ghost" });
    this.handles = SIDES.map((name, side) => this.handle(name, side));
    this.group = svg("g", { class: "sides" }, this.ghost, ...this.handles);
    view.root.append(this.group);
  }

  /** @param {string} name @param {number} side */
  handle(name, side) {
    const label = `Leave out the ${side % 2 ? "row" : "column"} at the ${name}; drag it to move this side`;
    const node = svg(
      "g",
      { role: "button", tabindex: 0, "aria-label": label },
      svg("circle", { class: "grip", r: 1 }),
      svg("text", { text: side % 2 ? "↕" : "↔", dy: "0.36em", "font-size": 1.4 }),
    );
    const by = (/** @type {number} */ cells) => SIDES.map((_, n) => (n === side ? Math.max(cells, 2 - this.size[side % 2]) : 0));
    const end = (/** @type {boolean} */ isDone) => {
      const cells = this.by[side] || -1;
      this.by = by(0);
      this.draw();
      if (isDone) this.moved(by(cells));
    };
    const drag = (/** @type {PointerEvent} */ event) => {
      const [x, y] = this.view.pointer()(event);
      this.by = by(Math.round([-x, -y, x - this.size[0], y - this.size[1]][side] - (OFF * this.radius()) / this.view.pitch));
      this.draw();
    };
    draggable(node, () => {}, drag, end);
    node.onkeydown = (/** @type {any} */ event) => {
      const [way, [dx, dy]] = [WAYS[event.key] ?? [0, 0], OUTWARDS[side]];
      const cells = event.key === "Enter" ? -1 : way[0] * dx + way[1] * dy;
      if (cells) this.moved(by(cells));
    };
    return node;
  }

  radius() {
    return HANDLE_PX / (this.view.root.getScreenCTM()?.a || 1);
  }

  show(/** @type {Board|null} */ board) {
    this.group.style.display = board ? "" : "none";
    if (!board) return;
    this.size = [board.cols, board.rows];
    this.draw();
  }

  draw() {
    const [[cols, rows], [left, top, right, bottom], r] = [this.size, this.by, this.radius()];
    this.ghost.setAttribute("d", path(cornersOf([-left, -top, cols + right, rows + bottom]).map(this.view.at), true));
    for (const [side, [dx, dy]] of OUTWARDS.entries()) {
      const place = [(cols * (1 + dx)) / 2 + dx * this.by[side], (rows * (1 + dy)) / 2 + dy * this.by[side]];
      const [at, out] = [place, [place[0] + dx, place[1] + dy]].map(this.view.at);
      const [x, y] = [0, 1].map((n) => at[n] + ((out[n] - at[n]) / far(out, at)) * OFF * r);
      dress(this.handles[side], { transform: `translate(${x} ${y}) scale(${r})` });
    }
  }
}
