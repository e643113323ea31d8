// The last boards, kept in this browser.

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

const isBegun = (/** @type {Doc} */ { picture, played, made, board }) => picture || played.some(Boolean) || (!made && board?.dots.size);

// Keep a state in place of the last one of its picture or board, and of those that were not begun.
async function keep(/** @type {Doc} */ doc) {
  const rows = await table("readwrite");
  rows.put({ ...doc, shown: null, tab: ui.tab, changed: Date.now() });
  const others = (await all(rows)).filter(({ entry }) => entry !== doc.entry);
  const left = others.filter(isBegun).slice(0, MOST - 1);
  for (const one of others) if (!left.includes(one)) rows.delete(one.entry);
}

/** @type {Doc|null} */
let last = null;

// Keep what is open, for a reload and for the start page, which shows what is kept.
export function keepNow() {
  const doc = store.now;
  if (doc === last) return;
  last = doc;
  if (doc.picture ? ui.about.keeps : doc.board) {
    doc.entry ||= Date.now(); // later states of this picture or board copy it
    keep(doc).catch(() => {});
  } else if (!doc.picture) keptDocs().then((kept) => store.set({ kept }));
  if (history.state?.entry !== doc.entry) history.replaceState({ entry: doc.entry }, "");
}
