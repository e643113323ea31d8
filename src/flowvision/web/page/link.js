// A board in the address: its text form, one line after another.

const MARK = "#b=";
const MAX_LENGTH = 8000;
const ALLOWED = /^[A-Za-z0-9.+!;=,/]+$/;

// A trailing slash: programs that find links leave out a full stop at the end.
export const linkOf = (/** @type {string} */ text) =>
  `${MARK}${text.trim().replaceAll("#", "!").replaceAll(" ", "=").replaceAll("\n", ";")};/`;

// Return the text of a linked board, "" for a link that holds none, null for another fragment.
export function boardOfLink(/** @type {string} */ hash) {
  if (!hash.startsWith(MARK)) return null;
  const code = hash.slice(MARK.length).replace(/;\/$/, "");
  if (code.length > MAX_LENGTH || !ALLOWED.test(code)) return "";
  return code.replaceAll("!", "#").replaceAll("=", " ").replaceAll(";", "\n");
}
