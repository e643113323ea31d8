// Signs of life over a picture: a mesh sweeps it while it is read, and the cells of the board flash up when it is found.

import { geometry } from "./board.js";
import { $, svg } from "./dom.js";
import { path } from "./view.js";

/** Lines of the mesh down and across, and the part of the picture that it covers. */
const [DOWN, ACROSS, PART] = [10, 4, 0.25];
const REVEAL_MS = 1200;

export class Scan {
  constructor(/** @type {import("./view.js").BoardView} */ view) {
    this.view = view;
    this.isReading = false;
    this.mesh = svg("path", { class: "mesh" });
    this.cells = svg("path", { class: "flash" });
    view.root.append(this.mesh, this.cells);
  }

  // `box`: what is seen of the picture.
  show(/** @type {Doc} */ { pending, board, frame }, /** @type {number[]} */ [x, y, w, h]) {
    this.mesh.style.display = pending ? "" : "none";
    if (pending) {
      const down = Array.from({ length: DOWN + 1 }, (_, n) => `M${x + (n * w) / DOWN} ${y}v${PART * h}`);
      const across = Array.from({ length: ACROSS + 1 }, (_, n) => `M${x} ${y + (n * PART * h) / ACROSS}h${w}`);
      this.mesh.setAttribute("d", [...down, ...across].join(""));
    } else if (this.isReading && board && frame) {
      const outlines = geometry(board).cells.map(({ outline }) => path(outline.map(this.view.at), true));
      this.cells.setAttribute("d", outlines.join(""));
      $("work").classList.add("fresh");
      setTimeout(() => $("work").classList.remove("fresh"), REVEAL_MS);
    }
    this.isReading = pending;
  }
}
