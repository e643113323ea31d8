// A board as SVG: the same for the board by itself and for the one laid over the picture.

import { flowNames, geometry, got, inkOn, keyOf, linesOf, pairKey, placeWords } from "./board.js";
import { dress, placeIn, svg } from "./dom.js";

const UNIT = 100;
const LAYERS = ["shot", "cells", "numbers", "ruling", "lines", "dots", "lit", "rings", "focus", "cursor"];
const LARGEST_ZOOM = 6;
const EDGE = 0.34;
// Of the width of a board: numbers stay large enough to be read where its cells are small.
const NUMBERED = 0.034;

// Cell units to pixels of a picture: nine numbers, row by row.
/** @param {Frame} frame @returns {(point: number[]) => number[]} */
export function mapper(frame) {
  if (!frame) return ([x, y]) => [x * UNIT, y * UNIT];
  const [a, b, c, d, e, f, g, h, i] = frame;
  return ([x, y]) => {
    const w = g * x + h * y + i;
    return [(a * x + b * y + c) / w, (d * x + e * y + f) / w];
  };
}

/** @param {Frame} frame @returns {(point: number[]) => number[]} */
export function inverse(frame) {
  if (!frame) return ([x, y]) => [x / UNIT, y / UNIT];
  const [a, b, c, d, e, f, g, h, i] = frame;
  const back = [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
  return mapper(back);
}

/** @param {number[][]} points @param {boolean} [closed] */
export const path = (points, closed) => `M${points.map((point) => point.map((v) => v.toFixed(1)).join(" ")).join("L")}${closed ? "Z" : ""}`;

// How far beyond its cells a board of rows and columns is drawn.
const edgeOf = (/** @type {Geometry} */ { box: [x0, y0, x1, y1] }) => Math.max(EDGE, NUMBERED * Math.max(x1 - x0, y1 - y0));

// The outline of cells together, side by side, each by its place: none lies between two of them.
function outerSides(/** @type {Cell[]} */ cells) {
  /** @type {Map<string, number[][]>} */
  const outer = new Map();
  for (const { outline } of cells)
    outline.forEach((p, n) => {
      const line = [p, outline[(n + 1) % outline.length]];
      const place = line
        .map(([x, y]) => [Math.round(x * 512), Math.round(y * 512)].join())
        .sort()
        .join();
      if (!outer.delete(place)) outer.set(place, line);
    });
  return outer;
}

export class BoardView {
  // `bare`: over a picture, which shows cells and dots itself.
  constructor(/** @type {SVGSVGElement} */ root, { bare = false } = {}) {
    this.root = root;
    this.bare = bare;
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, svg("g", { class: name })]));
    root.append(...Object.values(this.layers));
    /** @type {Map<Key, SVGPathElement>} */
    this.nodes = new Map();
    this.focused = "";
    /** the cell that a person chose, as long as there is such a one */ this.chosen = "";
    /** @type {() => void} */
    this.onRove = () => {};
    this.zoom = 1;
    this.pitch = UNIT;
    /** @type {Board|null} */
    this.board = null;
    /** @type {Frame} */
    this.frame = null;
    this.at = mapper(null);
    this.dotsDrawn = "";
    /** @type {Board|null} */
    this.dotsOf = null;
    // Not on the drawing itself: browsers make that a stop of the Tab key then.
    root.parentElement?.addEventListener("focusin", ({ target }) => target instanceof SVGElement && this.rove(target.dataset.key ?? ""));
  }

  // Draw what has changed since the last time.
  /** @param {Board} board @param {Frame} frame @param {Drawn} drawn */
  show(board, frame, drawn) {
    const old = this.board;
    const moved = String(frame) !== String(this.frame);
    this.board = board;
    this.frame = frame;
    this.at = mapper(frame);
    const shape = geometry(board);
    if (moved || !old || geometry(old) !== shape) this.build(board, shape);
    if (moved || old !== board) this.paintBoard(board, shape);
    this.paintLines(board, drawn);
    this.paintDots(board, drawn);
    if (!this.bare) this.label(board, drawn);
  }

  // The width of a cell round its middle, in units of the drawing.
  size(/** @type {Cell} */ cell) {
    const [x, y] = cell.centre;
    const [p, q] = [this.at([x - 0.5, y]), this.at([x + 0.5, y])];
    const narrow = Math.min(
      ...cell.outline.map((a, n, all) => {
        const b = all[(n + 1) % all.length];
        return 2 * Math.hypot((a[0] + b[0]) / 2 - x, (a[1] + b[1]) / 2 - y);
      }),
    );
    return Math.hypot(q[0] - p[0], q[1] - p[1]) * Math.min(1, narrow);
  }

  // The cells, as elements to choose and to hear of.
  /** @param {Board} board @param {Geometry} shape */
  build(board, shape) {
    this.pitch = this.size(shape.cells[Math.floor(shape.cells.length / 2)]);
    this.number(shape);
    if (this.bare) return;
    /** @type {Map<number, SVGGElement>} */
    const rows = new Map();
    this.nodes.clear();
    for (const cell of shape.cells) {
      const row = cell.r ?? 0;
      if (!rows.has(row)) rows.set(row, svg("g", { role: "row", "aria-label": `row ${row + 1}`, "aria-rowindex": row + 1 }));
      const given = { role: "gridcell", tabindex: -1, "aria-colindex": cell.c === undefined ? null : cell.c + 1 };
      const node = svg("path", { d: path(cell.outline.map(this.at), true), ...given });
      node.dataset.key = cell.key;
      this.nodes.set(cell.key, node);
      got(rows, row).append(node);
    }
    this.layers.cells.replaceChildren(...rows.values());
    this.focused = this.nodes.has(this.focused) ? this.focused : shape.cells[0].key;
    got(this.nodes, this.focused).setAttribute("tabindex", "0");
    const [x0, y0, x1, y1] = shape.box;
    const edge = board.free ? 0.1 : edgeOf(shape); // for warps and numbers
    const whole = [(x0 - edge) * UNIT, (y0 - edge) * UNIT, (x1 - x0 + 2 * edge) * UNIT, (y1 - y0 + 2 * edge) * UNIT];
    this.root.setAttribute("viewBox", whole.map((v) => v.toFixed(1)).join(" "));
    this.zoomBy(0);
    this.ring();
  }

  // Rows and columns, counted as the words about them do.
  number(/** @type {Geometry} */ shape) {
    const [x0, y0] = shape.box;
    const away = edgeOf(shape) / 2;
    /** @param {number} n @param {number[]} place */
    const made = (n, place) => {
      const [x, y] = this.at(place);
      return svg("text", { x, y, dy: "0.36em", text: n + 1 });
    };
    dress(this.layers.numbers, { "aria-hidden": "true", "font-size": 1.3 * (this.bare ? this.pitch : UNIT) * away });
    this.layers.numbers.replaceChildren(
      ...shape.cells.flatMap(({ r, c, centre: [x, y] }) => [
        ...(r === 0 ? [made(c ?? 0, [x, y0 - away])] : []),
        ...(c === 0 ? [made(r ?? 0, [x0 - away, y])] : []),
      ]),
    );
  }

  /** @param {Board} board @param {Geometry} shape */
  paintBoard(board, shape) {
    const { at } = this;
    const outer = outerSides(shape.cells.filter((cell) => !board.holes.has(cell.key)));
    for (const pair of board.warps) {
      for (const [key, other] of [pair.split("|"), pair.split("|").reverse()]) {
        const [p, q] = [got(shape.of, key).centre, got(shape.of, other).centre];
        const way = [Math.sign(p[0] - q[0]) / 2, Math.sign(p[1] - q[1]) / 2];
        for (const [place, line] of outer) {
          const middle = [(line[0][0] + line[1][0]) / 2, (line[0][1] + line[1][1]) / 2];
          if (Math.hypot(middle[0] - p[0] - way[0], middle[1] - p[1] - way[1]) < 0.1) outer.delete(place);
        }
      }
    }
    const rim = [...outer.values()].map((line) => path(line.map(at))).join("");
    const walls = [...board.walls]
      .flatMap((pair) => shape.sides.get(pair) ?? [])
      .map((side) => path(side.line.map(at)))
      .join("");
    const bridges = [...board.bridges].flatMap((key) => {
      const [x, y] = got(shape.of, key).centre;
      return [-0.24, 0.24].flatMap((s) => [
        [x - 0.5, y + s, x + 0.5, y + s],
        [x + s, y - 0.5, x + s, y - 0.32],
        [x + s, y + 0.32, x + s, y + 0.5],
      ]);
    });
    const over = bridges.map(([x0, y0, x1, y1]) => path([at([x0, y0]), at([x1, y1])])).join("");
    const width = (/** @type {number} */ share) => (share * this.pitch).toFixed(1);
    this.layers.ruling.replaceChildren(
      svg("path", { class: "rim", d: rim, "stroke-width": width(0.06) }),
      svg("path", { class: "rim", d: over, "stroke-width": width(0.05) }),
      svg("path", { class: "wall", d: walls, "stroke-width": width(0.12) }),
    );
    if (!this.bare)
      for (const [key, node] of this.nodes)
        node.setAttribute("class", `cell${board.holes.has(key) ? " hole" : ""}${board.dots.has(key) ? " held" : ""}`);
  }

  /** @param {Board} board @param {Drawn} drawn */
  paintLines(board, { lines = [], lit = [], doubts = [] }) {
    const { at, pitch } = this;
    const { of } = geometry(board);
    // Of each flow all casings come first: its pieces are one pipe.
    const stroke = (/** @type {number} */ flow, /** @type {string} */ kind, /** @type {number} */ share) =>
      lines
        .filter((line) => line.flow === flow && line.path.length > 1)
        .flatMap(({ path: cells, grow }) =>
          linesOf(board, cells).map((line) => {
            const given = { d: path(line.map(at)), pathLength: 1, stroke: kind ? null : board.flows[flow].rgb };
            const made = svg("path", { ...given, class: kind + (grow ? " grow" : ""), "stroke-width": (share * pitch).toFixed(1) });
            if (grow) made.style.animationDelay = `${grow}ms`;
            return made;
          }),
        );
    this.layers.lines.replaceChildren(...board.flows.flatMap((_, n) => [...stroke(n, "casing", 0.37), ...stroke(n, "", 0.333)]));
    const sides = [...outerSides([...new Set(lit)].flatMap((key) => of.get(key) ?? [])).values()];
    this.layers.lit.replaceChildren(...sides.map((line) => svg("path", { d: path(line.map(at)) })));
    const rings = doubts
      .flatMap((key) => of.get(key) ?? [])
      .flatMap((cell) => {
        const [cx, cy] = at(cell.centre);
        const walls = (geometry(board).beside.get(cell.key) ?? []).filter(({ a, b }) => board.walls.has(pairKey(a, b)));
        return [
          svg("circle", { cx, cy, r: 0.44 * pitch, "stroke-width": 0.06 * pitch }),
          ...walls.map(({ line }) => svg("path", { d: path(line.map(at)), "stroke-width": 0.12 * pitch })),
        ];
      });
    this.layers.rings.replaceChildren(...rings);
  }

  /** @param {Board} board @param {Drawn} drawn */
  paintDots(board, { lines = [], letters = false }) {
    const large = !this.bare || lines.length > 0;
    const drawn = `${this.frame} ${large} ${letters}`;
    if (this.dotsOf === board && this.dotsDrawn === drawn) return;
    this.dotsOf = board;
    this.dotsDrawn = drawn;
    const { of } = geometry(board);
    this.layers.dots.replaceChildren(
      ...[...board.dots].flatMap(([key, flow]) => {
        const { rgb, letter } = board.flows[flow];
        const [cx, cy] = this.at(got(of, key).centre);
        const r = (large ? 0.345 : 0.2) * this.pitch;
        const circle = svg("circle", { cx, cy, r, fill: rgb });
        const words = svg("text", { x: cx, y: cy, fill: inkOn(rgb), "font-size": r * 1.05, dy: "0.36em", text: letter });
        return letters ? [circle, words] : [circle];
      }),
    );
  }

  // What a screen reader says of every cell.
  /** @param {Board} board @param {Drawn} drawn */
  label(board, { lines = [], doubts = [] }) {
    const names = flowNames(board);
    const flowOf = new Map(lines.flatMap(({ flow, path: cells }) => cells.map((place) => [keyOf(place), names[flow]])));
    for (const [key, node] of this.nodes) {
      const flow = board.dots.get(key);
      const through = flowOf.get(key);
      const words = [placeWords(board, key)];
      if (board.holes.has(key)) words.push("hole");
      else if (flow !== undefined) words.push(`dot ${names[flow]}`);
      else if (board.bridges.has(key)) words.push("bridge");
      if (flow === undefined && through) words.push(`path ${through}`);
      if (doubts.includes(key)) words.push("doubtful");
      node.classList.toggle("piped", !!through);
      const said = words.join(", ");
      if (node.getAttribute("aria-label") !== said) node.setAttribute("aria-label", said);
    }
  }

  focus(/** @type {Key} */ key) {
    this.nodes.get(key)?.focus({ preventScroll: true });
  }

  // The cell with the focus is the one that Tab comes back to.
  rove(/** @type {Key} */ key) {
    const node = this.nodes.get(key);
    if (!node) return;
    this.nodes.get(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = this.chosen = key;
    node.setAttribute("tabindex", "0");
    this.ring();
    this.onRove();
  }

  // The chosen cell, ringed on all sides above all that lies on it.
  ring() {
    const cell = this.cell(this.focused);
    this.layers.focus.replaceChildren(...(cell ? [svg("path", { d: path(cell.outline.map(this.at), true) })] : []));
  }

  cell(/** @type {Key} */ key) {
    return this.board ? geometry(this.board).of.get(key) : undefined;
  }

  // A dot on its way to another cell.
  /** @param {Cell} from @param {Cell} to */
  carry(from, to) {
    const fill = this.board?.flows[this.board.dots.get(from.key) ?? -1]?.rgb ?? "none";
    const [p, q] = [this.at(from.centre), this.at(to.centre)];
    this.layers.cursor.replaceChildren(
      svg("path", { d: path([p, q]), class: "way" }),
      svg("circle", { cx: q[0], cy: q[1], r: 0.3 * this.pitch, fill }),
    );
  }

  // Where a finger is, in cell units.
  point(/** @type {MouseEvent} */ event) {
    const place = placeIn(this.root, event);
    return inverse(this.frame)([place.x, place.y]);
  }

  // How large the board is drawn; what does not fit is scrolled to.
  zoomBy(/** @type {number} */ factor) {
    this.zoom = Math.min(LARGEST_ZOOM, Math.max(1, this.zoom * factor));
    this.root.style.width = `${100 * this.zoom}%`;
    this.root.style.minHeight = `${100 * this.zoom}%`;
  }
}

// A board to look at alone: nothing to choose, nothing to hear of.
/** @param {SVGSVGElement} root @param {Board} board @param {Line[]} lines */
export function thumbnail(root, board, lines = []) {
  new BoardView(root).show(board, null, { lines });
  for (const one of root.querySelectorAll("[role]")) for (const name of ["role", "tabindex", "aria-label"]) one.removeAttribute(name);
  return root;
}
