// Elements and controls.

const SVG = "http://www.w3.org/2000/svg";

/** @returns {any} */
export const $ = (/** @type {string} */ id) => document.getElementById(id);

// Set attributes by name; handlers and values are set as properties, `text` as content.
export function dress(/** @type {any} */ node, /** @type {Record<string, any>} */ given, /** @type {any[]} */ children = []) {
  for (const [name, value] of Object.entries(given)) {
    if (name === "text") node.textContent = value;
    else if (name.startsWith("on") || name === "value") Object.assign(node, { [name]: value });
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

export const el = (/** @type {string} */ tag, /** @type {Record<string, any>} */ given = {}, /** @type {any[]} */ ...children) =>
  dress(document.createElement(tag), given, children);
export const svg = (/** @type {string} */ tag, /** @type {Record<string, any>} */ given = {}, /** @type {any[]} */ ...children) =>
  dress(document.createElementNS(SVG, tag), given, children);

/** @param {string} text @param {() => unknown} onclick @param {Record<string, any>} given @param {Element[]} children */
export const button = (text, onclick, given = {}, ...children) => el("button", { type: "button", text, onclick, ...given }, ...children);

export const placeIn = (/** @type {any} */ root, /** @type {MouseEvent} */ { clientX, clientY }) =>
  new DOMPoint(clientX, clientY).matrixTransform(root.getScreenCTM()?.inverse());

/** @type {Record<string, string>} outlines of icons */
const ICONS = {
  hint: "M9 18h6m-5 3h4M8.5 15c0-1-.5-1.5-1-2.2a6 6 0 1 1 9 0c-.5.7-1 1.2-1 2.2z",
  check: "m5 13 5 5L20 7",
  restart: "M5 4v5h5M5.3 9a8 8 0 1 1-1.1 5",
  add: "M5 5h14v14H5zM12 9v6M9 12h6",
  next: "M5 5v14l9-7zM18 5v14",
  more: "M5 12h.1M12 12h.1M19 12h.1",
  zoom: "M10.5 4a6.5 6.5 0 1 0 .1 0M15.5 15.5 21 21M8 10.5h5M10.5 8v5",
  share: "M12 15V3M8 7l4-4 4 4M7 11H5v10h14V11h-2",
  save: "M12 4v11m-4-4 4 4 4-4M5 20h14",
  show: "M2 12s4-6 10-6 10 6 10 6-4 6-10 6-10-6-10-6zM12 9.5a2.5 2.5 0 1 0 .1 0",
  pause: "M8 5v14M16 5v14",
  watch: "M4 6h16v12H4zM10 9.5v5l4.5-2.5z",
  undo: "M9 5 4 10l5 5M4 10h10a5 5 0 0 1 0 10h-4",
  redo: "m15 5 5 5-5 5m5-5H10a5 5 0 0 0 0 10h4",
  help: "M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.2-1.5 2.3M12 18.5v.1",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.1",
  paste: "M8 5H5v16h14V5h-3M9 3h6v4H9z",
  down: "m6 9 6 6 6-6",
  left: "m15 6-6 6 6 6",
  right: "m9 6 6 6-6 6",
  dice: "M5 5h14v14H5zM9 9h.1M15 9h.1M12 12h.1M9 15h.1M15 15h.1",
  back: "M7 5v14M19 5l-9 7 9 7z",
  forward: "M17 5v14M5 5l9 7-9 7z",
  cancel: "m6 6 12 12M18 6 6 18",
  size: "M4 4h16v16H4zM4 9.3h16M4 14.6h16M9.3 4v16M14.6 4v16",
  day: "M5 6h14v14H5zM5 10h14M9 3v4m6-4v4M12 13v4",
  letters: "m4 19 6-14 6 14M6 14h8M18 19v-6",
  import: "M12 4v10m-4-4 4 4 4-4M4 14v6h16v-6",
  Board: "M4 4h16v16H4zM4 12h16M12 4v16",
  Both: "M3 5h8v14H3zM14 5h7v14h-7z",
  Answer: "m4 12 5 5L20 6",
  Correct: "m4 20 1-5L16 4l4 4L9 19z",
  Play: "M8 5v14l11-7z",
  Make: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM16.5 14v5M14 16.5h5",
};
export const icon = (/** @type {string} */ name) =>
  svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] ?? name }));
/** @type {Record<string, string>} keys of commands, by their icons */
const KEYS = { hint: "h", check: "c", restart: "r", dice: "n", save: "s", show: "a", watch: "w" };
/** @param {string} name @param {string} text @param {() => unknown} onclick @param {Record<string, any>} given */
export const iconButton = (name, text, onclick, given = {}) =>
  button(text, onclick, { "aria-keyshortcuts": KEYS[name], ...given, class: `iconic ${given.class ?? ""}`.trim() }, icon(name));
export const strip = (/** @type {string} */ label, /** @type {any[]} */ ...children) =>
  el("div", { class: "strip", role: "group", "aria-label": label }, ...children);
export const row = (/** @type {any[]} */ ...children) => el("div", { class: "row" }, ...children);

// Let a node be dragged; `end` is told if it was let go, and not broken off.
/** @param {any} node @param {(event: PointerEvent) => void} begin @param {(event: PointerEvent) => void} move @param {(isDone: boolean) => void} end */
export function draggable(node, begin, move, end) {
  let isHeld = false;
  node.onpointerdown = (/** @type {PointerEvent} */ event) => {
    event.stopPropagation();
    event.preventDefault();
    node.setPointerCapture(event.pointerId);
    isHeld = true;
    begin(event);
  };
  node.onpointermove = (/** @type {PointerEvent} */ event) => isHeld && move(event);
  node.onpointerup = node.onpointercancel = (/** @type {PointerEvent} */ { type }) => {
    if (isHeld) end(type === "pointerup");
    isHeld = false;
  };
}

// Return words of the page for the pointer at hand: a mouse clicks.
export const forPointer = (/** @type {string} */ words) =>
  matchMedia("(pointer: fine)").matches
    ? words.replace(/\b(t)ap(ped)?\b/gi, (_, t, end) => (t === "T" ? "Click" : "click") + (end ? "ed" : ""))
    : words;

export const plural = (/** @type {number} */ n, /** @type {string} */ word) => `${n} ${word}${n === 1 ? "" : "s"}`;

const HANDLERS = ["onclick", "onchange", "oninput"];
const nameOf = (/** @type {any} */ node) => node.title || node.ariaLabel || node.name || node.textContent;
const partsOf = (/** @type {any} */ node) => /** @type {any[]} */ ([node, ...node.querySelectorAll("button, input, select, textarea")]);

// Tell if two elements differ in attributes of their own at most.
const isAlike = (/** @type {any} */ old, /** @type {any} */ made) =>
  old?.localName === made.localName &&
  nameOf(old) === nameOf(made) &&
  old.childNodes.length === made.childNodes.length &&
  [...old.childNodes].every((node, n) => node.isEqualNode(made.childNodes[n]));

// Give an element the attributes, handlers and values of one alike. What the user has opened stays open.
function renew(/** @type {any} */ old, /** @type {any} */ made) {
  for (const name of old.getAttributeNames()) if (name !== "open" && !made.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of made.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const parts = partsOf(made);
  for (const [n, part] of partsOf(old).entries()) {
    for (const name of HANDLERS) part[name] = parts[n][name];
    if (!part.matches("input, select, textarea")) continue;
    if (part !== document.activeElement || part.type === "range") part.value = parts[n].value;
  }
}

// Replace the children that differ; the focus stays on the element of the same name.
export function draw(/** @type {any} */ node, /** @type {(Element|null)[]} */ children) {
  const made = children.filter((child) => child !== null);
  const active = document.activeElement;
  const focused = active && node.contains(active) ? nameOf(active) : "";
  for (const [n, child] of made.entries()) {
    const old = node.children[n];
    if (isAlike(old, child)) renew(old, child);
    else if (old) old.replaceWith(child);
    else node.append(child);
  }
  while (node.children.length > made.length) node.lastElementChild?.remove();
  if (focused && !node.contains(document.activeElement))
    partsOf(node)
      .find((part) => part !== node && nameOf(part) === focused)
      ?.focus({ preventScroll: true });
}

// Handlers read the event's target: `draw` may move them to an equal element.
/** @param {string} label @param {Record<string, string>} options values by their words @param {string} value @param {(value: string) => void} set */
export function chips(label, options, value, set) {
  const given = (/** @type {string} */ one) => ({ class: "chip", "aria-pressed": String(one === value) });
  const buttons = Object.entries(options).map(([text, one]) => button(text, () => set(one), given(one)));
  return el("div", { class: "chips", role: "group", "aria-label": label }, ...buttons);
}
