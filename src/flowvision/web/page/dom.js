// Elements and controls.

const SVG = "http://www.w3.org/2000/svg";
/** Rows or columns of a board. */
const [MIN, MAX] = [2, 40];

/** @returns {any} */
export const $ = (id) => document.getElementById(id);

// Set attributes by name; handlers and values are set as properties, `text` as content.
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

export const el = (tag, given = {}, ...children) => dress(document.createElement(tag), given, children);
export const svg = (tag, given = {}, ...children) => dress(document.createElementNS(SVG, tag), given, children);

export const bar = (...children) => el("div", { class: "bar" }, ...children);
export const button = (text, onclick, given = {}) => el("button", { type: "button", text, onclick, ...given });

export const placeIn = (root, { clientX, clientY }) => new DOMPoint(clientX, clientY).matrixTransform(root.getScreenCTM()?.inverse());

export const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

const HANDLERS = ["onclick", "onchange", "oninput"];
const nameOf = (node) => node.title || node.ariaLabel || node.name || node.textContent;
const partsOf = (node) => /** @type {any[]} */ ([node, ...node.querySelectorAll("button, input, select, textarea")]);

// Give an element the handlers and values of an equal one.
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
export function stepper(word, value, set) {
  const change = (n) => set(Math.min(MAX, Math.max(MIN, Math.round(n) || value)));
  const onchange = ({ target }) => change(Number(target.value));
  return el(
    "div",
    { class: "steps" },
    el("span", { text: word }),
    button("−", () => change(value - 1), { "aria-label": `Fewer ${word.toLowerCase()}`, disabled: value === MIN }),
    el("input", { type: "number", min: MIN, max: MAX, value, "aria-label": word, onchange }),
    button("+", () => change(value + 1), { "aria-label": `More ${word.toLowerCase()}`, disabled: value === MAX }),
  );
}
export function choice(label, options, value, set) {
  const onchange = ({ target }) => set(target.value);
  const select = el("select", { "aria-label": label, onchange }, ...options.map(([one, text]) => el("option", { value: one, text })));
  select.value = value;
  return select;
}
export function check(text, checked, set) {
  const onchange = ({ target }) => set(target.checked);
  return el("label", { class: "check" }, el("input", { type: "checkbox", checked, onchange }), ` ${text}`);
}
