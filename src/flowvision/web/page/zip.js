// Files in one zip, stored as they are: pictures are compressed already.

const TABLE = Array.from({ length: 256 }, (_, n) => {
  let sum = n;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});
const checksum = (/** @type {Uint8Array} */ data) => ~data.reduce((sum, byte) => TABLE[(sum ^ byte) & 255] ^ (sum >>> 8), -1) >>> 0;

// Return little-endian bytes of values with their sizes.
const packed = (/** @type {[value: number, size: number][]} */ ...fields) =>
  new Uint8Array(fields.flatMap(([value, size]) => Array.from({ length: size }, (_, n) => Math.floor(value / 256 ** n) % 256)));

export function zipOf(/** @type {[name: string, data: Uint8Array<ArrayBuffer>][]} */ files) {
  /** @type {Uint8Array<ArrayBuffer>[][]} */
  const [parts, index] = [[], []];
  const lengthOf = (/** @type {Uint8Array[]} */ all) => all.reduce((sum, { length }) => sum + length, 0);
  for (const [text, data] of files) {
    const [name, size, at] = [new TextEncoder().encode(text), data.length, lengthOf(parts)];
    // Version, UTF-8 names, no compression, midnight, the first of January 1980
    const facts = packed([20, 2], [0x800, 2], [0, 4], [0x21, 2], [checksum(data), 4], [size, 4], [size, 4], [name.length, 2], [0, 2]);
    parts.push(packed([0x04034b50, 4]), facts, name, data);
    index.push(packed([0x02014b50, 4], [20, 2]), facts, packed([0, 10], [at, 4]), name);
  }
  const end = packed([0x06054b50, 4], [0, 4], [files.length, 2], [files.length, 2], [lengthOf(index), 4], [lengthOf(parts), 4], [0, 2]);
  return new Blob([...parts, ...index, end], { type: "application/zip" });
}
