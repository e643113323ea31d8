import assert from "node:assert/strict";
import test from "node:test";
import { boardOfLink, linkOf } from "../../../src/flowvision/web/page/board.js";

const NINE = `${["R.......G", ".........", "..B...Y..", ".........", "....O....", "...R.....", ".O....B..", "........Y", "G........"].join("\n")}\n`;

test("a link holds the board", () => {
  for (const text of [NINE, "hex\nR.#\n+.R\nwall 1,1/1,2\nwarp 2,1/2,3\n", "RR\n"]) {
    assert.equal(boardOfLink(linkOf(text)), text.trim());
    assert.match(linkOf(text), /^#b=[\w.!+;=,/]+\/$/);
  }
});

test("other fragments are no board, and hostile ones hold none", () => {
  assert.equal(boardOfLink("#code=abc"), null);
  assert.equal(boardOfLink(""), null);
  for (const bad of ["", "<script>", "R%0A", `${"~".repeat(8001)}`, "R\nR", "R R", "Ré"]) assert.equal(boardOfLink(`#b=${bad}`), "", bad);
});
