import assert from "node:assert/strict";
import { test } from "node:test";
import { bandsOf, groupsOf } from "../src/picture/flags";
import { decades, decadeWords, lanesOf, stackConnections, ticks } from "../src/picture/lanes";
import { creditsIn, CallOutcome, firstAt, openSince, sumIn, type Found, type Model } from "../src/picture/model";
import { rowsOf } from "../src/picture/table";
import { callWords, wordsAt } from "../src/picture/readout";

function found(number: number, severity: string, first: number, stretches: [number, number][] = []): Found {
  return { number, rule: "SYM-001", title: "Stall", severity, first, last: first, stretches };
}

function connection(id: number, first: number, last: number): Model["connections"][number] {
  return { id, transport: "RoCEv2", client: "a", server: "b", client_port: 1, server_port: 2, first, last, setup: "cm", closing: "open" };
}

function model(more: Partial<Model> = {}): Model {
  return {
    range: [0, 1000], connections: [connection(1, 0, 400), connection(2, 100, 300), connection(3, 500, 900)], allConnections: 3, findings: [],
    calls: { row: Int32Array.of(4, 5, 6), at: Float64Array.of(100, 200, 700), latency: Float64Array.of(450, -1, 30), fate: Uint8Array.of(CallOutcome.Answered, CallOutcome.NoReply, CallOutcome.Failed) },
    longest: 450,
    bins: { from: 100, width: 100, n: 3 }, bytes: { toServer: [1, 0, 5], toClient: [0, 7, 0] },
    counts: [{ title: "NAKs", noun: ["NAK", "NAKs"], values: [0, 2, 1], abnormal: true }],
    credits: [
      { from: 100, width: 100, granted: [8, 8, 8], used: [1, 8, 2] },
      { from: 0, width: 400, granted: [64], used: [60] },
    ],
    ...more,
  };
}

test("flags that would cover each other are one, the worst first", () => {
  const groups = groupsOf([found(1, "note", 10), found(2, "error", 15), found(3, "warning", 90)], (at) => at, 20);
  assert.deepEqual(groups.map((g) => [g.x, g.found.map((f) => f.number)]), [[10, [2, 1]], [90, [3]]]);
});

test("bars of stretches that overlap stand below each other", () => {
  const { bands, rows } = bandsOf([found(1, "warning", 0, [[10, 50], [60, 90]]), found(2, "note", 0, [[5, 100]])]);
  assert.deepEqual(bands.map((b) => [b.found.number, b.from, b.row]), [[2, 5, 0], [1, 10, 1], [1, 60, 1]]);
  assert.equal(rows, 2);
});

test("connections that are there at the same time have rows of their own", () => {
  const { rows, count } = stackConnections(model());
  assert.deepEqual([...rows], [0, 1, 0]);
  assert.equal(count, 2);
});

test("lanes stand one below the other, and there is none of what was not seen", () => {
  const { lanes, height } = lanesOf(model(), stackConnections(model()), 40);
  assert.deepEqual(lanes.map((l) => l.kind), ["connections", "latency", "bytes", "credits", "counts"]);
  lanes.forEach((l, i) => assert.ok(l.top >= (i === 0 ? 40 : lanes[i - 1]!.top + lanes[i - 1]!.height), l.kind));
  assert.ok(height > lanes[4]!.top + lanes[4]!.height);
  assert.equal(lanes[4]!.scale, "3 in all");
  const none = lanesOf(model({ counts: [], credits: [], bins: { from: 0, width: 1, n: 0 }, bytes: { toServer: [], toClient: [] } }), stackConnections(model()), 0).lanes;
  assert.deepEqual(none.map((l) => l.kind), ["connections", "latency"]);
});

test("the axis of latencies reaches from power to power", () => {
  assert.deepEqual(decades(model()), [1, 3]);
  assert.deepEqual([2, 3, 7, 9, 11].map(decadeWords), ["100 ns", "1 µs", "10 ms", "1 s", "100 s"]);
});

test("the axis of time has round numbers", () => {
  assert.deepEqual(ticks([3, 47], 5), [10, 20, 30, 40]);
  assert.deepEqual(ticks([0, 10], 5), [0, 2, 4, 6, 8, 10]);
});

test("counts of a stretch are those of the bins that begin in it", () => {
  const m = model();
  assert.equal(sumIn(m, m.bytes.toServer, [0, 1000]), 6);
  assert.equal(sumIn(m, m.bytes.toServer, [150, 350]), 5);
  assert.equal(sumIn(m, m.bytes.toServer, [100, 200]) + sumIn(m, m.bytes.toServer, [200, 1000]), 6);
});

test("credits are those of the connection that had the fewest left", () => {
  assert.deepEqual(creditsIn(model(), 100, 110), { granted: 64, used: 60 });
  assert.deepEqual(creditsIn(model(), 210, 210), { granted: 8, used: 8 });
  assert.equal(creditsIn(model(), 900, 950), undefined);
});

test("calls that began earlier may be open", () => {
  assert.equal(firstAt([1, 5, 5, 9], 5), 1);
  assert.equal(openSince(model(), 560), 1);
  assert.equal(openSince(model(), 540), 0);
});

test("what was counted at a time is said", () => {
  assert.equal(wordsAt(model(), 250), "0 B/s to server, 70.0 MB/s to client; 8 of 8 credits used; 2 NAKs in 100 ns");
  assert.equal(wordsAt(model(), 950), "");
  const rows = { named: (c: string) => (c === "name" ? "NFS4 READ" : ""), xid: () => "0x00000001" } as never;
  assert.equal(callWords(model(), rows, 1), "NFS4 READ 0x00000001, no reply in the capture");
  assert.equal(callWords(model(), rows, 2), "NFS4 READ 0x00000001, 30 ns");
});

test("rows of the table are of whole bins, and none is shorter than one", () => {
  const bins = { from: 100, width: 100, n: 1000 };
  const at = (from: number, to: number) => rowsOf(model({ bins }), [from, to]);
  assert.deepEqual(at(100, 100100), { rows: 59, from: 100, step: 1700 });
  assert.deepEqual(at(450, 720), { rows: 4, from: 400, step: 100 });
  assert.deepEqual(at(450, 460), { rows: 1, from: 400, step: 100 });
  assert.deepEqual(rowsOf(model({ bins: { from: 0, width: 1, n: 0 } }), [0, 120]), { rows: 60, from: 0, step: 2 });
});

test("a lane is there only of what was seen, and says how many connections the page does not name", () => {
  const lanes = (more: Partial<Model>) => lanesOf(model(more), stackConnections(model(more)), 0).lanes;
  assert.deepEqual(lanes({ bytes: { toServer: [0, 0, 0], toClient: [0, 0, 0] }, credits: [] }).map((l) => l.kind), ["connections", "latency", "counts"]);
  assert.equal(lanes({ allConnections: 32000 })[0]!.title, "3 of 32,000 connections");
});
