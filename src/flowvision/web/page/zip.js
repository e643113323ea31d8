// Several files as one: a ZIP archive that stores them as they are, for pictures are compressed already.

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const UTF8 = 0x0800;

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});
function crc32(/** @type {Uint8Array} */ data) {
  let crc = -1;
  for (const byte of data) crc = TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc;
}

// Numbers of two and four bytes, low byte first.
/** @param {[bytes: 2 | 4, value: number][]} fields */
function packed(fields) {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

/** @param {{name: string, data: Uint8Array<ArrayBuffer>}[]} files of different names */
export function zipped(files) {
  const parts = [];
  const entries = [];
  let offset = 0;
  for (const { name, data } of files) {
    const path = new TextEncoder().encode(name);
    /** @type {[2 | 4, number][]} version, flags, method, time, date (1980), checksum, sizes, lengths of name and extra */
    const common = [
      [2, 20],
      [2, UTF8],
      [2, 0],
      [2, 0],
      [2, 33],
      [4, crc32(data)],
      [4, data.length],
      [4, data.length],
      [2, path.length],
      [2, 0],
    ];
    const local = packed([[4, LOCAL], ...common]);
    parts.push(local, path, data);
    entries.push(packed([[4, CENTRAL], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]), path);
    offset += local.length + path.length + data.length;
  }
  const size = entries.reduce((sum, part) => sum + part.length, 0);
  const count = files.length;
  const end = packed([
    [4, END],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, size],
    [4, offset],
    [2, 0],
  ]);
  return new Blob([...parts, ...entries, end], { type: "application/zip" });
}
