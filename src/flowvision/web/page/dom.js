// Making elements, and saying things aloud.

const SVG = "http://www.w3.org/2000/svg";

/** @returns {any} */
export const $ = (/** @type {string} */ id) => document.getElementById(id);

// Attributes by name; `text`: the text within; "onclick" and others: who listens.
/** @template {Element} T @param {T} made @param {Record<string, any>} given @param {any[]} children @returns {T} */
export function dress(made, given, children = []) {
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "text") made.textContent = value;
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

/** @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Record<string, any>} given @param {any[]} children */
export const el = (tag, given = {}, ...children) => dress(document.createElement(tag), given, children);
/** @template {keyof SVGElementTagNameMap} T @param {T} tag @param {Record<string, any>} given @param {any[]} children */
export const svg = (tag, given = {}, ...children) => dress(document.createElementNS(SVG, tag), given, children);

export const bar = (/** @type {any[]} */ ...children) => el("div", { class: "bar" }, ...children);
/** @param {string} text @param {(event: Event) => void} onclick @param {Record<string, any>} given */
export const button = (text, onclick, given = {}) => el("button", { type: "button", text, onclick, ...given });

// Where a finger is, in the units of a drawing.
/** @param {SVGSVGElement} root @param {MouseEvent} event */
export const placeIn = (root, { clientX, clientY }) => new DOMPoint(clientX, clientY).matrixTransform(root.getScreenCTM()?.inverse());

// Read out by screen readers: what has changed where nobody looks.
export function announce(/** @type {string} */ words) {
  const live = $("live");
  live.textContent = "";
  setTimeout(() => (live.textContent = words), 30);
}

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
/** @param {number} n @param {string} word */
export const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

// Children are made anew only when what they are made from has changed: the focus stays where it is.
const madeFrom = new WeakMap();
/** @param {Element} node @param {any} from @param {() => Element[]} children */
export function fill(node, from, children) {
  const key = JSON.stringify(from);
  if (madeFrom.get(node) === key) return false;
  madeFrom.set(node, key);
  node.replaceChildren(...children());
  return true;
}
