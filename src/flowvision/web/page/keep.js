// The last boards, kept in this browser: pictures, corrections and play survive a reload.

import { store, ui } from "./state.js";

const [NAME, TABLE, MOST] = ["flowvision", "boards", 5];

/** @type {Promise<IDBDatabase>|null} */
let opened = null;

/** @param {IDBRequest} request @returns {Promise<any>} */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function open() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { keyPath: "entry" });
  return done(request);
}

// Return the table; a browser may keep nothing, as in a private window.
async function table(/** @type {IDBTransactionMode} */ mode) {
  opened ??= open();
  return (await opened).transaction(TABLE, mode).objectStore(TABLE);
}

/** @param {IDBObjectStore} rows @returns {Promise<Kept[]>} the newest first */
const all = async (rows) => (await done(rows.getAll())).sort((/** @type {Kept} */ a, /** @type {Kept} */ b) => b.changed - a.changed);
export const keptDocs = () => table("readonly").then(all, () => []);
export const forgetAll = async () => done((await table("readwrite")).clear());

// Keep a state in place of the last one of its picture or board: a picture, pipes, or a board by hand.
async function keep(/** @type {Doc} */ doc) {
  if (!doc.picture && !doc.played.some(Boolean) && (doc.made || !doc.board?.dots.size)) return;
  doc.entry ||= Date.now(); // later states of this picture or board copy it
  const rows = await table("readwrite");
  rows.put({ ...doc, shown: null, tab: ui.tab, changed: Date.now() });
  for (const { entry } of (await all(rows)).slice(MOST)) rows.delete(entry);
}

/** @type {Doc|null} */
let last = null;

// Keep what is open; the start page shows what is kept.
export async function keepNow() {
  const doc = store.now;
  if (!ui.about.keeps || doc === last) return;
  last = doc;
  if (doc.picture || doc.board) await keep(doc).catch(() => {});
  else store.set({ kept: await keptDocs() });
}
