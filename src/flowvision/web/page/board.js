// A board: its contents, the geometry of its cells, its text and JSON forms, its link.
// Boards are immutable. Cell units: a cell is 1 wide, y grows downwards.

/**
 * Facts of the game, from the server. `colours`: #rrggbb, letter, name, other shades; `letters`: in the order of new flows.
 * @type {{colours: string[][], letters: string}}
 */
export const GAME = { colours: [], letters: "" };
/** @type {Record<string, number[]>} */
export const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const HIGH = Math.sqrt(3) / 2;
/** Colours nearer than this belong to one flow. */
const ALIKE = 30;
/** Brightness of 255: the game's navy has 35, its blue 56. */
const DARK = 45;

/** @template K, V @param {Map<K, V>} map @param {K} key */
export function got(map, key) {
  const found = map.get(key);
  if (found === undefined) throw new RangeError(`nothing at ${key}`);
  return found;
}

export const pairKey = (/** @type {Key} */ a, /** @type {Key} */ b) => (order(a) < order(b) ? `${a}|${b}` : `${b}|${a}`);
const order = (/** @type {Key} */ key) => key.split(",").reduce((sum, part) => sum * 1000 + Number(part), 0);
export const keyOf = (/** @type {Place|Key} */ place) => (Array.isArray(place) ? place.join(",") : String(place));
export const placeOf = (/** @type {Board} */ board, /** @type {Key} */ key) => (board.free ? Number(key) : key.split(",").map(Number));
/** @type {<T = Key>(pair: string, each?: (key: Key) => T) => T[]} */
export const pairOf = (pair, each = (key) => /** @type {any} */ (key)) => pair.split("|").map(each);

export function placeWords(/** @type {Key} */ key) {
  const [r, c] = key.split(",").map((n) => Number(n) + 1);
  return c ? `row ${r}, column ${c}` : `cell ${r}`;
}
// Return a cell as words mark it, here and at the server; `withPlaces` replaces the marks.
export const marked = (/** @type {Place|Key} */ place) => `⟨${keyOf(place)}⟩`;
// Replace the marks of cells in words: by their signs, without brackets round them, else by their rows and columns.
export const withPlaces = (/** @type {string} */ words, signOf = (/** @type {Key} */ _) => "") =>
  words.replace(/(\(?)⟨([\d,]+)⟩(\)?)/g, (_, open, key, close) => {
    const sign = signOf(key);
    return sign && open && close ? sign : open + (sign || placeWords(key)) + close;
  });

/** @returns {Board} */
export function blank(/** @type {number} */ rows, /** @type {number} */ cols, tiling = "square") {
  const sets = { holes: new Set(), walls: new Set(), bridges: new Set(), warps: new Set() };
  return { tiling, rows, cols, free: null, ...sets, dots: new Map(), tints: new Map(), flows: [] };
}

// Return unique names of the flows; those of one colour are numbered.
export const flowNames = (/** @type {Board} */ board) =>
  board.flows.map(({ name }, n) => {
    const before = board.flows.slice(0, n).filter((flow) => flow.name === name).length;
    return before ? `${name} ${before + 1}` : name;
  });

export function distance(/** @type {string} */ a, /** @type {string} */ b) {
  const [x, y] = [rgbOf(a), rgbOf(b)];
  const red = (x[0] + y[0]) / 2;
  const [r, g, bl] = x.map((v, n) => (v - y[n]) ** 2);
  return Math.sqrt((2 + red / 256) * r + 4 * g + (2 + (255 - red) / 256) * bl);
}
export const hexOf = (/** @type {number[]} */ rgb) => `#${rgb.map((v) => Math.round(v).toString(16).padStart(2, "0")).join("")}`;
export const rgbOf = (/** @type {string} */ hex) => [1, 3, 5].map((n) => parseInt(hex.slice(n, n + 2), 16));

// Return the flow of a colour or of a similar one; -1 without one.
export const flowLike = (/** @type {Pick<Board, "flows">} */ { flows }, /** @type {string} */ rgb) =>
  flows.findIndex((flow) => distance(flow.rgb, rgb) < ALIKE);

const shadesOf = (/** @type {string[]} */ [first, , , ...others]) => [first, ...others];
const apart = (/** @type {string[]} */ colour, /** @type {string} */ rgb) =>
  Math.min(...shadesOf(colour).map((shade) => distance(shade, rgb)));
const nearest = (/** @type {string} */ rgb) => GAME.colours.reduce((best, one) => (apart(one, rgb) < apart(best, rgb) ? one : best));
export const isOfGame = (/** @type {string} */ rgb) => apart(nearest(rgb), rgb) < ALIKE;

function brightness(/** @type {string} */ rgb) {
  const [r, g, b] = rgbOf(rgb);
  return 0.299 * r + 0.587 * g + 0.114 * b;
}
export const inkOn = (/** @type {string} */ rgb) => (brightness(rgb) > 150 ? "#000" : "#fff");
// Tell if a colour needs a bright rim on the black of a board.
export const isDark = (/** @type {string} */ rgb) => brightness(rgb) < DARK;

export function newFlow(/** @type {Flow[]} */ flows, /** @type {string} */ rgb) {
  const taken = new Set(flows.map((flow) => flow.letter));
  const [, letter, name] = nearest(rgb);
  return { rgb, name, letter: taken.has(letter) ? ([...GAME.letters].find((one) => !taken.has(one)) ?? "?") : letter };
}

// Return an unused colour, of the game if one is left.
export function spareColour(/** @type {Flow[]|undefined} */ flows = []) {
  const at = (/** @type {number} */ offset) => 140 + 110 * Math.cos(2 * Math.PI * (0.618 * flows.length + offset));
  const spare = GAME.colours.find(([, , name]) => !flows.some((flow) => flow.name === name));
  return spare?.[0] ?? hexOf([at(0), at(1 / 3), at(2 / 3)]);
}

export function fromAnswer(/** @type {any} */ board, /** @type {ReadFlow[]} */ flows) {
  const made = blank(board.rows ?? 0, board.cols ?? 0, board.tiling);
  made.free = board.free ?? null;
  for (const place of board.holes ?? []) made.holes.add(keyOf(place));
  for (const place of board.bridges ?? []) made.bridges.add(keyOf(place));
  for (const [a, b] of board.walls ?? []) made.walls.add(pairKey(keyOf(a), keyOf(b)));
  for (const [a, b] of board.warps ?? []) made.warps.add(pairKey(keyOf(a), keyOf(b)));
  made.flows = flows.map(({ rgb, letter, name }) => ({ rgb, letter, name }));
  for (const [n, { ends, colours = [] }] of flows.entries())
    for (const [i, key] of ends.map(keyOf).entries()) {
      made.dots.set(key, n);
      if (colours[i]) made.tints.set(`${key} ${n}`, colours[i]);
    }
  return made;
}

/** @type {Map<any, Geometry>} */
const geometries = new Map();

export function geometry(/** @type {Board} */ board) {
  const shape = board.free ?? `${board.tiling} ${board.rows} ${board.cols}`;
  const made = geometries.get(shape) ?? complete(cellsOf(board), board.free?.sides);
  geometries.set(shape, made);
  return made;
}

function cellsOf(/** @type {Board} */ { free, tiling, rows, cols }) {
  if (free) return free.cells.map((cell, n) => ({ key: String(n), ...cell }));
  const shape = tiling === "hex" ? hexagon : square;
  return Array.from({ length: rows * cols }, (_, n) => {
    const [r, c] = [Math.floor(n / cols), n % cols];
    return { key: `${r},${c}`, r, c, ...shape(r, c) };
  });
}

export const cornersOf = (/** @type {number[]} */ [x0, y0, x1, y1]) =>
  [x0, y0, x1, y0, x1, y1, x0, y1].flatMap((x, n, all) => (n % 2 ? [] : [[x, all[n + 1]]]));
const square = (/** @type {number} */ r, /** @type {number} */ c) => ({
  centre: [c + 0.5, r + 0.5],
  outline: cornersOf([c, r, c + 1, r + 1]),
});
function hexagon(/** @type {number} */ r, /** @type {number} */ c) {
  const [x, y] = [0.5 + 0.75 * c, HIGH * (r + 1 - 0.5 * (c % 2))];
  const outline = [180, 240, 300, 0, 60, 120].map((degrees) => {
    const angle = (degrees * Math.PI) / 180;
    return [x + 0.5 * Math.cos(angle), y + 0.5 * Math.sin(angle)];
  });
  return { centre: [x, y], outline };
}

export const middleOf = (/** @type {number[]} */ p, /** @type {number[]} */ q) => [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
export const far = (/** @type {number[]} */ p, /** @type {number[]} */ q) => Math.hypot(p[0] - q[0], p[1] - q[1]);
export const linesRound = (/** @type {Cell} */ { outline }) => outline.map((p, n) => [p, outline[(n + 1) % outline.length]]);
export const lineName = (/** @type {number[][]} */ [p, q]) => `${Math.round(256 * (p[0] + q[0]))},${Math.round(256 * (p[1] + q[1]))}`;

// Add the sides between cells: `given` as two cells and the middle of their line, or found as shared lines.
function complete(/** @type {Cell[]} */ cells, /** @type {number[][]|undefined} */ given) {
  /** @type {Map<string, Side>} */
  const sides = new Map();
  const add = (/** @type {Key} */ a, /** @type {Key} */ b, /** @type {number[][]} */ line) =>
    sides.set(pairKey(a, b), { a, b, line, middle: middleOf(line[0], line[1]) });
  for (const [a, b, x, y] of given ?? []) {
    const off = (/** @type {number[][]} */ [p, q]) => far(middleOf(p, q), [x, y]);
    const line = linesRound(cells[a]).reduce((best, one) => (off(one) < off(best) ? one : best));
    add(String(a), String(b), line);
    got(sides, pairKey(String(a), String(b))).middle = [x, y];
  }
  const owners = new Map();
  for (const cell of given ? [] : cells)
    for (const line of linesRound(cell)) {
      const owner = owners.get(lineName(line));
      if (owner) add(owner, cell.key, line);
      else owners.set(lineName(line), cell.key);
    }
  /** @type {Map<Key, Side[]>} */
  const beside = new Map(cells.map((cell) => [cell.key, []]));
  for (const side of sides.values()) for (const key of [side.a, side.b]) got(beside, key).push(side);
  const [xs, ys] = [0, 1].map((axis) => cells.flatMap((cell) => cell.outline.map((p) => p[axis])));
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  return { cells, of: new Map(cells.map((cell) => [cell.key, cell])), sides, beside, box };
}

export function cellAt(/** @type {Board} */ board, /** @type {number[]} */ point) {
  const { cells, of } = geometry(board);
  const [x, y] = point.map(Math.floor);
  const nearer = (/** @type {Cell} */ best, /** @type {Cell} */ cell) => (far(cell.centre, point) < far(best.centre, point) ? cell : best);
  const near = (board.tiling === "square" && of.get(`${y},${x}`)) || cells.reduce(nearer);
  return far(near.centre, point) < 0.75 ? near : null;
}

export const sideAt = (/** @type {Board} */ board, /** @type {Cell} */ cell, /** @type {number[]} */ point) =>
  [...got(geometry(board).beside, cell.key)].sort((one, other) => far(one.middle, point) - far(other.middle, point))[0];

// Return the cells that a warp from this border cell may lead to.
export function acrossOf(/** @type {Board} */ board, /** @type {Key} */ key) {
  if (board.tiling !== "square") return [];
  const { rows, cols, holes } = board;
  const [r, c] = key.split(",").map(Number);
  const found = [];
  if (cols > 2 && (c === 0 || c === cols - 1)) found.push(`${r},${cols - 1 - c}`);
  if (rows > 2 && (r === 0 || r === rows - 1)) found.push(`${rows - 1 - r},${c}`);
  return found.filter((other) => !holes.has(other) && !holes.has(key));
}

export function neighbour(/** @type {Board} */ board, /** @type {Key} */ key, /** @type {number[]} */ [dx, dy]) {
  const { of, cells } = geometry(board);
  const [x, y] = got(of, key).centre;
  const cost = (/** @type {Cell} */ { centre }) => {
    const [ex, ey] = [centre[0] - x, centre[1] - y];
    const [along, aside] = [ex * dx + ey * dy, Math.abs(ex * dy - ey * dx)];
    return along > 0.2 && aside <= along * 1.2 ? along + 2 * aside : Infinity;
  };
  const best = cells.reduce((one, other) => (cost(other) < cost(one) ? other : one));
  return cost(best) < Infinity ? best : null;
}

// Return the polylines of a path; a warp splits it.
export function linesOf(/** @type {Board} */ board, /** @type {(Place | Key)[]} */ path) {
  const { of, sides } = geometry(board);
  const lines = [[got(of, keyOf(path[0])).centre]];
  for (let n = 1; n < path.length; n++) {
    const [a, b] = [keyOf(path[n - 1]), keyOf(path[n])];
    const [p, q] = [got(of, a).centre, got(of, b).centre];
    const side = sides.get(pairKey(a, b));
    const line = lines[lines.length - 1];
    if (side && !board.walls.has(pairKey(a, b))) line.push(...(board.free ? [side.middle] : []), q);
    else {
      const way = [Math.sign(p[0] - q[0]) * 0.6, Math.sign(p[1] - q[1]) * 0.6];
      line.push([p[0] + way[0], p[1] + way[1]]);
      lines.push([[q[0] - way[0], q[1] - way[1]], q]);
    }
  }
  return lines;
}

export function dotsOf(/** @type {Board} */ board) {
  /** @type {Key[][]} */
  const keys = board.flows.map(() => []);
  for (const [key, flow] of board.dots) keys[flow].push(key);
  return keys;
}

// Return the pairs of dots, regardless of colour.
export const pairsOf = (/** @type {Board} */ board) =>
  dotsOf(board)
    .map((keys) => keys.sort().join(" "))
    .filter(Boolean)
    .sort()
    .join();

const codeOf = (/** @type {Board} */ board) => {
  const { tiling, rows, cols, holes, walls, bridges, warps } = board;
  return JSON.stringify([tiling, rows, cols, pairsOf(board), ...[holes, walls, bridges, warps].map((set) => [...set].sort())]);
};
// Return the colour of the dot in a cell, undefined without one.
export const rgbAt = (/** @type {Board|undefined} */ board, /** @type {Key} */ key) => board?.flows[board.dots.get(key) ?? -1]?.rgb;
export const isSame = (/** @type {Board} */ a, /** @type {Board} */ b) => a === b || codeOf(a) === codeOf(b);

// Return the record for the server, the flows `used` in it, and `odd` flows without exactly two dots.
export function puzzleOf(/** @type {Board} */ board) {
  const { free, rows, cols, tiling, holes, walls, bridges, warps } = board;
  const dots = dotsOf(board);
  const used = dots.map((_, n) => n).filter((n) => dots[n].length);
  const place = (/** @type {Key} */ key) => placeOf(board, key);
  const pairs = used.map((n) => dots[n].map(place));
  const odd = used.filter((n) => dots[n].length !== 2);
  if (free) {
    const sides = free.sides.filter(([a, b]) => !walls.has(pairKey(String(a), String(b))));
    return { record: { tiling: "free", cells: free.cells, sides, pairs }, used, odd };
  }
  const both = (/** @type {Iterable<string>} */ keys) => [...keys].map((pair) => pairOf(pair, place));
  const marks = { holes: [...holes].map(place), walls: both(walls), bridges: [...bridges].map(place), warps: both(warps) };
  return { record: { id: "", rows, cols, topology: tiling, wrap: "none", pairs, ...marks }, used, odd };
}

export function textOf(/** @type {Board} */ board) {
  if (board.free) return "";
  if (board.flows.length > GAME.letters.length) return `${JSON.stringify(puzzleOf(board).record)}\n`;
  const mark = (/** @type {Key} */ key) =>
    board.flows[board.dots.get(key) ?? -1]?.letter ?? (board.holes.has(key) ? "#" : board.bridges.has(key) ? "+" : ".");
  const row = (/** @type {number} */ r) => Array.from({ length: board.cols }, (_, c) => mark(`${r},${c}`)).join("");
  const lines = [...(board.tiling === "hex" ? ["hex"] : []), ...Array.from({ length: board.rows }, (_, r) => row(r))];
  for (const [word, pairs] of Object.entries({ wall: board.walls, warp: board.warps }))
    for (const pair of pairs) lines.push(`${word} ${pair.replace(/\d+/g, (n) => String(+n + 1)).replace("|", "/")}`);
  return `${lines.join("\n")}\n`;
}

/** A board in the address: its text form, one line after another. */
const LINK = "#b=";
const MAX_LENGTH = 8000;
const ALLOWED = /^[A-Za-z0-9.+!;=,/]+$/;

// A trailing slash: programs that find links leave out a full stop at the end.
export const linkOf = (/** @type {string} */ text) =>
  `${LINK}${text.trim().replaceAll("#", "!").replaceAll(" ", "=").replaceAll("\n", ";")};/`;

// Return the text of a linked board, "" for a link that holds none, null for another fragment.
export function boardOfLink(/** @type {string} */ hash) {
  if (!hash.startsWith(LINK)) return null;
  const code = hash.slice(LINK.length).replace(/;\/$/, "");
  if (code.length > MAX_LENGTH || !ALLOWED.test(code)) return "";
  return code.replaceAll("!", "#").replaceAll("=", " ").replaceAll(";", "\n");
}
