// Making elements, and saying things aloud.

const SVG = "http://www.w3.org/2000/svg";

/** @returns {any} */
export const $ = (/** @type {string} */ id) => document.getElementById(id);

function dress(made, given, children) {
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "text") made.textContent = value;
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

export const el = (tag, given = {}, ...children) => dress(document.createElement(tag), given, children);
export const svg = (tag, given = {}, ...children) => dress(document.createElementNS(SVG, tag), given, children);

export const bar = (...children) => el("div", { class: "bar" }, ...children);
export const button = (text, onclick, given = {}) => el("button", { type: "button", text, onclick, ...given });

// Read out by screen readers: what has changed where nobody looks.
export function announce(words) {
  const live = $("live");
  live.textContent = "";
  setTimeout(() => (live.textContent = words), 30);
}

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
export const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

// Children are made anew only when what they are made from has changed: the focus stays where it is.
const madeFrom = new WeakMap();
export function fill(node, from, children) {
  const key = JSON.stringify(from);
  if (madeFrom.get(node) === key) return;
  madeFrom.set(node, key);
  node.replaceChildren(...children());
}
