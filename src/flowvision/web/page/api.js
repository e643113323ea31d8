// Talking to the server that this page came from.

/** What the server tells of a stage, or of its picture. @typedef {{stage: string, ok?: boolean, seconds?: number, size?: number[], outline_px?: number[][]}} Stage */
/** @typedef {{title: string, caption: string, jpeg: string}} StagePicture */
/**
 * @typedef {{method?: string, body?: BodyInit, signal?: AbortSignal, query?: Record<string, any>, accept?: string,
 *   patience?: number, onBusy?: () => void, lane?: string}} Request
 */

const TAB = crypto.getRandomValues(new Uint32Array(2)).join("");
const PATIENCE_MS = 60_000;
export const SESSION_KEY = "flowvision-key";

// A request that came to nothing. `code`: the server's, or "lost" (no server) and "slow" (no answer in time).
export class Refused extends Error {
  constructor(/** @type {number} */ status, /** @type {{code?: string, message?: string, hint?: string}} */ { code, message, hint }) {
    super(message ?? "No answer.");
    this.status = status;
    this.code = code ?? "odd";
    this.hint = hint ?? "";
  }
}

let onLost = () => {};
let onLocked = () => {};
export function listen(/** @type {() => void} */ lost, /** @type {() => void} */ locked) {
  onLost = lost;
  onLocked = locked;
}

// Why there is no answer, or no end of it: nobody waits any more, time is up, or there is no server.
/** @returns {never} */
function failed(/** @type {any} */ error) {
  if (error.name === "AbortError") throw error;
  if (error.name === "TimeoutError") throw new Refused(408, { code: "slow", message: "The server took too long." });
  onLost();
  throw new Refused(0, { code: "lost", message: "No answer from the server." });
}

const wait = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

// What the server ends for a picture of this tab, on its way: a picture that was told to wait lets it end first.
const ENDED = ["puzzle", "hint", "search", "solutions", "generate"];
/** @type {Set<Promise<Response>>} */
const onTheirWay = new Set();

/** @returns {Promise<Response>} */
async function ask(/** @type {string} */ path, /** @type {Request} */ given = {}) {
  const { method = "POST", body, signal, query = {}, accept, patience = PATIENCE_MS, onBusy, lane = "" } = given;
  const words = new URLSearchParams(Object.entries(query).filter(([, value]) => value != null && value !== ""));
  /** @type {Record<string, string>} */
  const headers = { "X-Tab": TAB + lane };
  const key = localStorage.getItem(SESSION_KEY);
  if (key) headers.Authorization = `Bearer ${key}`;
  if (accept) headers.Accept = accept;
  const end = AbortSignal.timeout(patience);
  const asked = fetch(`/api/${path}?${words}`, {
    method,
    body,
    headers,
    signal: signal ? AbortSignal.any([signal, end]) : end,
  }).catch(failed);
  if (ENDED.includes(path) && !lane) onTheirWay.add(asked);
  const response = await asked.finally(() => onTheirWay.delete(asked));
  if (response.status === 429) {
    onBusy?.();
    await wait(1000 * Number(response.headers.get("Retry-After") ?? 1));
    while (path === "solve" && onTheirWay.size) await Promise.allSettled(onTheirWay);
    signal?.throwIfAborted();
    return ask(path, given);
  }
  if (response.status === 401) onLocked();
  return response;
}

async function checked(/** @type {Response} */ response) {
  if (response.ok) return response;
  const made = await response.json().catch(() => ({ message: response.statusText }));
  throw new Refused(response.status, made.error ?? made);
}

export const about = () => ask("about", { method: "GET" });

// The code of the address is good for one exchange; the key stays in this browser, at this port alone: another tab,
// or this one opened again, has it as well. It is worth nothing once this run of the server has ended.
export async function openSession(/** @type {string} */ code) {
  const response = await ask("session", { body: code });
  if (response.ok) localStorage.setItem(SESSION_KEY, (await response.json()).key);
}

/** @param {string} path @param {Request} [given] @returns {Promise<any>} */
export const object = async (path, given) => (await file(path, given)).json();
/** @param {string} path @param {Request} [given] */
export const file = async (path, given) => checked(await ask(path, given));

// What is asked one after another, each to its end: the server ends an older job of a tab for a newer one of its kind,
// unless they are of different `lane`s.
/** @type {Map<string, Promise<any>>} */
const queues = new Map();
/** @param {string} path @param {Request} [given] @returns {Promise<Blob>} */
export function queued(path, given) {
  const lane = given?.lane ?? "";
  const made = (queues.get(lane) ?? Promise.resolve()).then(() => file(path, given)).then((response) => response.blob());
  queues.set(
    lane,
    made.catch(() => {}),
  );
  return made;
}

// What a picture is answered with event by event: `onEvent` hears of every stage, the promise is the answer.
/** @param {string} path @param {(event: any) => void} onEvent @param {Request} given @returns {Promise<any>} */
async function listened(path, onEvent, given) {
  const { body } = await checked(await ask(path, { ...given, accept: "text/event-stream" }));
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (reader) {
    const { value, done } = await reader.read().catch(failed);
    if (done) break;
    text += value;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const [, kind, data] = event.match(/^event: (\w+)\ndata: (.*)$/s) ?? [];
      if (kind === "answer") return JSON.parse(data);
      onEvent(JSON.parse(data));
    }
  }
  throw new Refused(500, { code: "crashed", message: "The server stopped before the answer." });
}
/** @param {Blob} body @param {object} query @param {(stage: Stage) => void} onStage @param {AbortSignal} signal */
export const readPicture = (body, query, onStage, signal) =>
  listened("solve", onStage, { body, query, signal, onBusy: () => onStage({ stage: "waiting for other work" }) });
/** @param {Blob} body @param {object} query @param {(picture: StagePicture) => void} onPicture @param {AbortSignal} signal */
export const drawStages = (body, query, onPicture, signal) => listened("stages", onPicture, { body, query, signal });
