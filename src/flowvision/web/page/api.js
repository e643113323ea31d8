// Requests to the server of this page.

import { store, ui } from "./state.js";

/** @typedef {{method?: string, body?: BodyInit, signal?: AbortSignal, query?: Record<string, any>}} Request */

export const SESSION_KEY = "flowvision-key";

// A failed request. `code`: from the server, or "lost" without one.
export class Refused extends Error {
  constructor(status, /** @type {{code?: string, message?: string, hint?: string}} */ { code, message, hint }) {
    super(message ?? "No answer.");
    this.status = status;
    this.code = code ?? "odd";
    this.hint = hint ?? "";
  }
}

export const whyLocked = () => (localStorage.getItem(SESSION_KEY) ? "Flowvision was started again." : "This browser has no access yet.");

// Return message and hint of a failed request, nothing if it was aborted. Other errors are bugs of the page.
export function faultWords(error) {
  if (error instanceof Refused && error.status === 401) return whyLocked();
  if (error instanceof Refused) return [error.message, error.hint].filter(Boolean).join(" ");
  if (error instanceof DOMException && error.name === "AbortError") return "";
  throw error;
}

/** @returns {never} */
function fail(error) {
  if (error.name === "AbortError") throw error;
  if (!ui.lost) store.set({ lost: true });
  throw new Refused(0, { code: "lost", message: "No answer from the server." });
}

async function ask(path, /** @type {Request} */ { method = "POST", body, signal, query = {} } = {}) {
  const words = new URLSearchParams(Object.entries(query).filter(([, value]) => value != null && value !== ""));
  const headers = { Authorization: `Bearer ${localStorage.getItem(SESSION_KEY)}` };
  const response = await fetch(`/api/${path}?${words}`, { method, body, headers, signal }).catch(fail);
  if (response.status === 401 && !ui.locked) store.set({ locked: true });
  return response;
}

async function checked(response) {
  if (response.ok) return response;
  const made = await response.json().catch(() => ({ message: response.statusText }));
  throw new Refused(response.status, made.error ?? made);
}

export const about = () => ask("about", { method: "GET" });

// Exchange the code in the address for the key of this run, which all tabs share.
export async function openSession(code) {
  const response = await ask("session", { body: code });
  if (response.ok) localStorage.setItem(SESSION_KEY, (await response.json()).key);
}

/** @returns {Promise<any>} */
export const object = async (path, given) => (await checked(await ask(path, given))).json();
// Read a picture; a refusal also returns what was detected.
export async function read(body, query, signal) {
  const response = await ask("solve", { body, query, signal });
  return (response.status === 422 ? response : await checked(response)).json();
}
export const file = async (path, given) => (await checked(await ask(path, given))).blob();

/** The last request to each address about what is shown. @type {Map<string, AbortController>} */
const asking = new Map();
// Ask about what is shown, in place of the last such request to this address.
export function askLast(path, given) {
  const stop = new AbortController();
  asking.get(path)?.abort();
  asking.set(path, stop);
  return object(path, { ...given, signal: stop.signal });
}
export function stopAsking() {
  for (const stop of asking.values()) stop.abort();
}
