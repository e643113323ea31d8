// Elements and controls.

const SVG = "http://www.w3.org/2000/svg";
/** Rows or columns of a board. */
const [MIN, MAX] = [2, 40];

/** @returns {any} */
export const $ = (/** @type {string} */ id) => document.getElementById(id);

// Set attributes by name; handlers and values are set as properties, `text` as content.
/** @template {Element} T @param {T} node @param {Record<string, any>} given @param {any[]} children @returns {T} */
export function dress(node, given, children = []) {
  for (const [name, value] of Object.entries(given)) {
    if (name === "text") node.textContent = value;
    else if (name.startsWith("on") || name === "value" || name === "checked") Object.assign(node, { [name]: value });
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

/** @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Record<string, any>} given @param {any[]} children */
export const el = (tag, given = {}, ...children) => dress(document.createElement(tag), given, children);
/** @template {keyof SVGElementTagNameMap} T @param {T} tag @param {Record<string, any>} given @param {any[]} children */
export const svg = (tag, given = {}, ...children) => dress(document.createElementNS(SVG, tag), given, children);

export const bar = (/** @type {any[]} */ ...children) => el("div", { class: "bar" }, ...children);
/** @param {string} text @param {() => void} onclick @param {Record<string, any>} given */
export const button = (text, onclick, given = {}) => el("button", { type: "button", text, onclick, ...given });

/** @param {SVGSVGElement} root @param {MouseEvent} event */
export const placeIn = (root, { clientX, clientY }) => new DOMPoint(clientX, clientY).matrixTransform(root.getScreenCTM()?.inverse());

/** @param {number} n @param {string} word */
export const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

const HANDLERS = ["onclick", "onchange", "oninput"];
const nameOf = (/** @type {any} */ node) => node.title || node.ariaLabel || node.name || node.textContent;
const partsOf = (/** @type {Element} */ node) => /** @type {any[]} */ ([node, ...node.querySelectorAll("button, input, select, textarea")]);

// Give an element the handlers and values of an equal one.
/** @param {Element} old @param {Element} made */
function renew(old, made) {
  const parts = partsOf(made);
  for (const [n, part] of partsOf(old).entries()) {
    for (const name of HANDLERS) part[name] = parts[n][name];
    if (!part.matches("input, select, textarea")) continue;
    if (part !== document.activeElement || part.type === "range") part.value = parts[n].value;
    part.checked = parts[n].checked;
  }
}

// Replace the children that differ; the focus stays on the element of the same name.
/** @param {Element} node @param {(Element|null)[]} children */
export function draw(node, children) {
  const made = children.filter((child) => child !== null);
  const active = document.activeElement;
  const focused = active && node.contains(active) ? nameOf(active) : "";
  for (const [n, child] of made.entries()) {
    const old = node.children[n];
    if (old?.isEqualNode(child)) renew(old, child);
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
/** @param {string} word @param {number} value @param {(n: number) => void} set */
export function stepper(word, value, set) {
  const change = (/** @type {number} */ n) => set(Math.min(MAX, Math.max(MIN, Math.round(n) || value)));
  const onchange = (/** @type {any} */ { target }) => change(Number(target.value));
  return el(
    "div",
    { class: "steps" },
    el("span", { text: word }),
    button("−", () => change(value - 1), { "aria-label": `Fewer ${word.toLowerCase()}`, disabled: value === MIN }),
    el("input", { type: "number", min: MIN, max: MAX, value, "aria-label": word, onchange }),
    button("+", () => change(value + 1), { "aria-label": `More ${word.toLowerCase()}`, disabled: value === MAX }),
  );
}
/** @param {string} label @param {string[][]} options value and words of each @param {string} value @param {(value: string) => void} set */
export function choice(label, options, value, set) {
  const onchange = (/** @type {any} */ { target }) => set(target.value);
  const select = el("select", { "aria-label": label, onchange }, ...options.map(([one, text]) => el("option", { value: one, text })));
  select.value = value;
  return select;
}
/** @param {string} text @param {boolean} checked @param {(isOn: boolean) => void} set */
export function check(text, checked, set) {
  const onchange = (/** @type {any} */ { target }) => set(target.checked);
  return el("label", { class: "check" }, el("input", { type: "checkbox", checked, onchange }), ` ${text}`);
}
