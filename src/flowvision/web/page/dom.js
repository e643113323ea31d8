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
    else if (name === "value" || name === "checked") Object.assign(made, { [name]: value });
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

// The children of a node, where they differ from those that are there. The focus stays on the element of the same name;
// fields that nobody is in show what the state says. Listeners read the state of now: those of before may stay.
/** @param {Element} node @param {(Element|null)[]} children */
export function draw(node, children) {
  const made = el("div", {}, ...children);
  const [old, now] = [node, made].map((one) => [.../** @type {NodeListOf<HTMLInputElement>} */ (one.querySelectorAll("input, select"))]);
  if (node.childNodes.length === made.childNodes.length && [...node.childNodes].every((one, n) => one.isEqualNode(made.childNodes[n]))) {
    for (const [n, field] of old.entries()) {
      field.checked = now[n].checked;
      if (field !== document.activeElement) field.value = now[n].value;
    }
    return false;
  }
  const had = node.contains(document.activeElement) ? nameOf(document.activeElement) : "";
  node.replaceChildren(...made.childNodes);
  if (had) [...node.querySelectorAll("button"), ...now].find((one) => nameOf(one) === had)?.focus({ preventScroll: true });
  return true;
}
const nameOf = (/** @type {any} */ one) => one.title || one.ariaLabel || one.name || one.textContent;

/** @param {string} name @param {string} text @param {any} value @param {(value: string) => void} set @param {Record<string, any>} [given] */
export function numberField(name, text, value, set, given = {}) {
  const input = el("input", { type: "number", name, value, ...given });
  input.addEventListener("change", () => input.reportValidity() && set(input.value));
  return el("label", {}, el("span", { text }), input);
}
/** @param {string} label @param {string[][]} options value and words of each @param {string} value @param {(value: string) => void} set */
export function choice(label, options, value, set) {
  const select = el("select", { "aria-label": label }, ...options.map(([one, text]) => el("option", { value: one, text })));
  select.value = value;
  select.addEventListener("change", () => set(select.value));
  return select;
}
