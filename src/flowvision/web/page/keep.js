// The last boards, kept in this browser: pictures, corrections and play survive a reload.

import { store } from "./state.js";

const [NAME, TABLE, MOST] = ["flowvision", "boards", 5];

/** @type {Promise<IDBDatabase>|null} */
let opened = null;

const done = (/** @type {IDBRequest} */ request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function open() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { keyPath: "entry" });
  return done(request);
}

// Return the table, or null where the browser keeps nothing, as in a private window.
async function table(/** @type {IDBTransactionMode} */ mode) {
  opened ??= open();
  return opened.then(
    (base) => base.transaction(TABLE, mode).objectStore(TABLE),
    () => null,
  );
}

export async function keptDocs() {
  const rows = await table("readonly");
  /** @type {Doc[]} */
  const docs = rows ? await done(rows.getAll()) : [];
  return docs.sort((a, b) => b.changed - a.changed);
}

export async function forgetAll() {
  const rows = await table("readwrite");
  if (rows) await done(rows.clear());
}

/** @type {Doc|null} */
let last = null;

// Keep a state in place of the last one of its picture or board.
export async function keep(/** @type {Doc} */ doc) {
  if (doc === last || !(doc.picture || doc.board)) return;
  last = doc;
  doc.entry ||= Date.now(); // later states of this picture or board copy it
  const rows = await table("readwrite");
  if (!rows) return;
  rows.put({ ...doc, shown: null, changed: Date.now() });
  if ((await done(rows.count())) <= MOST) return;
  const all = /** @type {Doc[]} */ (await done(rows.getAll()));
  for (const { entry } of all.sort((a, b) => b.changed - a.changed).slice(MOST)) rows.delete(entry);
}

export const keepNow = () => (store.ui.about.keeps ? keep(store.now).catch(() => {}) : undefined);
