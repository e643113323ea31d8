// The end of the page without a server: Python in a worker, and files beside the page. Written as `end.js`.

import { store } from "./state.js";

/** Time limits in seconds; the worker gets some more to answer. */
const [PICTURE, PUZZLE, SPARE] = [60, 20, 5];
/** Until a worker that is busy with an aborted request is ended. */
const GRACE_MS = 1500;
const OF_PICTURES = ["solve", "stages", "picture", "preview"];
const SHARED = "flowvision-shared";
/** @type {Record<string, (query: any) => string>} requests that files answer */
const FILES = { about: () => "about.json", sample: ({ number }) => `sample-${number}.png` };

/** @typedef {{path: string, body: ArrayBuffer, query: object, signal?: AbortSignal, resolve: (made: Response) => void, reject: (error: Error) => void}} Job */
/** @type {Job[]} */
let waiting = [];
/** @type {Job|null} */
let running = null;
let timer = 0;
/** Why Python cannot be loaded. */
let broken = "";
/** @type {Worker|null} */
let worker = null;
/** @type {Set<string>} the parts of Python that are loaded */
const ready = new Set();

// Workers and service workers are the only scripts that are started by an address.
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("flowvision", {
  createScriptURL: (/** @type {string} */ url) => url,
});
const script = (/** @type {string} */ url) => policy?.createScriptURL(url) ?? url;

export const whyLocked = () => "";
export const openSession = async () => {};
export const onSession = () => {};

// Start Python. A worker from a blob has the content policy of this page.
function start() {
  const source = `import ${JSON.stringify(new URL("worker.js", import.meta.url).href)};`;
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  worker = new Worker(script(url), { type: "module" });
  worker.onmessage = ({ data }) => heard(data);
  worker.onerror = () => heard(ready.size ? { crashed: "" } : { failed: "The browser could not start Python." });
}

/** @param {any} message of the worker: progress, a part that is ready, an answer, or why there is none */
function heard({ status, kind, data, loading, part, failed, crashed }) {
  if (loading !== undefined && !broken) store.set({ loading });
  if (part) ready.add(part);
  if (status) end(new Response(data, { status, headers: { "Content-Type": kind } }));
  if (crashed) {
    end(fault(500, "crashed", "Python ended in the browser.", crashed));
    restart();
  }
  if (failed) {
    broken = failed;
    store.set({ loading: `${failed} Reload the page to try again.` });
  }
  next();
}

function end(/** @type {Response} */ response) {
  clearTimeout(timer);
  running?.resolve(response);
  running = null;
}

const fault = (/** @type {number} */ status, /** @type {string} */ code, /** @type {string} */ message, hint = "") =>
  Response.json({ code, message, hint }, { status });

function restart() {
  worker?.terminate();
  ready.clear();
  running = null;
  start();
}

function next() {
  if (running) return;
  const n = waiting.findIndex(({ path }) => ready.has(OF_PICTURES.includes(path) ? "pictures" : "solver"));
  if (n < 0 && broken) for (const job of waiting.splice(0)) job.resolve(fault(503, "failed", broken));
  if (n < 0) return;
  const [job] = waiting.splice(n, 1);
  running = job;
  const { path, body, query } = job;
  const seconds = OF_PICTURES.includes(path) ? PICTURE : PUZZLE;
  worker?.postMessage({ path, body, query, seconds });
  timer = window.setTimeout(
    () => {
      end(fault(503, "slow", `No answer within ${seconds} s.`, "A phone is slower than a computer: crop the picture to its board."));
      restart();
    },
    1000 * (seconds + SPARE),
  );
}

// Leave out a request that is aborted; one that runs may end, for a while.
function drop(/** @type {Job} */ job) {
  waiting = waiting.filter((other) => other !== job);
  job.reject(new DOMException("Aborted.", "AbortError"));
  if (running === job) window.setTimeout(() => running === job && restart(), GRACE_MS);
}

/** @returns {Promise<Response>} */
export async function ask(/** @type {string} */ path, /** @type {import("./api.js").Request} */ { body = "", signal, query = {} } = {}) {
  if (FILES[path]) return fetch(FILES[path](query), { signal });
  const bytes = await new Response(body).arrayBuffer();
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const job = { path, body: bytes, query, signal, resolve, reject };
    signal?.addEventListener("abort", () => drop(job));
    waiting.push(job);
    next();
  });
}

// Return the pictures that were shared with this page, which the service worker keeps until now.
export async function shared() {
  if (!("caches" in window)) return [];
  const cache = await caches.open(SHARED);
  const files = [];
  for (const request of await cache.keys()) {
    const blob = await (await cache.match(request))?.blob();
    const name = decodeURIComponent(new URL(request.url).searchParams.get("name") ?? "shared.png");
    if (blob) files.push(new File([blob], name, { type: blob.type }));
    await cache.delete(request);
  }
  return files;
}

// Offer a new version that waits, and reload with it when it is taken.
function offer(/** @type {ServiceWorkerRegistration} */ registration) {
  const { waiting: fresh } = registration;
  if (!fresh || !navigator.serviceWorker.controller) return;
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  store.set({ renew: () => fresh.postMessage("take over") });
}

async function install() {
  const registration = await navigator.serviceWorker.register(script("sw.js"));
  offer(registration);
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", () => offer(registration));
  });
}

start();
if ("serviceWorker" in navigator) install().catch(() => {});
