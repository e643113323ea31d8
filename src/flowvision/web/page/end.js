// The end of this page: a server. The page without a server has `local.js` in its place.

import { Refused, store, ui } from "./state.js";

const SESSION_KEY = "flowvision-key";

export const whyLocked = () => (localStorage.getItem(SESSION_KEY) ? "Flowvision was started again." : "This browser has no access yet.");

/** @returns {never} */
function fail(/** @type {any} */ error) {
  if (error.name === "AbortError") throw error;
  if (!ui.lost) store.set({ lost: true });
  throw new Refused(0, { code: "lost", message: "No answer from the server." });
}

/** @returns {Promise<Response>} */
export async function ask(/** @type {string} */ path, /** @type {import("./api.js").Request} */ { body, signal, query = {} } = {}) {
  const headers = { Authorization: `Bearer ${localStorage.getItem(SESSION_KEY)}` };
  const method = path === "about" ? "GET" : "POST";
  const response = await fetch(`api/${path}?${new URLSearchParams(query)}`, { method, body, headers, signal }).catch(fail);
  if (response.status === 401 && !ui.locked) store.set({ locked: true });
  return response;
}

// Exchange the code in the address for the key of this run, which all tabs share.
export async function openSession(/** @type {string} */ code) {
  const response = await ask("session", { body: code });
  if (response.ok) localStorage.setItem(SESSION_KEY, (await response.json()).key);
}

// Call back when another tab got a key.
export const onSession = (/** @type {() => void} */ act) => addEventListener("storage", ({ key }) => key === SESSION_KEY && act());

// Return the pictures that were shared with this page: none, it is not installed.
export const shared = async () => /** @type {File[]} */ ([]);
