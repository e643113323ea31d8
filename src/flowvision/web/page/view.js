// A board as SVG, alone or over the picture.

import {
  cornersOf,
  far,
  flowNames,
  geometry,
  got,
  inkOn,
  isDark,
  keyOf,
  lineName,
  linesOf,
  linesRound,
  middleOf,
  pairOf,
  placeWords,
} from "./board.js";
import { dress, svg } from "./dom.js";

const UNIT = 100;
const LAYERS = ["shot", "ground", "cells", "tints", "ruling", "lines", "dots", "lit", "rings", "signs", "focus"];
/** Layers that are drawn again where they change. */
const DRAWN = ["ground", "tints", "ruling", "lines", "dots", "lit", "rings", "signs"];
/** Space round the cells for the rim, and for warps, in cell widths. */
const [EDGE, WARP_EDGE] = [0.06, 0.34];
const CROSS = "M-1-1l2 2M1-1l-2 2";
/** Radii in cell widths: of a dot, and of one that was read, drawn on that of the picture. */
const [DOT, MARK] = [0.345, 0.13];

// Return the space round a board of this width, in its unit.
export function marginOf(/** @type {Board} */ board, /** @type {number} */ width) {
  const [left, , right] = geometry(board).box;
  return ((board.warps.size ? WARP_EDGE : EDGE) * width) / (right - left);
}

function matrixOf(/** @type {Frame} */ frame) {
  const [a, b, c, d, e, f, g, h, i] = frame ?? [UNIT, 0, 0, 0, UNIT, 0, 0, 0, 1];
  return new DOMMatrix([a, d, 0, g, b, e, 0, h, 0, 0, 1, 0, c, f, 0, i]);
}
const through = (/** @type {DOMMatrix} */ matrix) => (/** @type {number[]} */ point) => {
  const { x, y, w } = matrix.transformPoint({ x: point[0], y: point[1] });
  return [x / w, y / w];
};
// Return a function from cell units to pixels of a picture, or to units of the board's own drawing.
export const mapper = (/** @type {Frame} */ frame) => through(matrixOf(frame));

export const path = (/** @type {number[][]} */ points, closed = false) =>
  `M${points.map((point) => point.map((v) => v.toFixed(1)).join(" ")).join("L")}${closed ? "Z" : ""}`;

function linesAround(/** @type {Cell[]} */ cells) {
  /** @type {Map<string, number[][]>} */
  const outer = new Map();
  for (const line of cells.flatMap(linesRound)) if (!outer.delete(lineName(line))) outer.set(lineName(line), line);
  return [...outer.values()];
}

export class BoardView {
  // `bare`: over a picture, which already shows cells and dots.
  constructor(/** @type {SVGSVGElement} */ root, { bare = false } = {}) {
    this.root = root;
    this.bare = bare;
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, svg("g", { class: name })]));
    root.append(...Object.values(this.layers));
    if (!bare) dress(this.layers.cells, { role: "grid", "aria-label": "Board" });
    /** @type {Map<Key, SVGPathElement>} */
    this.nodes = new Map();
    /** @type {Map<string, Map<string, Element[]>>} nodes of each layer by what they show */
    this.made = new Map();
    /** @type {Map<Key, string>} words for the cells: where they are, and what they hold */
    this.places = new Map();
    /** @type {Map<Key, string>} */
    this.labels = new Map();
    this.focused = "";
    this.pitch = UNIT;
    /** @type {Geometry|null} */
    this.shape = null;
    /** @type {Frame} */
    this.frame = null;
    this.at = mapper(null);
    // On the parent: a focus listener on the SVG itself would make it a tab stop.
    root.parentElement?.addEventListener("focusin", ({ target }) => target instanceof SVGElement && this.rove(target.dataset.key ?? ""));
  }

  // `room`: more space round the cells, in cell widths.
  /** @param {Board} board @param {Frame} frame @param {Drawn} drawn */
  show(board, frame, drawn, room = 0) {
    const shape = geometry(board);
    const isOther = this.shape !== shape || String(frame) !== String(this.frame);
    Object.assign(this, { shape, frame, at: mapper(frame) });
    if (isOther) this.build(board, shape);
    const [x0, y0, x1, y1] = shape.box;
    const edge = Math.max(room, marginOf(board, x1 - x0));
    const whole = [x0 - edge, y0 - edge, x1 - x0 + 2 * edge, y1 - y0 + 2 * edge].map((v) => (v * UNIT).toFixed(1));
    if (!this.bare) this.root.setAttribute("viewBox", whole.join(" "));
    this.paintBoard(board, shape);
    this.paintLines(board, drawn);
    this.paintDots(board, drawn);
    this.paintSigns(board, drawn);
    if (!this.bare) this.label(board, drawn);
    return this;
  }

  // Fill a layer: nodes whose description is as before stay.
  /** @param {string} name @param {[what: string, make: () => Element[]][]} wanted */
  fill(name, wanted) {
    const before = this.made.get(name);
    const made = new Map(wanted.map(([what, make]) => [what, before?.get(what) ?? make()]));
    this.made.set(name, made);
    for (const [what, nodes] of before ?? []) if (!made.has(what)) for (const node of nodes) node.remove();
    let next = this.layers[name].firstChild;
    for (const node of [...made.values()].flat())
      if (node === next) next = node.nextSibling;
      else this.layers[name].insertBefore(node, next);
  }

  size(/** @type {Cell} */ cell) {
    const [x, y] = cell.centre;
    const narrow = Math.min(...linesRound(cell).map(([p, q]) => 2 * far(middleOf(p, q), cell.centre)));
    return far(this.at([x - 0.5, y]), this.at([x + 0.5, y])) * Math.min(1, narrow);
  }

  // Create the cells, as focusable elements with labels.
  /** @param {Board} board @param {Geometry} shape */
  build(board, { cells }) {
    this.pitch = this.size(cells[Math.floor(cells.length / 2)]);
    for (const name of DRAWN) this.fill(name, []);
    if (this.bare) return;
    this.labels.clear();
    this.places = new Map(cells.map(({ key }) => [key, placeWords(key)]));
    this.nodes = new Map(
      cells.map((cell) => {
        const given = {
          class: "cell",
          role: "gridcell",
          tabindex: -1,
          "aria-colindex": cell.c === undefined ? null : cell.c + 1,
          "data-key": cell.key,
        };
        return [cell.key, svg("path", { d: path(cell.outline.map(this.at), true), ...given })];
      }),
    );
    const rows = Array.from({ length: board.rows || 1 }, (_, r) =>
      svg("g", { role: "row", "aria-label": `row ${r + 1}`, "aria-rowindex": r + 1 }),
    );
    for (const { r = 0, key } of cells) rows[r].append(got(this.nodes, key));
    this.layers.cells.replaceChildren(...rows);
    this.rove(this.nodes.has(this.focused) ? this.focused : cells[0].key);
  }

  paintBoard(/** @type {Board} */ board, /** @type {Geometry} */ shape) {
    const { holes, walls, bridges, warps } = board;
    const marks = [holes, walls, bridges, warps].map((set) => [...set].join(" ")).join();
    this.fill("ruling", [[marks, () => this.ruling(board, shape)]]);
    if (this.bare) return;
    // One path for all cells is painted faster than one for each.
    const ground = () => shape.cells.flatMap(({ key, outline }) => (holes.has(key) ? [] : path(outline.map(this.at), true)));
    this.fill("ground", [[[...holes].join(" "), () => [svg("path", { d: ground().join("") })]]]);
  }

  ruling(/** @type {Board} */ board, /** @type {Geometry} */ shape) {
    const { at } = this;
    const centre = (/** @type {Key} */ key) => got(shape.of, key).centre;
    // The border is open where a warp leaves the board.
    const openings = [...board.warps].flatMap((pair) =>
      [pairOf(pair), pairOf(pair).reverse()].map(([key, other]) => {
        const [p, q] = [centre(key), centre(other)];
        return [p[0] + Math.sign(p[0] - q[0]) / 2, p[1] + Math.sign(p[1] - q[1]) / 2];
      }),
    );
    const isOpen = (/** @type {number[][]} */ [p, q]) => openings.some((place) => far(middleOf(p, q), place) < 0.1);
    const rim = linesAround(shape.cells.filter(({ key }) => !board.holes.has(key))).filter((line) => !isOpen(line));
    const walls = [...board.walls].flatMap((pair) => (shape.sides.has(pair) ? [got(shape.sides, pair).line] : []));
    const bridges = [...board.bridges].flatMap((key) => {
      const [x, y] = centre(key);
      const line = (/** @type {number[]} */ ...[x0, y0, x1, y1]) =>
        cornersOf([x + x0, y + y0, x + x1, y + y1]).filter((_, n) => n % 2 === 0);
      return [-0.24, 0.24].flatMap((s) => [line(-0.5, s, 0.5, s), line(s, -0.5, s, -0.32), line(s, 0.32, s, 0.5)]);
    });
    const drawn = (/** @type {string} */ kind, /** @type {number[][][]} */ lines, /** @type {number} */ width) =>
      svg("path", { class: kind, d: lines.map((line) => path(line.map(at))).join(""), "stroke-width": width * this.pitch });
    return [drawn("rim", rim, 0.06), drawn("rim", bridges, 0.05), drawn("wall", walls, 0.12)];
  }

  /** @param {Board} board @param {Drawn} drawn */
  paintLines(board, { lines = [], lit = [], rings = [] }) {
    const { at, pitch } = this;
    const { of } = geometry(board);
    const ofFlow = board.flows.map((_, n) => lines.filter((line) => line.flow === n && line.path.length > 1));
    // All casings of a flow come before its lines, so that its pieces look like one pipe.
    const strokes = (/** @type {number} */ flow, /** @type {Record<string, any>} */ given, /** @type {number} */ share) =>
      ofFlow[flow]
        .flatMap((line) => linesOf(board, line.path))
        .map((line) => svg("path", { d: path(line.map(at)), "stroke-width": share * pitch, ...given }));
    const pipe = (/** @type {Flow} */ { rgb }, /** @type {number} */ n) => [
      ...strokes(n, { class: isDark(rgb) ? "casing dark" : "casing" }, 0.4),
      ...strokes(n, { stroke: rgb }, 0.333),
    ];
    const outlines = (/** @type {number} */ flow) =>
      ofFlow[flow].flatMap((line) => line.path.map((place) => got(of, keyOf(place)).outline));
    const tint = (/** @type {Flow} */ { rgb }, /** @type {number} */ n) => [
      svg("path", {
        fill: rgb,
        d: outlines(n)
          .map((outline) => path(outline.map(at), true))
          .join(""),
      }),
    ];
    /** @param {(flow: Flow, n: number) => Element[]} make @returns {[string, () => Element[]][]} */
    const each = (make) =>
      board.flows.map((flow, n) => [`${n} ${flow.rgb} ${ofFlow[n].map((line) => line.path.join(" "))}`, () => make(flow, n)]);
    this.fill("lines", each(pipe));
    if (!this.bare) this.fill("tints", each(tint));
    const outlined = linesAround([...new Set(lit)].flatMap((key) => of.get(key) ?? []));
    this.fill("lit", [[lit.join(" "), () => outlined.map((line) => svg("path", { d: path(line.map(at)) }))]]);
    const ring = (/** @type {Ring} */ [key, kind, rgb]) => {
      const [cx, cy] = at(got(of, key).centre);
      if (kind === "doubtful") return [svg("circle", { class: kind, cx, cy, r: 0.44 * pitch, "stroke-width": 0.06 * pitch })];
      const transform = `translate(${cx} ${cy}) scale(${0.15 * pitch})`;
      const cross = ["edge", kind].map((name) => svg("path", { class: name, d: CROSS, transform }));
      return kind === "gone" ? [svg("circle", { class: kind, cx, cy, r: DOT * pitch, fill: rgb }), ...cross] : cross;
    };
    this.fill("rings", [[rings.join(" "), () => rings.filter(([key, kind]) => of.has(key) && kind !== "missing").flatMap(ring)]]);
  }

  // Draw dots that may be missing, pieces that may come next, sides that the picture cuts, and the signs that words use for cells.
  paintSigns(/** @type {Board} */ board, /** @type {Drawn} */ { missing = [], ghost = [], signs = new Map(), cut = [] }) {
    const { pitch } = this;
    const at = (/** @type {Key} */ key, off = 0) => this.at(got(geometry(board).of, key).centre.map((v, n) => v + (n ? -off : off)));
    const dot = (/** @type {[Key, string]} */ [key, rgb]) => {
      const [cx, cy] = at(key);
      return svg("circle", { cx, cy, r: DOT * pitch, fill: rgb, stroke: rgb, "stroke-width": 0.06 * pitch });
    };
    const sign = (/** @type {[Key, string]} */ [key, text]) => {
      const [x, y] = at(key, 0.31);
      const [side, size] = [0.38 * pitch, 0.42 * pitch];
      const disc = svg("rect", { x: x - side / 2, y: y - side / 2, width: side, height: side, rx: side / 2 });
      return [disc, svg("text", { x, y, dy: "0.36em", "font-size": size, text })];
    };
    const corners = cornersOf([0, 0, board.cols, board.rows]).map(this.at);
    const torn = (/** @type {number} */ side) => svg("path", { d: path([corners[(side + 3) % 4], corners[side]]) });
    const faint = (/** @type {Line} */ { flow, path: cells }) =>
      linesOf(board, cells).map((line) =>
        svg("path", { class: "ghost", d: path(line.map(this.at)), stroke: board.flows[flow].rgb, "stroke-width": pitch / 3 }),
      );
    const make = () => [...missing.map(dot), ...ghost.flatMap(faint), ...cut.map(torn), ...[...signs].flatMap(sign)];
    this.fill("signs", [[JSON.stringify([missing, ghost, cut, ...signs]), make]]);
  }

  paintDots(/** @type {Board} */ board, /** @type {Drawn} */ { lines = [], letters = false, marks = true, added = [] }) {
    const isBare = this.bare && !lines.length;
    if (isBare && !marks) return this.fill("dots", []);
    const { of } = geometry(board);
    const dot = (/** @type {Key} */ key, /** @type {string} */ fill, /** @type {Flow} */ { rgb, letter }) => {
      const isMark = isBare && !added.includes(key);
      const r = (isMark ? MARK : DOT) * this.pitch;
      const [cx, cy] = this.at(got(of, key).centre);
      const text = () => svg("text", { x: cx, y: cy, fill: inkOn(rgb), "font-size": r * 1.05, dy: "0.36em", text: letter });
      const kind = isMark ? "mark" : isDark(fill) ? "dark" : null;
      return [svg("circle", { class: kind, cx, cy, r, fill, stroke: isMark ? inkOn(fill) : null }), ...(letters ? [text()] : [])];
    };
    this.fill(
      "dots",
      [...board.dots].map(([key, n]) => {
        const flow = board.flows[n];
        const fill = board.tints.get(`${key} ${n}`) ?? flow.rgb;
        return [[key, fill, isBare && !added.includes(key), letters && flow.letter].join(" "), () => dot(key, fill, flow)];
      }),
    );
  }

  // Tell screen readers what every cell holds.
  label(/** @type {Board} */ board, /** @type {Drawn} */ { lines = [], ghost = [], rings = [], lit = [], signs, isPlayed = false }) {
    const names = flowNames(board);
    const through = new Map(lines.flatMap(({ flow, path: cells }) => cells.map((place) => [keyOf(place), names[flow]])));
    const hinted = new Set(ghost.flatMap(({ path: cells }) => cells.map(keyOf)));
    /** @type {Map<Key, string>} */
    const ringed = new Map(rings.map(([key, kind]) => [key, kind]));
    for (const [key, node] of this.nodes) {
      const flow = board.dots.get(key);
      const mark = board.holes.has(key) ? "hole" : flow !== undefined ? `dot ${names[flow]}` : board.bridges.has(key) ? "bridge" : "";
      const piped = through.get(key);
      const path = flow === undefined && piped ? `path ${piped}` : "";
      const words = [mark, path, ringed.get(key), hinted.has(key) && "hint", lit.includes(key) && "outlined", signs?.get(key)].filter(
        Boolean,
      );
      const label = [this.places.get(key), ...words].join(", ");
      if (this.labels.get(key) === label) continue;
      this.labels.set(key, label);
      node.setAttribute("aria-label", label);
      const kinds = ["cell", board.holes.has(key) && "hole", flow !== undefined && "held", isPlayed && piped && "piped"];
      const kind = kinds.filter(Boolean).join(" ");
      if (node.getAttribute("class") !== kind) node.setAttribute("class", kind);
    }
  }

  focus(/** @type {Key} */ key) {
    this.nodes.get(key)?.focus({ preventScroll: true });
  }

  // Outline the focused cell, and make it the tab stop.
  rove(/** @type {Key} */ key) {
    const node = this.nodes.get(key);
    if (!node) return;
    this.nodes.get(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = key;
    node.setAttribute("tabindex", "0");
    this.layers.focus.replaceChildren(svg("path", { d: node.getAttribute("d") }));
  }

  // Return a function from events to places in cell units; it asks for no layout.
  pointer() {
    const screen = this.root.getScreenCTM()?.inverse();
    const back = through(matrixOf(this.frame).inverse());
    return (/** @type {MouseEvent} */ { clientX, clientY }) => {
      const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(screen);
      return back([x, y]);
    };
  }
}
