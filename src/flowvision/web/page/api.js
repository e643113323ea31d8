// Talking to the server that this page came from.

const TAB = crypto.getRandomValues(new Uint32Array(2)).join("");

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

async function ask(path, { method = "POST", body, signal, query = {}, accept } = {}) {
  const words = new URLSearchParams(Object.entries(query).filter(([, value]) => value != null && value !== ""));
  const headers = { "X-Tab": TAB };
  if (accept) headers.Accept = accept;
  let response;
  try {
    response = await fetch(`/api/${path}${words.size ? `?${words}` : ""}`, { method, body, signal, headers });
  } catch (error) {
    if (error.name !== "AbortError") onLost();
    throw error;
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

export async function openSession(token) {
  const response = await ask("session", { body: token });
  return response.ok;
}

export const object = async (path, given) => (await checked(await ask(path, given))).json();
export const file = async (path, given) => checked(await ask(path, given));

// A picture is read: `onStage` hears of every stage, the promise is the answer or the refusal.
export async function readPicture(blob, query, onStage, signal) {
  const response = await ask("solve", { body: blob, query, signal, accept: "text/event-stream" });
  await checked(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Refused(500, { code: "crashed", message: "The server stopped before the answer." });
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const [, kind, data] = event.match(/^event: (\w+)\ndata: (.*)$/s);
      if (kind === "answer") return JSON.parse(data);
      onStage(JSON.parse(data));
    }
  }
}
