// A ZIP archive that any program opens.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { zipped } from "../../../src/flowvision/web/page/zip.js";

test("Python reads what was stored, under its names", async () => {
  const files = [
    { name: "1 été.solved.png", data: Uint8Array.from([137, 80, 78, 71, 0, 255]) },
    { name: "2 empty.png", data: new Uint8Array() },
  ];
  const folder = mkdtempSync(join(tmpdir(), "zip-"));
  const path = join(folder, "a.zip");
  writeFileSync(path, Buffer.from(await zipped(files).arrayBuffer()));
  const script =
    "import sys, zipfile, json; z = zipfile.ZipFile(sys.argv[1]); print(json.dumps([z.testzip(), [[i.filename, list(z.read(i))] for i in z.infolist()]]))";
  const made = JSON.parse(execFileSync("python3", ["-c", script, path], { encoding: "utf8" }));
  rmSync(folder, { recursive: true });
  assert.deepEqual(made, [null, files.map(({ name, data }) => [name, [...data]])]);
});
