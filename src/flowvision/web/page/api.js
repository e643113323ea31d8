// Talking to the server that this page came from.

const TAB = crypto.getRandomValues(new Uint32Array(2)).join("");
const PATIENCE_MS = 60_000;
const SESSION_KEY = "flowvision-key";

export class Refused extends Error {
  constructor(status, error) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

let onLost = () => {};
let onLocked = () => {};
export function listen(lost, locked) {
  onLost = lost;
  onLocked = locked;
}

// Time is up, for the answer's beginning or for its end.
/** @returns {never} */
function late(error) {
  if (error.name === "TimeoutError") throw new Refused(408, { code: "slow", message: "The server took too long." });
  throw error;
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {string} path @param {{method?: string, body?: any, signal?: AbortSignal, query?: object, accept?: string, patience?: number, onBusy?: () => void}} given @returns {Promise<Response>} */
async function ask(path, given = {}) {
  const { method = "POST", body, signal, query = {}, accept, patience = PATIENCE_MS, onBusy } = given;
  const words = new URLSearchParams(Object.entries(query).filter(([, value]) => value != null && value !== ""));
  const headers = { "X-Tab": TAB };
  const key = sessionStorage.getItem(SESSION_KEY);
  if (key) headers.Authorization = `Bearer ${key}`;
  if (accept) headers.Accept = accept;
  const end = AbortSignal.timeout(patience);
  let response;
  try {
    response = await fetch(`/api/${path}?${words}`, {
      method,
      body,
      headers,
      signal: signal ? AbortSignal.any([signal, end]) : end,
    });
  } catch (error) {
    if (!["AbortError", "TimeoutError"].includes(error.name)) onLost();
    late(error);
  }
  if (response.status === 429) {
    onBusy?.();
    await wait(1000 * Number(response.headers.get("Retry-After") ?? 1));
    signal?.throwIfAborted();
    return ask(path, given);
  }
  if (response.status === 401) onLocked();
  return response;
}

async function checked(response) {
  if (response.ok) return response;
  const made = await response.json().catch(() => ({ error: { code: "odd", message: response.statusText } }));
  throw new Refused(response.status, made.error ?? made);
}

export const about = () => ask("about", { method: "GET" });

// The code of the address is good for one exchange; the key stays in this tab and at this port alone.
export async function openSession(code) {
  const response = await ask("session", { body: code });
  if (response.ok) sessionStorage.setItem(SESSION_KEY, (await response.json()).key);
  return response.ok;
}

export const object = async (path, given) => (await checked(await ask(path, given))).json();
export const file = async (path, given) => checked(await ask(path, given));

// Files are made one after another: the server ends an older job of a tab for a newer one of its kind.
let lastFile = Promise.resolve();
export function queued(path, given) {
  const made = lastFile.then(() => file(path, given)).then((response) => response.blob());
  lastFile = made.catch(() => {});
  return made;
}

// What a picture is answered with event by event: `onEvent` hears of every stage, the promise is the answer.
async function listened(path, blob, query, onEvent, signal, onBusy) {
  const response = await ask(path, { body: blob, query, signal, accept: "text/event-stream", onBusy });
  await checked(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read().catch(late);
    if (done) throw new Refused(500, { code: "crashed", message: "The server stopped before the answer." });
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const [, kind, data] = event.match(/^event: (\w+)\ndata: (.*)$/s);
      if (kind === "answer") return JSON.parse(data);
      onEvent(JSON.parse(data));
    }
  }
}
export const readPicture = (blob, query, onStage, signal) =>
  listened("solve", blob, query, onStage, signal, () => onStage({ stage: "waiting for other work" }));
export const drawStages = (blob, query, onPicture, signal) => listened("stages", blob, query, onPicture, signal);
