// A board as it is edited: what it holds, where its cells lie, and its written forms.
// Boards are never changed: an edit makes a new one. Cell units: a cell is 1 wide, y grows downwards.

export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
// The game's colours, as the server names them: #rrggbb, letter, name, other shades of it.
/** @type {string[][]} */
export const COLOURS = [];
/** @type {Record<string, number[]>} */
export const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const HIGH = Math.sqrt(3) / 2;

// What a map is known to hold.
/** @template K, V @param {Map<K, V>} map @param {K} key @returns {V} */
export function got(map, key) {
  const found = map.get(key);
  if (found === undefined) throw new RangeError(`nothing at ${key}`);
  return found;
}

/** @param {Key} a @param {Key} b */
export const pairKey = (a, b) => (order(a) < order(b) ? `${a}|${b}` : `${b}|${a}`);
const order = (/** @type {Key} */ key) => key.split(",").reduce((sum, part) => sum * 1000 + Number(part), 0);
/** @param {Cellish} place @returns {Key} */
export const keyOf = (place) => (Array.isArray(place) ? place.join(",") : String(place));
/** @param {Board} board @param {Key} key @returns {Place} */
export const placeOf = (board, key) => (board.free ? Number(key) : key.split(",").map(Number));

// Where a cell is, counted from 1.
/** @param {Board} board @param {Cellish} place */
export const placeWords = (board, place) => {
  const [r, c] = keyOf(place)
    .split(",")
    .map((n) => Number(n) + 1);
  return board.free ? `cell ${r}` : `row ${r}, column ${c}`;
};

/** @param {number} rows @param {number} cols @param {string} tiling @returns {Board} */
export function blank(rows, cols, tiling = "square") {
  return {
    tiling,
    rows,
    cols,
    free: null,
    holes: new Set(),
    walls: new Set(),
    bridges: new Set(),
    warps: new Set(),
    dots: new Map(),
    flows: [],
  };
}

// What the flows are called, each otherwise: by their colours, with a number where those have one name.
/** @type {WeakMap<Flow[], string[]>} */
const called = new WeakMap();
export function flowNames(/** @type {Board} */ { flows }) {
  let made = called.get(flows);
  if (!made) {
    const names = flows.map((flow) => nameOf(flow.rgb));
    made = names.map((name, n) => {
      const before = names.slice(0, n).filter((one) => one === name).length;
      return before ? `${name} ${before + 1}` : name;
    });
    called.set(flows, made);
  }
  return made;
}

// How far two colours, #rrggbb, are from each other to the eye.
/** @param {string} a @param {string} b */
export function distance(a, b) {
  const [x, y] = [rgbOf(a), rgbOf(b)];
  const red = (x[0] + y[0]) / 2;
  const [r, g, bl] = x.map((v, n) => (v - y[n]) ** 2);
  return Math.sqrt((2 + red / 256) * r + 4 * g + (2 + (255 - red) / 256) * bl);
}
export const hexOf = (/** @type {number[]} */ rgb) => `#${rgb.map((v) => Math.round(v).toString(16).padStart(2, "0")).join("")}`;
const rgbOf = (/** @type {string} */ hex) => [1, 3, 5].map((n) => parseInt(hex.slice(n, n + 2), 16));
// The flow of a colour, or of one that looks the same: another reading measures it a little otherwise. -1: there is none.
/** @param {Board} board @param {string} rgb */
export function flowLike({ flows }, rgb) {
  const apart = flows.map((flow) => distance(flow.rgb, rgb));
  const least = Math.min(...apart);
  return least < ALIKE ? apart.indexOf(least) : -1;
}
const ALIKE = 30;
// The game's colour with the nearest of its shades.
function nearest(/** @type {string} */ rgb) {
  const apart = (/** @type {string[]} */ [first, , , ...shades]) => Math.min(...[first, ...shades].map((one) => distance(one, rgb)));
  return COLOURS.reduce((best, one) => (apart(one) < apart(best) ? one : best));
}
// Whether a colour is one of the game's, or nearly so.
export const isOfGame = (/** @type {string} */ rgb) => {
  const [first, , , ...shades] = nearest(rgb);
  return [first, ...shades].some((one) => distance(one, rgb) < ALIKE);
};
// What a colour is called: one without a hue by how light it is, as the server does.
export function nameOf(/** @type {string} */ rgb) {
  const [low, , high] = rgbOf(rgb).sort((a, b) => a - b);
  return high - low >= HUE ? nearest(rgb)[2] : high < BLACK ? "black" : high < WHITE ? "grey" : "white";
}
const [HUE, BLACK, WHITE] = [24, 64, 210];
export const inkOn = (/** @type {string} */ rgb) => {
  const [r, g, b] = rgbOf(rgb);
  return 0.299 * r + 0.587 * g + 0.114 * b > 150 ? "#000" : "#fff";
};

/** @param {Flow[]} flows @param {string} rgb @returns {Flow} */
export function newFlow(flows, rgb) {
  const taken = new Set(flows.map((flow) => flow.letter));
  const wanted = nearest(rgb)[1];
  return { rgb, letter: !taken.has(wanted) ? wanted : ([...LETTERS].find((letter) => !taken.has(letter)) ?? "?") };
}

// From the object of the contract: `board` and `flows`.
/** @param {any} board @param {(Flow & {ends: Place[]})[]} flows */
export function fromAnswer(board, flows) {
  const made = blank(board.rows ?? 0, board.cols ?? 0, board.tiling);
  made.free = board.free ?? null;
  for (const place of board.holes ?? []) made.holes.add(keyOf(place));
  for (const place of board.bridges ?? []) made.bridges.add(keyOf(place));
  for (const [a, b] of board.walls ?? []) made.walls.add(pairKey(keyOf(a), keyOf(b)));
  for (const [a, b] of board.warps ?? []) made.warps.add(pairKey(keyOf(a), keyOf(b)));
  made.flows = flows.map(({ rgb, letter }) => ({ rgb, letter }));
  for (const [n, flow] of flows.entries()) for (const end of flow.ends) made.dots.set(keyOf(end), n);
  return made;
}

// From the server's object of a puzzle.
export const fromPuzzle = (/** @type {any} */ { record, ...more }) => fromAnswer({ ...record, ...more }, more.flows);

// A colour for the nth flow where the game has none left.
export function hue(/** @type {number} */ n) {
  const at = (/** @type {number} */ offset) => 140 + 110 * Math.cos(2 * Math.PI * (0.618 * n + offset));
  return hexOf([at(0), at(1 / 3), at(2 / 3)]);
}

// Geometry ------------------------------------------------------------------------------------------

/** @type {WeakMap<Board, Geometry>} */
const known = new WeakMap();

// cells: key, centre, outline; sides: two cells, the ends of the line between them, its middle.
/** @param {Board} board @returns {Geometry} */
export function geometry(board) {
  let made = known.get(board);
  if (!made) {
    const shape = board.free ?? `${board.tiling} ${board.rows} ${board.cols} ${[...board.holes].join(" ")}`;
    made = lastShape.made && lastShape.shape === shape ? lastShape.made : board.free ? freeGeometry(board.free) : lattice(board);
    lastShape = { shape, made };
    known.set(board, made);
  }
  return made;
}
/** @type {{shape: any, made: Geometry|null}} */
let lastShape = { shape: null, made: null };

function lattice(/** @type {Board} */ board) {
  const cells = [];
  for (let r = 0; r < board.rows; r++)
    for (let c = 0; c < board.cols; c++) {
      const key = `${r},${c}`;
      cells.push({ key, r, c, hole: board.holes.has(key), ...(board.tiling === "hex" ? hexagon(r, c) : square(r, c)) });
    }
  return complete(cells, null);
}

/** @param {number} r @param {number} c */
const square = (r, c) => ({
  centre: [c + 0.5, r + 0.5],
  outline: [
    [c, r],
    [c + 1, r],
    [c + 1, r + 1],
    [c, r + 1],
  ],
});
/** @param {number} r @param {number} c */
function hexagon(r, c) {
  const [x, y] = [0.5 + 0.75 * c, HIGH * (r + 1 - 0.5 * (c % 2))];
  const corners = [
    [-2, 0],
    [-1, -1],
    [1, -1],
    [2, 0],
    [1, 1],
    [-1, 1],
  ];
  return { centre: [x, y], outline: corners.map(([i, j]) => [x + i / 4, y + (j * HIGH) / 2]) };
}

/** @param {NonNullable<Board["free"]>} free */
function freeGeometry(free) {
  const cells = free.cells.map((cell, n) => ({ key: String(n), ...cell }));
  return complete(cells, free.sides);
}

/** @param {Cell[]} cells @param {number[][]|null} given two cells and the middle of the side between them @returns {Geometry} */
function complete(cells, given) {
  const of = new Map(cells.map((cell) => [cell.key, cell]));
  const sides = new Map();
  if (given) {
    for (const [a, b, x, y] of given) {
      const ends = cells[a].outline.map((p, n, all) => [p, all[(n + 1) % all.length]]);
      const apart = (/** @type {number[][]} */ [p, q]) => Math.hypot((p[0] + q[0]) / 2 - x, (p[1] + q[1]) / 2 - y);
      const line = ends.reduce((best, one) => (apart(one) < apart(best) ? one : best));
      sides.set(pairKey(String(a), String(b)), { a: String(a), b: String(b), line, middle: [x, y] });
    }
  } else {
    const owners = new Map();
    for (const cell of cells)
      cell.outline.forEach((p, n, all) => {
        const q = all[(n + 1) % all.length];
        const middle = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
        const place = middle.map((v) => Math.round(v * 512)).join();
        const other = owners.get(place);
        if (other) sides.set(pairKey(other, cell.key), { a: other, b: cell.key, line: [p, q], middle });
        else owners.set(place, cell.key);
      });
  }
  /** @type {Map<Key, Side[]>} */
  const beside = new Map(cells.map((cell) => [cell.key, []]));
  for (const side of sides.values()) {
    got(beside, side.a).push(side);
    got(beside, side.b).push(side);
  }
  const xs = cells.flatMap((cell) => cell.outline.map((p) => p[0]));
  const ys = cells.flatMap((cell) => cell.outline.map((p) => p[1]));
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  return { cells, of, sides, beside, box };
}

/** @param {Board} board @param {number[]} point @returns {Cell|null} */
export function cellAt(board, [x, y]) {
  const { cells } = geometry(board);
  let best = null;
  let far = 0.75;
  for (const cell of cells) {
    const apart = Math.hypot(cell.centre[0] - x, cell.centre[1] - y);
    if (apart < far) [best, far] = [cell, apart];
  }
  return best;
}

// The side of a cell nearest to a point, if it is near: sides are no elements of their own.
/** @param {Board} board @param {Cell} cell @param {number[]} point @param {number} reach */
export function sideAt(board, cell, [x, y], reach) {
  const { beside } = geometry(board);
  const apart = (/** @type {Side} */ { line: [p, q] }) => {
    const [dx, dy] = [q[0] - p[0], q[1] - p[1]];
    const t = Math.max(0, Math.min(1, ((x - p[0]) * dx + (y - p[1]) * dy) / (dx * dx + dy * dy)));
    return Math.hypot(p[0] + t * dx - x, p[1] + t * dy - y);
  };
  const near = got(beside, cell.key).filter((side) => apart(side) < reach);
  return near.sort((one, other) => apart(one) - apart(other))[0] ?? null;
}

// The cell over the edge from a cell at the rim, where a warp may be.
/** @param {Board} board @param {Key} key @returns {Key[]} */
export function acrossOf(board, key) {
  if (board.free || board.tiling === "hex") return [];
  const [r, c] = key.split(",").map(Number);
  const found = [];
  if (board.cols > 2 && (c === 0 || c === board.cols - 1)) found.push(`${r},${board.cols - 1 - c}`);
  if (board.rows > 2 && (r === 0 || r === board.rows - 1)) found.push(`${board.rows - 1 - r},${c}`);
  return found.filter((other) => !board.holes.has(other) && !board.holes.has(key));
}

/** @param {Board} board @param {Key} key @param {number[]} way @returns {Cell|null} */
export function neighbour(board, key, [dx, dy]) {
  const { of, cells } = geometry(board);
  const [x, y] = got(of, key).centre;
  let best = null;
  let least = Infinity;
  for (const cell of cells) {
    const [ex, ey] = [cell.centre[0] - x, cell.centre[1] - y];
    const along = ex * dx + ey * dy;
    const aside = Math.abs(ex * dy - ey * dx);
    const cost = along + 2 * aside;
    if (along > 0.2 && aside <= along * 1.2 && cost < least) [best, least] = [cell, cost];
  }
  return best;
}

// Lines of a path, one or more polylines: a warp leaves the board and comes back.
/** @param {Board} board @param {Cellish[]} path */
export function linesOf(board, path) {
  const { of, sides } = geometry(board);
  const lines = [[got(of, keyOf(path[0])).centre]];
  for (let n = 1; n < path.length; n++) {
    const [a, b] = [keyOf(path[n - 1]), keyOf(path[n])];
    const side = sides.get(pairKey(a, b));
    const line = lines[lines.length - 1];
    if (side && !board.walls.has(pairKey(a, b))) {
      if (board.free) line.push(side.middle);
      line.push(got(of, b).centre);
    } else {
      const [p, q] = [got(of, a).centre, got(of, b).centre];
      const way = [Math.sign(p[0] - q[0]) * 0.6, Math.sign(p[1] - q[1]) * 0.6];
      line.push([p[0] + way[0], p[1] + way[1]]);
      lines.push([[q[0] - way[0], q[1] - way[1]], q]);
    }
  }
  return lines;
}

// Written forms -------------------------------------------------------------------------------------

// The keys of every flow's dots.
/** @param {Board} board */
export function dotsOf(board) {
  /** @type {Key[][]} */
  const counts = board.flows.map(() => []);
  for (const [key, flow] of board.dots) counts[flow].push(key);
  return counts;
}

// Which dots belong together, whatever their colours are called.
export const pairsOf = (/** @type {Board} */ board) =>
  dotsOf(board)
    .map((keys) => keys.sort().join(" "))
    .filter(Boolean)
    .sort()
    .join();
// Whether two boards are the same puzzle.
/** @param {Board} a @param {Board} b */
export function isSame(a, b) {
  const [one, other] = [a, b].map((board) => {
    const { tiling, rows, cols, holes, walls, bridges, warps } = board;
    return JSON.stringify([tiling, rows, cols, pairsOf(board), ...[holes, walls, bridges, warps].map((set) => [...set].sort())]);
  });
  return a === b || one === other;
}

// The flows that are drawn, and what keeps the board from being a puzzle.
/** @param {Board} board */
export function puzzleOf(board) {
  const counts = dotsOf(board);
  const used = counts.map((_, n) => n).filter((n) => counts[n].length);
  const odd = used.filter((n) => counts[n].length !== 2);
  const pairs = used.map((n) => counts[n].map((key) => placeOf(board, key)));
  let record;
  if (board.free) {
    const sides = board.free.sides.filter(([a, b]) => !board.walls.has(pairKey(String(a), String(b))));
    record = { tiling: "free", cells: board.free.cells, sides, pairs };
  } else {
    const places = (/** @type {Iterable<Key>} */ keys) => [...keys].map((key) => placeOf(board, key));
    const both = (/** @type {Iterable<string>} */ keys) => [...keys].map((pair) => pair.split("|").map((key) => placeOf(board, key)));
    record = {
      id: "",
      rows: board.rows,
      cols: board.cols,
      topology: board.tiling,
      pairs,
      holes: places(board.holes),
      walls: both(board.walls),
      bridges: places(board.bridges),
      wrap: "none",
      warps: both(board.warps),
    };
  }
  return { record, used, odd };
}

/** @param {Board} board */
export function textOf(board) {
  if (board.free) return "";
  if (board.flows.length > LETTERS.length) return `${JSON.stringify(puzzleOf(board).record)}\n`;
  const lines = board.tiling === "hex" ? ["hex"] : [];
  for (let r = 0; r < board.rows; r++) {
    let row = "";
    for (let c = 0; c < board.cols; c++) {
      const key = `${r},${c}`;
      const flow = board.flows[board.dots.get(key) ?? -1];
      row += flow ? flow.letter : board.holes.has(key) ? "#" : board.bridges.has(key) ? "+" : ".";
    }
    lines.push(row);
  }
  for (const [words, pairs] of Object.entries({ wall: board.walls, warp: board.warps }))
    for (const pair of pairs) lines.push(`${words} ${pair.replace(/\d+/g, (n) => String(+n + 1)).replace("|", "/")}`);
  return `${lines.join("\n")}\n`;
}
