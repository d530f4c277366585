import assert from "node:assert/strict";
import { test } from "node:test";
import type { Node } from "../src/model";
import { foldLines, isBad, linesOf, mostSpecificExhibit, narrowWidth, parseHex, pathAt, runAt, runsOf } from "../src/bytes-layout";

function node(name: string, start: number, end: number, children: Node[] | 0 = 0, fault = ""): Node {
  return [name, "", start, end, "", fault, children];
}

const bth = node("BTH", 0, 12, [node("OpCode", 0, 1), node("SE", 1, 2), node("TVer", 1, 2), node("PSN", 9, 12)]);

test("bytes are read from hexadecimal", () => {
  assert.deepEqual([...parseHex("00ff7f")], [0, 255, 127]);
  assert.equal(parseHex("").length, 0);
});

test("runs end where a field or what is bad begins or ends", () => {
  const runs = runsOf(20, [bth], [[10, 11]]);
  assert.deepEqual(runs.map((r) => [r.start, r.end]), [[0, 1], [1, 2], [2, 9], [9, 10], [10, 11], [11, 12], [12, 20]]);
  assert.deepEqual(runs.filter((r) => r.bad).map((r) => r.start), [10]);
  assert.equal(runAt(runs, 8), 2);
  assert.equal(runAt(runs, 20), -1);
});

test("fields beyond the bytes that were kept cut nothing", () => {
  assert.deepEqual(runsOf(4, [node("data", 2, 4000)], [[3, 9]]).map((r) => [r.start, r.end, r.bad]), [
    [0, 2, false], [2, 3, false], [3, 4, true],
  ]);
});

test("no bytes have no runs and no lines", () => {
  assert.deepEqual(runsOf(0, [bth], [[0, 1]]), []);
  assert.deepEqual(linesOf(0, []), []);
});

test("a run goes on over lines", () => {
  const lines = linesOf(20, runsOf(20, [bth], [[18, 19]]));
  assert.deepEqual(lines.map((l) => l.pieces.map((p) => [p.run, p.start, p.end])), [
    [[0, 0, 1], [1, 1, 2], [2, 2, 9], [3, 9, 12], [4, 12, 16]],
    [[4, 16, 18], [5, 18, 19], [6, 19, 20]],
  ]);
  assert.deepEqual(lines.map((l) => l.bad), [false, true]);
});

test("lines are half as long where there is little room", () => {
  const lines = linesOf(20, runsOf(20, [bth], []), narrowWidth);
  assert.deepEqual(lines.map((l) => [l.start, l.pieces.at(-1)!.end]), [[0, 8], [8, 16], [16, 20]]);
});

test("long data are folded, and each byte is in one line", () => {
  const lines = linesOf(1000, runsOf(1000, [node("header", 0, 20), node("data", 20, 1000)], []));
  const folded = foldLines(lines);
  const fold = folded.find((l) => l.kind === "fold");
  assert.ok(fold && fold.kind === "fold");
  assert.equal(folded.length, 2 + 2 + 1 + 1);
  const all = folded.flatMap((l) => (l.kind === "fold" ? l.lines : [l]));
  assert.deepEqual(all, lines);
});

test("what is at fault is not folded", () => {
  const lines = linesOf(1000, runsOf(1000, [node("data", 0, 1000, 0)], [[0, 1000]]));
  assert.deepEqual(foldLines(lines), lines);
  const some = foldLines(linesOf(1000, runsOf(1000, [node("data", 0, 1000)], [[500, 504]])));
  assert.ok(some.some((l) => l.kind === "bytes" && l.bad));
});

test("a byte belongs to the narrowest field that has it", () => {
  assert.deepEqual(pathAt([bth], 0), [0, 0]);
  assert.deepEqual(pathAt([bth], 1), [0, 1], "the first of several in the same byte");
  assert.deepEqual(pathAt([bth], 5), [0], "between two fields");
  assert.equal(pathAt([bth], 12), null);
});

test("a node as wide as its only child gives way to it", () => {
  assert.deepEqual(pathAt([node("list", 0, 4, [node("entry follows", 0, 4)])], 2), [0, 0]);
});

test("a field is at fault by its own fault or by marked bytes, a group only by its own", () => {
  assert.ok(isBad(node("PSN", 9, 12), [[10, 11]]));
  assert.ok(!isBad(node("OpCode", 0, 1), [[10, 11]]));
  assert.ok(!isBad(bth, [[10, 11]]));
  assert.ok(isBad(node("BTH", 0, 12, [], "too short"), []));
  assert.ok(!isBad(node("nothing", 10, 10), [[9, 12]]));
});

test("the exhibit that names the fault most closely is the most telling", () => {
  const exhibit = (nodes: Node[], bad: [number, number][]) => ({ title: "", f: 1, octets: "", length: 40, nodes, bad });
  const frame = exhibit([node("Payload", 0, 40)], [[4, 8]]);
  const message = exhibit([node("rdma_vers", 4, 8)], [[4, 8]]);
  assert.equal(mostSpecificExhibit([exhibit([bth], []), frame, message]), 2);
  assert.equal(mostSpecificExhibit([exhibit([bth], []), exhibit([], [[1, 2]])]), 1, "no field, but a fault");
  assert.equal(mostSpecificExhibit([exhibit([bth], []), exhibit([], [])]), -1);
});
