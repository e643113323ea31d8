// The verdict: one line, its colour, what stands behind it, and what can be done.

import assert from "node:assert/strict";
import test from "node:test";
import { withPlaces } from "../../../src/flowvision/web/page/board.js";
import { canSave, placesNamed, pointing, verdict, verdictUnder } from "../../../src/flowvision/web/page/verdict.js";
import { boardOf, FIVE, NONE, ONE, OPEN, readAs, refused, TWO } from "./boards.js";

const acts = ({ buttons }) => buttons.map(({ act }) => act[0]);
const OTHER = FIVE.replace(".RBO.", ".R.O.");

test("a sure answer is green, a doubtful one amber until somebody confirms it", () => {
  assert.equal(verdict(readAs(FIVE), ONE).kind, "good");
  const doubtful = readAs(FIVE);
  Object.assign(doubtful.reading, { doubtful: true, advice: { warnings: ["It may be a part."] } });
  assert.deepEqual([verdict(doubtful, ONE).kind, acts(verdict(doubtful, ONE))], ["warn", ["confirm"]]);
  assert.equal(verdict({ ...doubtful, trust: "confirmed" }, ONE).kind, "good");
});

test("a refused board is amber at best until it is mended or confirmed", () => {
  assert.deepEqual([verdict(refused(FIVE), ONE).kind, acts(verdict(refused(FIVE), ONE))], ["warn", ["confirm"]]);
  assert.equal(verdict(refused(FIVE, {}, { trust: "confirmed" }), ONE).kind, "good");
  assert.equal(verdict(refused(OTHER, {}, { board: boardOf(FIVE), trust: "corrected" }), ONE).kind, "good");
  assert.equal(verdict(refused(OTHER, {}, { trust: "corrected" }), ONE).kind, "warn", "changed and changed back");
  assert.equal(verdict(refused(OTHER, {}, { board: boardOf(FIVE), trust: "guessed" }), ONE).kind, "warn");
});

test("a confirmed board whose outline or dots the picture does not show is ticked, but not green", () => {
  const framed = refused(FIVE, { frame: true }, { framed: true });
  assert.deepEqual([verdict(framed, ONE).kind, acts(verdict(framed, ONE))], ["warn", ["confirm"]]);
  for (const doc of [framed, readAs(OTHER, { board: boardOf(FIVE) })]) {
    const checked = { ...doc, trust: "confirmed" };
    const other = { text: "Put B at ①", board: boardOf(FIVE) };
    assert.equal(verdict(checked, { ...ONE, others: [other] }).kind, "own");
    assert.ok(canSave(checked, ONE));
    for (const answer of [TWO, NONE, OPEN, { ...ONE, rules: "free" }]) assert.ok(!["own", "good"].includes(verdict(checked, answer).kind));
  }
  assert.equal(verdict({ ...refused(FIVE, { frame: true }), trust: "confirmed" }, ONE).kind, "warn", "its outline is open");
});

test("nothing is said to be right beside a red verdict", () => {
  const boards = [{ text: "Read it as 5 × 4", crop: [0, 0, 9, 9], grid: [4, 5], colours: null }];
  const advice = [{}, { cut: ["right"] }, { boards }, { boards, frame: true }, { frame: true }];
  for (const doc of [readAs(FIVE), ...advice.map((one) => refused(FIVE, one))])
    for (const answer of [undefined, ONE, TWO, NONE, OPEN, { status: "gave-up" }, { status: "failed", message: "No." }])
      for (const tab of ["Answer", "Correct", "Play", "Make"]) {
        const made = verdictUnder(doc, answer, tab);
        if (made.kind === "bad") assert.ok(!acts(made).includes("confirm"), `${JSON.stringify(doc.reading.advice)} ${answer?.status}`);
        assert.ok(made.buttons.filter(({ main }) => main).length <= 1, "one primary action");
      }
});

test("no button makes a board right whose outline is in doubt, or that has several solutions", () => {
  const framed = refused(FIVE, { frame: true });
  assert.deepEqual(acts(verdict(framed, ONE)), ["outline"]);
  assert.deepEqual(acts(verdict({ ...framed, framed: true }, ONE)), ["confirm"]);
  for (const doc of [refused(FIVE), readAs(FIVE), readAs(FIVE, { trust: "confirmed" })]) {
    assert.equal(verdict(doc, TWO).kind, "warn");
    assert.ok(!acts(verdict(doc, TWO)).includes("confirm"));
  }
});

test("what leaves exactly one solution is the main button, if it is the only change", () => {
  const mend = { text: "Leave out row 6", board: boardOf(FIVE), by: [0, 0, 0, -1] };
  const doubted = refused(FIVE, { frame: true });
  const mains = (answer, doc = doubted) => verdict(doc, answer).buttons.flatMap(({ text, main }) => (main ? [text] : []));
  assert.deepEqual(mains({ ...ONE, mends: [mend] }), ["Leave out row 6"]);
  assert.deepEqual(mains({ ...NONE, mends: [mend, mend] }, refused(OTHER)), []);
  assert.deepEqual(acts(verdict({ ...refused(OTHER), board: boardOf(FIVE), trust: "corrected" }, { ...ONE, others: [mend] })), [
    "mend",
    "confirm",
  ]);
});

test("where no solution is drawn, none is spoken of", () => {
  const [answer, correct] = ["Answer", "Correct"].map((tab) => verdictUnder(readAs(FIVE), { ...TWO, differs: ["0,0"] }, tab));
  assert.match(`${answer.words} ${answer.more}`, /one of them.*outlined/);
  assert.doesNotMatch(`${correct.words} ${correct.more}`, /this|outlined/);
  assert.match(correct.words, /solutions\.$/);
});

test("all walls of a board without a solution can be removed", () => {
  const walled = refused(OTHER);
  walled.board.walls.add("0,0|0,1");
  assert.ok(acts(verdict(walled, NONE)).includes("bare"));
  assert.ok(!acts(verdict(walled, ONE)).includes("bare"));
  assert.ok(!acts(verdict(refused(OTHER), NONE)).includes("bare"));
});

test("a dot that a button put is named as a guess", () => {
  const guessed = refused(OTHER, {}, { board: boardOf(FIVE), trust: "guessed" });
  assert.equal(verdict(guessed, ONE).words, "B (⟨4,2⟩) is a guess.");
  assert.deepEqual(placesNamed(guessed), ["4,2"]);
});

test("why there is no solution stands behind the line", () => {
  const { words, more } = verdict({ ...readAs(FIVE), picture: null, reading: null }, NONE);
  assert.equal(words, "No solution.");
  assert.match(more, /chessboard/);
  assert.match(verdict(readAs(FIVE), NONE).more, /misread/);
});

test("a board that was corrected leads to its answer", () => {
  const corrected = refused(OTHER, {}, { board: boardOf(FIVE), trust: "corrected" });
  assert.deepEqual(acts(verdictUnder(corrected, ONE, "Correct")), ["answer"]);
});

test("what was tried is the main button until the board is changed; another board is a second one", () => {
  const query = { crop: null, grid: [4, 5], colours: null };
  const boards = [{ text: "Read it as 5 × 4", ...query }];
  for (const more of [{}, { board: null, frame: null, read: null }])
    for (const answer of [OPEN, ONE, NONE]) {
      const made = verdict(refused(FIVE, { boards }, more), answer);
      assert.deepEqual(
        made.buttons.filter(({ main }) => main),
        [{ text: boards[0].text, act: ["read", query], main: true }],
      );
    }
  assert.ok(!acts(verdict(refused(FIVE, { boards }, { board: boardOf(OTHER) }), OPEN)).includes("read"));
  const other = readAs(FIVE);
  other.reading.advice = { boards };
  assert.deepEqual(verdict(other, ONE).buttons, [{ text: boards[0].text, act: ["read", query], main: false }]);
});

test("in play the verdict says what is left, gives nothing away, and says when it is solved", () => {
  assert.deepEqual([verdictUnder(readAs(FIVE), ONE, "Play").kind, acts(verdictUnder(readAs(FIVE), ONE, "Play"))], ["", []]);
  assert.equal(verdictUnder(readAs(FIVE), ONE, "Play").words, "Flows 0/5 · 0 %");
  assert.equal(verdictUnder(readAs(FIVE), NONE, "Play").kind, "bad");
  assert.equal(verdictUnder(refused(FIVE), ONE, "Play").kind, "warn");
  const two = boardOf("R.R");
  const solved = readAs("R.R", { played: [["0,0", "0,1", "0,2"]], board: two, read: { board: two, frame: [] } });
  assert.equal(verdictUnder(solved, ONE, "Play").words, "Solved!");
  const doubted = refused("R.R", {}, { played: solved.played });
  assert.match(verdictUnder(doubted, ONE, "Play").words, /^Solved as shown here/);
  assert.equal(verdictUnder(doubted, ONE, "Play").kind, "warn");
});

test("an answer is saved once it is trusted", () => {
  assert.ok(canSave(readAs(FIVE), ONE));
  assert.ok(!canSave(refused(FIVE), ONE));
  assert.ok(canSave(readAs(FIVE), TWO), "one of several");
  assert.ok(!canSave(refused(FIVE), TWO));
  assert.deepEqual(acts(verdictUnder(readAs(FIVE), OPEN, "Answer")), ["correct"]);
});

test("a picture without a board offers to show where one is", () => {
  const made = verdictUnder(refused(FIVE, {}, { board: null, frame: null, read: null }), undefined, "Answer");
  assert.deepEqual([made.kind, made.more, acts(made)], ["bad", "Try again.", ["another", "lay"]]);
});

test("a cut board offers another screenshot first, its outline second", () => {
  assert.deepEqual(acts(verdict(refused(FIVE, { cut: ["right"], frame: true }), OPEN)), ["another", "outline"]);
  assert.deepEqual(acts(verdict(refused(FIVE, { cut: ["right"] }), OPEN)), ["another"]);
});

test("another screenshot cures a covered board, unless one change does", () => {
  const covered = refused(FIVE, { frame: true });
  const mend = { text: "Put red at row 1, column 2", board: boardOf(FIVE) };
  assert.deepEqual(acts(verdict(covered, OPEN)), ["another", "outline"]);
  assert.deepEqual(acts(verdict(covered, { ...OPEN, mends: [mend] })), ["mend"]);
});

test("cells in words become signs, which they keep", () => {
  const { point, signs } = pointing();
  assert.equal(point("orange (⟨1,4⟩), not ⟨0,2⟩; ⟨1,4⟩"), "orange ①, not ②; ①");
  assert.equal(pointing(signs).point("(⟨3,3⟩ and ⟨0,2⟩)"), "(③ and ②)");
  assert.equal(withPlaces("orange (⟨1,4⟩), not ⟨7⟩"), "orange (row 2, column 5), not cell 8");
});

test("Correct tells what to do until the board is changed", () => {
  const [shown, usual] = ["Correct", "Answer"].map((tab) => verdictUnder(readAs(FIVE), ONE, tab, { todo: "Tap a dot." }));
  assert.deepEqual([shown.kind, shown.words, usual.kind], ["", "Tap a dot.", "good"]);
  assert.match(shown.more, /^It has exactly one solution/, "what comes of it stands below");
  const outlining = verdictUnder(refused(FIVE), ONE, "Correct", { todo: "Drag a side.", isOutlining: true });
  assert.deepEqual([outlining.kind, outlining.words], ["", "Drag a side."]);
  assert.equal(verdictUnder(refused(FIVE), ONE, "Correct").kind, "warn");
});

test("a covered board asks for one thing: another screenshot, or once it is corrected a dot", () => {
  const doc = refused(FIVE.replace("R", ".").replace("Y", "."), { covered: true, frame: true });
  const under = (more) => verdictUnder({ ...doc, ...more }, OPEN, "Correct", { isTapping: true });
  assert.deepEqual([under({}).todo, acts(under({}))], ["", ["another", "outline"]]);
  assert.equal(under({ trust: "corrected" }).todo, "Choose Y or R, then tap where its other dot is.");
});
