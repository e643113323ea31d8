// The verdict: one line, its colour, what stands behind it, and what can be done.

import assert from "node:assert/strict";
import test from "node:test";
import { verdict, verdictUnder, wallsRound } from "../../../src/flowvision/web/page/verdict.js";
import { boardOf, FIVE, NONE, ONE, OPEN, readAs, refused, TWO } from "./boards.js";

const VIEW = { tab: "Answer", canStop: true, canCopy: true, solved: 1, isHidden: false, isOfPhone: false };
const acts = ({ buttons }) => buttons.map(({ act }) => act[0]);
const OTHER = FIVE.replace(".RBO.", ".R.O.");

test("a sure answer is green, a doubtful one amber until somebody confirms it", () => {
  assert.equal(verdict(readAs(FIVE), ONE).kind, "good");
  const doubtful = readAs(FIVE);
  Object.assign(doubtful.reading, { doubtful: true, warnings: ["It may be a part."] });
  assert.deepEqual([verdict(doubtful, ONE).kind, acts(verdict(doubtful, ONE))], ["warn", ["confirm"]]);
  assert.equal(verdict({ ...doubtful, trust: "confirmed" }, ONE).kind, "good");
});

test("a refused board is amber at best until it is mended or confirmed", () => {
  assert.deepEqual([verdict(refused(FIVE), ONE).kind, acts(verdict(refused(FIVE), ONE))], ["warn", ["confirm"]]);
  assert.equal(verdict(refused(FIVE, {}, { trust: "confirmed" }), ONE).kind, "good");
  assert.equal(verdict(refused(OTHER, {}, { board: boardOf(FIVE), trust: "mended" }), ONE).kind, "good");
  assert.equal(verdict(refused(OTHER, {}, { trust: "mended" }), ONE).kind, "warn", "changed and changed back");
  assert.equal(verdict(refused(OTHER, {}, { board: boardOf(FIVE), trust: "guessed" }), ONE).kind, "warn");
});

test("nothing is said to be right beside a red verdict", () => {
  const causes = ["x", "cut-off", "wrong-size", "two-boards", "lone-dot"].map((code) => ({
    code,
    seen: { sides: ["bottom"], lines_rows: 4, lines_cols: 5 },
  }));
  for (const doc of [readAs(FIVE), ...causes.map((cause) => refused(FIVE, cause))])
    for (const answer of [undefined, ONE, TWO, NONE, OPEN, { status: "gave-up" }, { status: "failed", message: "No." }])
      for (const tab of ["Answer", "Correct", "Play", "Make"]) {
        const made = verdictUnder(doc, answer, { ...VIEW, tab });
        if (made.kind === "bad") assert.ok(!acts(made).includes("confirm"), `${doc.reading?.error?.cause.code} ${answer?.status}`);
        assert.ok(made.buttons.filter(({ main }) => main).length <= 1, "one primary action");
      }
});

test("beside a row to add stands one that takes a row away", () => {
  const cut = refused(FIVE, { code: "cut-off", seen: { sides: ["bottom"] } });
  const { kind, buttons } = verdict(cut, OPEN);
  assert.equal(kind, "bad");
  assert.deepEqual(
    buttons.map(({ act }) => act),
    [
      ["side", "bottom", 1, true],
      ["side", "bottom", -1],
    ],
  );
  assert.ok(buttons.every(({ main }) => !main));
});

test("why there is no solution stands behind the line", () => {
  const { words, more } = verdict(readAs(FIVE), NONE);
  assert.equal(words, "No solution.");
  assert.match(more, /chessboard/);
});

test("a reading that takes longer than usual is said to", () => {
  const doc = readAs(FIVE, { pending: true });
  assert.doesNotMatch(verdict(doc, undefined).words, /longer/);
  assert.match(verdict({ ...doc, slow: true }, undefined).words, /longer than usual/);
});

test("what a wrong size, two boards and advised dots offer", () => {
  const sized = refused(FIVE, { code: "wrong-size", seen: { lines_rows: 4, lines_cols: 5 } });
  assert.deepEqual(verdict(sized, OPEN).buttons[0].act, ["read", { grid: [4, 5] }]);
  const dots = refused(OTHER, { advice: [{ option: "--set", value: "5,3=B", came: "solved" }] });
  assert.deepEqual(verdict(dots, OPEN).buttons[0].act, ["put", [{ key: "4,2", letter: "B" }]]);
  const other = readAs(FIVE);
  other.reading.other_board_crop = [0, 0, 100, 100];
  assert.deepEqual(acts(verdict(other, ONE)), ["read"]);
});

test("in play the verdict gives nothing away, and says when it is solved", () => {
  const play = { ...VIEW, tab: "Play" };
  assert.deepEqual([verdictUnder(readAs(FIVE), ONE, play).kind, acts(verdictUnder(readAs(FIVE), ONE, play))], ["", []]);
  const two = boardOf("R.R");
  const solved = readAs("R.R", { played: [["0,0", "0,1", "0,2"]], board: two, read: { board: two, frame: [] } });
  assert.equal(verdictUnder(solved, ONE, play).words, "Solved!");
  const doubted = refused("R.R", {}, { played: solved.played });
  assert.match(verdictUnder(doubted, ONE, play).words, /^Solved as it stands here/);
  assert.equal(verdictUnder(doubted, ONE, play).kind, "warn");
});

test("an answer is saved once it is trusted", () => {
  assert.deepEqual(acts(verdictUnder(readAs(FIVE), ONE, { ...VIEW, solved: 2 })).slice(0, 3), ["save", "copy", "saveAll"]);
  assert.ok(!acts(verdictUnder(refused(FIVE), ONE, VIEW)).includes("save"));
  assert.ok(!acts(verdictUnder(readAs(FIVE), TWO, VIEW)).includes("save"));
  assert.ok(acts(verdictUnder(readAs(FIVE, { trust: "confirmed" }), TWO, VIEW)).includes("save"));
});

test("walls round a covered cell can be left out", () => {
  const board = boardOf(FIVE);
  board.walls = new Set(["3,3|4,3", "0,0|0,1"]);
  assert.deepEqual(wallsRound(board, ["4,3"]), ["3,3|4,3"]);
});
