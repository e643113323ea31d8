// Requests of the page. `end.js` answers them: a server, or a worker in this browser.

import { ask, whyLocked } from "./end.js";
import { Refused } from "./state.js";

export { onSession, openSession, shared, whyLocked } from "./end.js";
export { Refused } from "./state.js";

/** @typedef {{body?: BodyInit, signal?: AbortSignal, query?: Record<string, any>}} Request */

// Return message and hint of a failed request, nothing if it was aborted. Other errors are bugs of the page.
export function faultWords(/** @type {any} */ error) {
  if (error instanceof Refused && error.status === 401) return whyLocked();
  if (error instanceof Refused) return [error.message, error.hint].filter(Boolean).join(" ");
  if (error instanceof DOMException && error.name === "AbortError") return "";
  throw error;
}

const given = ({ query = {}, ...rest } = /** @type {Request} */ ({})) => {
  const words = Object.entries(query).filter(([, value]) => value != null && value !== "");
  return { ...rest, query: Object.fromEntries(words.map(([name, value]) => [name, String(value)])) };
};

async function checked(/** @type {Response} */ response) {
  if (response.ok) return response;
  const made = await response.json().catch(() => ({ message: response.statusText }));
  throw new Refused(response.status, made.error ?? made);
}

export const about = () => ask("about");

/** @returns {Promise<any>} */
export const object = async (/** @type {string} */ path, /** @type {import("./api.js").Request} */ request) =>
  (await checked(await ask(path, given(request)))).json();
// Read a picture; a refusal also returns what was detected.
export async function read(/** @type {BodyInit} */ body, /** @type {Request["query"]} */ query, /** @type {AbortSignal} */ signal) {
  const response = await ask("solve", given({ body, query, signal }));
  return (response.status === 422 ? response : await checked(response)).json();
}
export const file = async (/** @type {string} */ path, /** @type {import("./api.js").Request} */ request) =>
  (await checked(await ask(path, given(request)))).blob();

/** The last request to each address about what is shown. @type {Map<string, AbortController>} */
const asking = new Map();
// Ask about what is shown, in place of the last such request to this address.
export function askLast(/** @type {string} */ path, /** @type {import("./api.js").Request} */ request) {
  const stop = new AbortController();
  asking.get(path)?.abort();
  asking.set(path, stop);
  return object(path, { ...request, signal: stop.signal });
}
export function stopAsking() {
  for (const stop of asking.values()) stop.abort();
}
