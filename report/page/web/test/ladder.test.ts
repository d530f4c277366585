import assert from "node:assert/strict";
import { test } from "node:test";
import { foldRows, isLost, lanesOf, mostLanes, rowsOf, tagsOf, type Row } from "../src/ladder-layout";
import type { Chunk, Ladder, Step } from "../src/model";

function step(t: number, more: Partial<Step> = {}): Step {
  return { t, f: 1, k: "send", x: "Send", ...more };
}

function chunk(kind: Chunk["kind"], at: number): Chunk {
  return { kind, label: kind, step: at, segments: [{ handle: 1, offset: "0x10", length: 8, moved: 8 }] };
}

function ladder(steps: Step[], chunks: Chunk[] = []): Ladder {
  return { client: "c", server: "s", start: 0, steps, chunks, left_out: 0 };
}

function words(rows: Row[]): string[] {
  return rows.map((r) => {
    const bars = r.bars.map((b) => ` ${b.chunk}/${b.lane}/${b.part}`).join("");
    return (r.kind === "pause" ? "pause" : r.kind + r.index) + bars;
  });
}

test("a chunk stands below its message, and its bar goes to the last step that used it", () => {
  const l = ladder(
    [step(0), step(1, { k: "read-request", d: 1, c: 0 }), step(2, { k: "read-data", c: 0 }), step(3, { k: "write", d: 1, c: 1 }), step(4)],
    [chunk("read", 0), chunk("write", 0)],
  );
  assert.deepEqual(words(rowsOf(l)), [
    "step0",
    "chunk0 0/0/begin",
    "chunk1 0/0/middle 1/1/begin",
    "step1 0/0/middle 1/1/middle",
    "step2 0/0/end 1/1/middle",
    "step3 1/1/end",
    "step4",
  ]);
  assert.equal(lanesOf(rowsOf(l)), 2);
});

test("a lane is used again when its chunk is done", () => {
  const l = ladder(
    [step(0), step(1, { c: 0 }), step(2), step(3, { c: 1 })],
    [chunk("read", 0), chunk("reply", 2)],
  );
  assert.equal(lanesOf(rowsOf(l)), 1);
});

test("a chunk that was advertised before the ladder begins stands first, one that nobody used is alone", () => {
  const l = ladder([step(0), step(1, { c: 0 })], [chunk("write", -1), chunk("reply", 0)]);
  assert.deepEqual(words(rowsOf(l)), [
    "chunk0 0/0/begin", "step0 0/0/middle", "chunk1 0/0/middle 1/1/only", "step1 0/0/end",
  ]);
});

test("more chunks than lanes leave some without a bar, and lose none", () => {
  const chunks = Array.from({ length: mostLanes + 3 }, () => chunk("read", 0));
  const rows = rowsOf(ladder([step(0), ...chunks.map((_, c) => step(c + 1, { c }))], chunks));
  assert.equal(lanesOf(rows), mostLanes);
  assert.equal(rows.filter((r) => r.kind === "chunk").length, chunks.length);
});

test("a step that names a chunk which is not there has no bar", () => {
  assert.deepEqual(words(rowsOf(ladder([step(0, { c: 7 }), step(1, { c: -1 })]))), ["step0", "step1"]);
});

test("time without a packet is said where it stands out", () => {
  const ms = 1_000_000;
  const l = ladder([step(0), step(1000), step(2000), step(3000), step(50 * ms), step(50 * ms + 1000)]);
  assert.deepEqual(words(rowsOf(l)), ["step0", "step1", "step2", "step3", "pause", "step4", "step5"]);
  const even = ladder([step(0), step(ms), step(2 * ms), step(3 * ms)]);
  assert.equal(rowsOf(even).filter((r) => r.kind === "pause").length, 0);
});

test("tags count each kind, and one Reply chunk needs no number", () => {
  assert.deepEqual(tagsOf([chunk("read", 0), chunk("write", 0), chunk("read", 0), chunk("reply", 0)]), ["R1", "W1", "R2", "RP"]);
  assert.deepEqual(tagsOf([{ ...chunk("write", 0), label: "Write chunk 2" }]), ["W2"]);
  assert.deepEqual(tagsOf([chunk("reply", 0), chunk("reply", 1)]), ["RP1", "RP2"]);
});

test("a long ladder keeps its ends and what is at fault", () => {
  const steps = Array.from({ length: 300 }, (_, i) => step(i, i === 150 ? { bad: "HDR-014" } : {}));
  const folded = foldRows(rowsOf(ladder(steps)));
  const shown = folded.flatMap((r) => (r.kind === "step" ? [r.index] : []));
  assert.ok([0, 13, 146, 150, 154, 292, 299].every((i) => shown.includes(i)));
  assert.ok(!shown.includes(14) && !shown.includes(145));
  const hidden = folded.flatMap((r) => (r.kind === "folded" ? r.rows : []));
  assert.equal(shown.length + hidden.length, 300);
});

test("a folded row shows the bars that come in and go out", () => {
  const at: { [step: number]: number } = { 20: 0, 299: 1, 21: 2 };
  const steps = Array.from({ length: 300 }, (_, i) => step(i, { c: at[i] ?? -1 }));
  const folded = foldRows(rowsOf(ladder(steps, [chunk("read", 0), chunk("write", 0), chunk("reply", 15)])));
  const fold = folded.find((r) => r.kind === "folded")!;
  assert.deepEqual(fold.bars.map((b) => [b.chunk, b.part]), [[0, "end"], [1, "middle"]]);
});

/** A ladder of n steps a microsecond apart, but for gaps, in milliseconds, before some. */
function paused(n: number, gaps: { [step: number]: number }): Row[] {
  let t = 0;
  return rowsOf(ladder(Array.from({ length: n }, (_, i) => step((t += 1000 + (gaps[i] ?? 0) * 1e6), { f: i + 1, n: i % 3 === 0 ? 2 : 1 }))));
}

test("a pause is never folded, nor are the steps beside it", () => {
  const folded = foldRows(paused(150, { 60: 2230, 100: 2240 }));
  assert.deepEqual(folded.flatMap((r) => (r.kind === "pause" ? [r.gap] : [])), [2230e6 + 1000, 2240e6 + 1000]);
  const shown = folded.flatMap((r) => (r.kind === "step" ? [r.index] : []));
  assert.deepEqual(shown.filter((i) => i >= 14 && i < 142), [58, 59, 60, 61, 98, 99, 100, 101]);
});

test("of many pauses the longest stay", () => {
  const gaps = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [20 + 10 * i, 100 + i]));
  const rows = paused(200, gaps);
  assert.equal(rows.filter((r) => r.kind === "pause").length, 15);
  const stay = foldRows(rows).flatMap((r) => (r.kind === "pause" ? [Math.round(r.gap / 1e6)] : []));
  assert.deepEqual(stay, Array.from({ length: 12 }, (_, i) => 103 + i));
});

test("a folded row says how much it hides", () => {
  const folds = foldRows(paused(150, { 60: 2230 })).flatMap((r) => (r.kind === "folded" ? [r] : []));
  // Of steps 14 to 57, those that 3 divides have two frames.
  assert.deepEqual(folds.map((f) => [f.steps, f.frames, f.lasted]), [[44, 59, 44_000], [80, 107, 80_000]]);
  const one = step(0, { f: 7 });
  const same = foldRows(rowsOf(ladder(Array.from({ length: 60 }, () => one)))).find((r) => r.kind === "folded");
  assert.equal(same?.frames, 1, "steps of one frame of iWARP");
});

test("a short ladder is shown whole", () => {
  const rows = rowsOf(ladder(Array.from({ length: 48 }, (_, i) => step(i))));
  assert.deepEqual(foldRows(rows), rows);
});

test("a retransmission arrives, whatever became of the first", () => {
  assert.ok(isLost("lost"));
  assert.ok(!isLost("retransmission, the first was lost on the wire"));
  assert.ok(!isLost("waits for a missing frame"));
});

test("a pause begins where the step before ends, and tells what is not shown", () => {
  const rows = rowsOf(ladder([step(0, { lasted: 900e6, n: 10 }), step(1000e6, { hidden: 3 }), step(1000e6)]));
  const pauses = rows.flatMap((r) => (r.kind === "pause" ? [[r.gap, r.hidden]] : []));
  assert.deepEqual(pauses, [[100e6, 3]]);
  assert.deepEqual(rows.flatMap((r) => (r.kind === "step" ? [r.gap] : [])), [0, 100e6, 0]);
});
