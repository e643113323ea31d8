// Pictures: how they come in, what colour a place has, and which part is looked at.

import { file } from "./api.js";
import { svg } from "./dom.js";

// A picture that this browser can show: as it is, or turned or made readable by the server.
export async function openable(blob, rotate) {
  if (!rotate) {
    const plain = await shown(URL.createObjectURL(blob));
    if (plain) return plain;
  }
  const response = await file("preview", { body: blob, query: { rotate: rotate || "" } });
  return shown(URL.createObjectURL(await response.blob()));
}

async function shown(url) {
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    return { url, width: image.naturalWidth, height: image.naturalHeight, image };
  } catch {
    URL.revokeObjectURL(url);
    return null;
  }
}

const canvases = new WeakMap();

// The colour of a place in a picture: the mean of a small square round it.
export function colourAt(shownPicture, [x, y], reach) {
  let context = canvases.get(shownPicture);
  if (!context) {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [shownPicture.width, shownPicture.height];
    context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(shownPicture.image, 0, 0);
    canvases.set(shownPicture, context);
  }
  const size = Math.max(1, Math.round(2 * reach));
  const { data } = context.getImageData(Math.round(x - reach), Math.round(y - reach), size, size);
  const sum = [0, 0, 0];
  for (let n = 0; n < data.length; n += 4) for (let i = 0; i < 3; i++) sum[i] += data[n + i];
  return `#${sum.map((v) => Math.round((4 * v) / data.length).toString(16).padStart(2, "0")).join("")}`;
}

export function listenForPictures(take) {
  const isPicture = (one) => one && (one.type.startsWith("image/") || /\.(hei[cf]|avif)$/i.test(one.name ?? ""));
  let depth = 0;
  const over = (on) => document.body.classList.toggle("over", on);
  addEventListener("dragenter", () => over(++depth > 0));
  addEventListener("dragleave", () => over(--depth > 0));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    over((depth = 0) > 0);
    const found = event.dataTransfer.files[0];
    if (found) take(found);
  });
  addEventListener("paste", (event) => {
    const found = [...(event.clipboardData?.files ?? [])].find(isPicture);
    if (!found) return;
    event.preventDefault();
    take(found);
  });
}

// Four corners to drag, or to move with the arrow keys. `box`: x, y, width, height in pixels.
export class CropBox {
  constructor(root) {
    this.group = svg("g", { class: "crop" });
    root.append(this.group);
    this.root = root;
  }

  // `lattice`: rows and columns to rule the part with; `moved`: told of every other part.
  show(box, [width, height], lattice = null, moved = () => {}) {
    this.box = box;
    this.lattice = lattice;
    this.moved = moved;
    this.size = [width, height];
    this.group.replaceChildren();
    if (!box) return;
    this.root.removeAttribute("aria-hidden");
    this.shade = svg("path", { class: "shade", "fill-rule": "evenodd" });
    this.frame = svg("path", { class: "cropbox" });
    const r = Math.max(width, height) / 45;
    this.handles = ["top left", "top right", "bottom right", "bottom left"].map((name, n) => {
      const handle = svg("circle", { class: "handle", r, tabindex: 0, role: "button", "aria-label": `Crop: ${name} corner, arrow keys move it` });
      handle.addEventListener("pointerdown", (event) => {
        event.stopPropagation();
        handle.setPointerCapture(event.pointerId);
      });
      handle.addEventListener("pointermove", (event) => {
        if (!handle.hasPointerCapture(event.pointerId)) return;
        const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.root.getScreenCTM().inverse());
        this.move(n, [place.x, place.y]);
      });
      handle.addEventListener("keydown", (event) => {
        const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        if (!way) return;
        event.preventDefault();
        event.stopPropagation();
        const step = event.shiftKey ? 1 : Math.max(1, Math.round(width / 100));
        const [x, y] = this.corners()[n];
        this.move(n, [x + way[0] * step, y + way[1] * step]);
      });
      return handle;
    });
    this.group.append(this.shade, this.frame, ...this.handles);
    this.paint();
  }

  corners() {
    const [x, y, w, h] = this.box;
    return [[x, y], [x + w, y], [x + w, y + h], [x, y + h]];
  }

  move(n, [px, py]) {
    const [width, height] = this.size;
    const [ax, ay] = this.corners()[(n + 2) % 4];
    const held = (v, most) => Math.round(Math.min(Math.max(v, 0), most));
    const [bx, by] = [held(px, width), held(py, height)];
    const least = 20;
    if (Math.abs(ax - bx) < least || Math.abs(ay - by) < least) return;
    if (ax < bx !== (n === 1 || n === 2) || ay < by !== n > 1) return;
    this.box = [Math.min(ax, bx), Math.min(ay, by), Math.abs(ax - bx), Math.abs(ay - by)];
    this.paint();
    this.moved(this.box);
  }

  paint() {
    const [x, y, w, h] = this.box;
    const [width, height] = this.size;
    const d = `M${x} ${y}h${w}v${h}h${-w}Z`;
    const [rows, cols] = this.lattice ?? [1, 1];
    const lines = [...Array(rows).keys()].map((n) => `M${x} ${y + (n * h) / rows}h${w}`).concat([...Array(cols).keys()].map((n) => `M${x + (n * w) / cols} ${y}v${h}`));
    this.frame.setAttribute("d", d + lines.join(""));
    this.shade.setAttribute("d", `M0 0H${width}V${height}H0Z${d}`);
    this.corners().forEach(([cx, cy], n) => {
      this.handles[n].setAttribute("cx", cx);
      this.handles[n].setAttribute("cy", cy);
    });
  }
}
