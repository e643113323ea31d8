// Service worker: the page without network, and pictures that are shared with it. Both lists are written with the page.

const VERSION = "VERSION";
const FILES = ["FILES"];

/** @type {any} */
const worker = self;
const PAGE = `flowvision-page-${VERSION}`;
const [SHARED, PYTHON] = ["flowvision-shared", "flowvision-python"];
const MAX_SHARED = 10;

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(tidy()));
worker.addEventListener("message", (/** @type {MessageEvent} */ { data }) => data === "take over" && worker.skipWaiting());
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { method, url } = event.request;
  const path = url.split(/[?#]/)[0];
  if (method === "POST" && path === `${worker.registration.scope}share`) event.respondWith(share(event.request));
  else if (method === "GET" && path.startsWith(worker.registration.scope)) event.respondWith(get(event.request));
});

// The browser's own cache may hold files of an earlier version.
async function install() {
  const cache = await caches.open(PAGE);
  await cache.addAll(FILES.map((name) => new Request(name, { cache: "reload" })));
}

// Remove other versions of this page, and files of Python that this one does not load. Other pages of this origin stay.
async function tidy() {
  const { scope } = worker.registration;
  for (const name of await caches.keys()) {
    if (!name.startsWith("flowvision-page-") || name === PAGE) continue;
    const other = await caches.open(name);
    if ((await other.keys()).every(({ url }) => url.startsWith(scope))) await caches.delete(name);
  }
  const list = await (await (await caches.open(PAGE)).match("files.json"))?.json();
  const sums = new Set(list?.files.map((/** @type {{sha256: string}} */ { sha256 }) => sha256));
  const python = await caches.open(PYTHON);
  for (const request of await python.keys()) {
    const isOurs = request.url.startsWith(`${scope}files/`);
    if (isOurs && !sums.has(request.url.split("/").at(-1) ?? "")) await python.delete(request);
  }
  await worker.clients.claim();
}

async function get(/** @type {any} */ request) {
  const cache = await caches.open(PAGE);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

// Keep shared pictures until the page reads them, and open it.
async function share(/** @type {any} */ request) {
  const form = await request.formData().catch(() => new FormData());
  const files = form.getAll("pictures").filter((/** @type {any} */ file) => file instanceof File && file.size);
  const cache = await caches.open(SHARED);
  for (const [n, file] of files.slice(0, MAX_SHARED).entries()) {
    const key = `${worker.registration.scope}shared/${n}?name=${encodeURIComponent(file.name)}`;
    await cache.put(key, new Response(file, { headers: { "Content-Type": file.type } }));
  }
  return Response.redirect(`${worker.registration.scope}?shared=${files.length}`, 303);
}
