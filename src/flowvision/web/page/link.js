// A board in the address: its text form, with runs of empty cells shortened.

/** Empty cells that a character stands for. @type {[string, number][]} */
const RUNS = [
  ["~", 8],
  ["_", 4],
  ["-", 2],
  [".", 1],
];
const MARK = "#b=";
const MAX_LENGTH = 8000;
const ALLOWED = /^[A-Za-z0-9.\-_~!+;=,/]+$/;

function shortened(/** @type {string} */ row) {
  const empty = (/** @type {string} */ { length }) => {
    let [left, made] = [length, ""];
    for (const [mark, size] of RUNS) for (; left >= size; left -= size) made += mark;
    return made;
  };
  return row.replaceAll("#", "!").replace(/\.+/g, empty);
}
const lengthened = (/** @type {string} */ row) =>
  row.replaceAll("!", "#").replace(/[~_\-.]/g, (mark) => ".".repeat(new Map(RUNS).get(mark) ?? 1));

// A trailing slash: programs that find links leave out a full stop at the end.
export const linkOf = (/** @type {string} */ text) =>
  `${MARK}${text
    .trim()
    .split("\n")
    .map((line) => (line.includes(" ") ? line.replaceAll(" ", "=") : shortened(line)))
    .join(";")};/`;

// Return the text of a linked board, "" for a link that holds none, null for another fragment.
export function boardOfLink(/** @type {string} */ hash) {
  if (!hash.startsWith(MARK)) return null;
  const code = hash.slice(MARK.length).replace(/;\/$/, "");
  if (code.length > MAX_LENGTH || !ALLOWED.test(code)) return "";
  return code
    .split(";")
    .map((line) => (line.includes("=") ? line.replaceAll("=", " ") : lengthened(line)))
    .join("\n");
}
