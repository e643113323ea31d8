// Python in a worker of the page: files are checked against their list before they run.

const HERE = new URL(".", import.meta.url).href;
const CACHE = "flowvision-python";
const PACE_MS = 200;

/** @typedef {{name: string, url: string, bytes: number, sha256: string, part: string}} Item */

const say = (/** @type {object} */ message, /** @type {Transferable[]} */ moved = []) =>
  /** @type {any} */ (self).postMessage(message, moved);
const load = fetch.bind(self);
addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
  console.error(`Blocked: ${effectiveDirective} ${blockedURI}`),
);

/** @type {{files: Item[], base: string, packages: Record<string, string[]>, modules: Record<string, string>, lock: object}} */
const list = await (await load(`${HERE}files.json`)).json();
/** @type {Map<string, Item>} */
const items = new Map(list.files.map((item) => [item.name, item]));

/** @type {Map<string, Promise<Uint8Array<ArrayBuffer>>>} */
const coming = new Map();
const bytesOf = (/** @type {string} */ name) => {
  const item = items.get(name);
  if (!item) return Promise.reject(new Error(`${name} is not in the list of this page.`));
  if (!coming.has(name)) coming.set(name, checked(item));
  return /** @type {Promise<Uint8Array<ArrayBuffer>>} */ (coming.get(name));
};

// Return a file from the cache, or fetch it; it must be the one of the list.
async function checked(/** @type {Item} */ item) {
  if (!self.isSecureContext) throw new Error("This page needs an address with https.");
  const cache = "caches" in self ? await caches.open(CACHE) : null;
  const key = `${HERE}files/${item.sha256}`;
  const kept = await cache?.match(key);
  const data = kept ? new Uint8Array(await kept.arrayBuffer()) : await fetched(item);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  const sum = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (sum !== item.sha256) {
    await cache?.delete(key);
    throw new Error(`${item.name} is not the file that belongs to this page.`);
  }
  if (!kept) await cache?.put(key, new Response(data)).catch(() => {}); // no room: fetched again next time
  return data;
}

let [got, all, told] = [0, 0, 0];
async function fetched(/** @type {Item} */ { name, url, bytes }) {
  const response = await load(new URL(url, HERE));
  if (!response.ok || !response.body) throw new Error(`${name} could not be loaded (${response.status}).`);
  const size = bytes || Number(response.headers.get("Content-Length"));
  all += size;
  /** @type {Uint8Array[]} */
  const parts = [];
  const reader = response.body.getReader();
  for (let { done, value } = await reader.read(); !done && value; { done, value } = await reader.read()) {
    parts.push(value);
    got += value.length;
    if (Date.now() - told < PACE_MS) continue;
    told = Date.now();
    say({ loading: `Loading ${name}: ${megabytes(got)} of ${megabytes(Math.max(all, got))} MB` });
  }
  return new Uint8Array(await new Blob(/** @type {BlobPart[]} */ (parts)).arrayBuffer());
}
const megabytes = (/** @type {number} */ count) => (count / 1e6).toFixed(1);

// Pyodide asks for files by their addresses; it gets those of the list and no others.
self.fetch = async (input) => {
  const name = new URL(input instanceof Request ? input.url : input, HERE).pathname.split("/").at(-1) ?? "";
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(await bytesOf(name), { headers: { "Content-Type": type } });
};

// Pyodide tries if it is in a classic worker; the policy would block that, and a module's own refusal is what it expects.
Object.assign(self, {
  importScripts() {
    throw new TypeError("This worker is a module.");
  },
});

async function moduleOf(/** @type {string} */ name) {
  const url = URL.createObjectURL(new Blob([await bytesOf(name)], { type: "text/javascript" }));
  return import(url).finally(() => URL.revokeObjectURL(url));
}

const prefetch = (/** @type {string} */ part) =>
  Promise.all(list.files.filter((item) => item.part === part).map(({ name }) => bytesOf(name)));

/** @type {any} */
let python = null;
/** @type {any} */
let [browser, wanted] = [null, null];

async function begin() {
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([
    moduleOf("pyodide.mjs"),
    moduleOf("pyodide.asm.mjs"),
    prefetch("solver"),
  ]);
  say({ loading: "Starting Python" });
  python = await loadPyodide({ indexURL: HERE, packageBaseUrl: HERE, lockFileContents: JSON.stringify(list.lock), createPyodideModule });
  await take(list.packages.solver);
  python.unpackArchive(await bytesOf("flowvision.whl"), "wheel");
  browser = python.pyimport("flowvision.web.browser");
  wanted = browser.watch_imports(Object.keys(list.modules));
  python.pyimport("flowvision.web.puzzles");
  say({ part: "solver" });
  if (!list.packages.pictures) return say({ loading: "" });
  await prefetch("pictures");
  await take(list.packages.pictures);
  python.pyimport("flowvision.web.work");
  say({ loading: "" });
  say({ part: "pictures" });
}

const take = (/** @type {string[]} */ names) => python.loadPackage(names, { messageCallback: () => {}, checkIntegrity: false });

async function answer(/** @type {any} */ { path, body, query, seconds }) {
  const made = browser.answer(path, python.toPy(new Uint8Array(body)), JSON.stringify(query), seconds, wanted);
  const [status, kind, data] = made.toJs();
  made.destroy();
  if (status) return say({ status, kind, data }, [data.buffer]);
  const names = JSON.parse(new TextDecoder().decode(data)).map((/** @type {string} */ name) => list.modules[name]);
  await take(names);
  say({ loading: "" });
  return answer({ path, body, query, seconds });
}

const words = (/** @type {any} */ error) => `${error.message ?? error}`.trim().split("\n").at(-1);
self.onmessage = ({ data }) => answer(data).catch((error) => say({ crashed: words(error) }));
begin().catch((error) => say({ failed: words(error) }));
