import assert from "node:assert/strict";
import { test } from "node:test";
import { factsOfTwo, differenceWords, partsOf, ratioOf } from "../src/compare-model";
import type { Meta, Phase } from "../src/model";
import { parseRPCLink } from "../src/rpclinks";
import { Rows } from "../src/rows";
import { typicalOf, typicalWords } from "../src/typical";

const success = 3, failed = 4, read = 1, write = 2;

/** An RPC with what the choice depends on; what is not said is that of a READ that went well. */
interface Call {
  name?: number;
  reverse?: number;
  status?: number;
  complete?: number;
  severity?: number;
  evidence?: number;
  /** In milliseconds; -1 if there is no reply. */
  ms?: number;
  moved?: number;
  /** Bytes of the data, as the reply says: those moved if it is not said. */
  sent?: number;
  program?: number;
}

function pageOf(calls: Call[]): { rows: Rows; meta: Meta } {
  const column = (of: (c: Call) => number) => calls.map(of);
  const meta: Meta = {
    title: "t", version: "v", made: "2026-01-01T00:00:00Z", findings: [], files: ["a.pcap"], start: "0", names: ["", "NFS3 READ", "NFS3 WRITE", "NFS3_OK", "NFS3ERR_IO"], fields: [],
    connections: [{ id: 1, transport: "RoCEv2", client: "192.0.2.2", server: "192.0.2.1", client_port: 700, server_port: 20049, first: 0, last: 1, setup: "cm", closing: "open" }],
    totals: { rpcs: calls.length, rows: calls.length, evidence: 0, frames: 9, connections: 1 }, max_size: 1, command: "rdmacap read a.pcap",
  };
  const rows = new Rows(meta);
  rows.addBlock({ columns: {
    connection: 1, xid: calls.map((_, i) => 0x10 + i), start: 1_000_000, frame: 10, reply_frame: 1, call_length: 104, program: column((c) => c.program ?? 100003), reply_length: column((c) => ((c.ms ?? 1) < 0 ? -1 : 200 + (c.sent ?? c.moved ?? 4096))),
    call_transfer: 1, reply_transfer: 2, read_bytes: 0, write_bytes: column((c) => c.moved ?? 4096), latency: column((c) => ((c.ms ?? 1) < 0 ? -1 : (c.ms ?? 1) * 1e6)),
    name: column((c) => c.name ?? read), reverse: column((c) => c.reverse ?? 0), status: column((c) => c.status ?? success), complete: column((c) => c.complete ?? 1),
    severity: column((c) => c.severity ?? 0), evidence: column((c) => c.evidence ?? 1), detail: "d",
  } }, 0, calls.length);
  return { rows, meta };
}

test("the typical one has the lower median of those of its kind that went well", () => {
  const slow: Call = { ms: 900, severity: 2, complete: 0, moved: 0, sent: 4096 };
  const typical = typicalOf(pageOf([slow, { ms: 40 }, { ms: 10 }, { ms: 20 }, { ms: 30, severity: 1 }]), 0);
  assert.deepEqual(typical, { row: 3, count: 4, median: 20e6, exact: true, similarSize: true });
  assert.equal(typicalWords(typical, "NFS3 READ 0x13", "NFS3 READ"),
    "NFS3 READ 0x13 is typical: it has the lower median of the 4 other NFS3 READ calls of a similar size that are complete in the capture and succeeded without a warning or an error, 20.0 ms.");
});

test("what is of another kind or did not go well is not typical", () => {
  for (const other of [{ name: write }, { reverse: 1 }, { ms: -1 }, { status: failed }, { complete: 0 }, { severity: 2 }, { severity: 3 }] satisfies Call[]) {
    assert.equal(typicalOf(pageOf([{ ms: 900 }, other]), 0), undefined, JSON.stringify(other));
    assert.deepEqual(typicalOf(pageOf([{ ms: 900 }, other, { ms: 7 }]), 0)?.row, 2, JSON.stringify(other));
  }
  assert.equal(typicalOf(pageOf([{ ms: 900, program: -1 }, { ms: 7, program: -1 }]), 0), undefined, "what is not decoded is of no kind");
});

test("those of another size count only where none is of a similar one, and nothing is said of a size that is not known", () => {
  const sizes = (...moved: number[]) => typicalOf(pageOf([{ moved: 252928, sent: 262144 }, ...moved.map((m) => ({ moved: m }))]), 0);
  assert.deepEqual([sizes(131072, 262144)?.row, sizes(131072, 262144)?.count], [2, 1]);
  assert.deepEqual([sizes(65536, 0)?.row, sizes(65536, 0)?.similarSize], [1, false]);
  assert.equal(typicalWords(sizes(65536)!, "NFS3 READ 0x11", "NFS3 READ"),
    "NFS3 READ 0x11 is the only other NFS3 READ call that is complete in the capture and succeeded without a warning or an error: too few to say what is typical. None is of a similar size.");
  const unknown = typicalOf(pageOf([{ ms: -1 }, { moved: 1 }, { moved: 100000 }]), 0)!;
  assert.deepEqual([unknown.count, unknown.similarSize], [2, undefined]);
  assert.equal(typicalWords(unknown, "NFS3 READ 0x11", "NFS3 READ"),
    "NFS3 READ 0x11 is the faster of 2 other NFS3 READ calls that are complete in the capture and succeeded without a warning or an error: too few to say what is typical.");
});

test("one with a ladder is shown instead of the median, and that is said", () => {
  const calls: Call[] = [{ ms: 900 }, ...[1, 2, 3, 4, 5].map((ms) => ({ ms, evidence: ms === 1 || ms === 4 ? 1 : 0 }))];
  const typical = typicalOf(pageOf(calls), 0);
  assert.deepEqual(typical, { row: 4, count: 5, median: 3e6, exact: false, similarSize: true });
  assert.match(typicalWords(typical, "x", "NFS3 READ"), /^x is typical: it is that with a ladder in the page next to the median of the 5 other NFS3 READ calls of a similar size .*, 3\.00 ms\.$/);
  assert.deepEqual(typicalOf(pageOf(calls.map((c) => ({ ...c, evidence: 0 }))), 0), { row: 3, count: 5, median: 3e6, exact: true, similarSize: true });
});

test("how many times as long one took is told of the longer one", () => {
  assert.deepEqual([ratioOf(4616667000, 57084000), ratioOf(1e6, 2.5e6), ratioOf(228e6, 1e6), ratioOf(12345e6, 1e6)].map((r) => [r.longer, r.words]),
    [[0, "80.9 times as long"], [1, "2.50 times as long"], [0, "228 times as long"], [0, "12,345 times as long"]]);
  assert.deepEqual([ratioOf(100, 104), ratioOf(0, 0)].map((r) => r.words), ["about as long", "about as long"]);
  assert.deepEqual([ratioOf(-1, 5), ratioOf(5, -1), ratioOf(0, 5)].map((r) => r.words), ["", "", ""]);
});

test("lines that differ say in what, others nothing", () => {
  const { rows } = pageOf([{ ms: 80, moved: 4000 }, { ms: 10, status: failed }, { ms: -1 }]);
  const differs = (a: number, b: number) => Object.fromEntries(factsOfTwo(rows, [a, b]).filter((f) => f.differs).map((f) => [f.title, f.differs]));
  assert.deepEqual(differs(0, 1), {
    Status: "differs", Latency: "first: 8.00 times as long", Reply: "first: 96 bytes less", "Moved by RDMA Writes": "first: 96 bytes less",
  });
  assert.deepEqual([differs(1, 2)["Latency"], differs(1, 2)["Reply"]], ["differs", "differs"]);
  assert.deepEqual(differs(0, 0), {});
  assert.deepEqual(factsOfTwo(rows, [0, 2]).find((f) => f.title === "Reply")?.values, ["4200 bytes", "–"]);
});

test("the parts of both stand in one order, and what is not known is not told as nothing", () => {
  const first: Phase[] = [["call", "Call", 5, 1], ["server", "Server", 7, 1], ["unattributed", "Rest", 1, 1]];
  const second: Phase[] = [["call", "Call", -1, 1], ["server", "Server", 9, 1], ["retransmission", "Again", 4, 1], ["unattributed", "Rest", 1, 1]];
  const parts = partsOf(first, second);
  assert.deepEqual(parts.map((p) => [p.word, ...p.ns]), [["call", 5, -1], ["server", 7, 9], ["retransmission", 0, 4], ["unattributed", 1, 1]]);
  assert.deepEqual(parts.map((p) => differenceWords(p.ns)), ["", "2 ns less", "4 ns less", "the same"]);
  assert.deepEqual(partsOf(first, undefined).map((p) => p.ns), [[5, -1], [7, -1], [1, -1]]);
  assert.deepEqual(partsOf(undefined, second).map((p) => p.ns[0]), [-1, -1, -1, -1]);
  assert.deepEqual(partsOf(undefined, undefined), []);
});

test("a link names as many RPCs as its word says", () => {
  assert.deepEqual(parseRPCLink("rpc", "rpc-0x3a2b1c00.2"), [[0x3a2b1c00, 2]]);
  assert.deepEqual(parseRPCLink("compare", "compare-0x03cdea83-0xF4CCEA83.12"), [[0x03cdea83, 1], [0xf4ccea83, 12]]);
  for (const id of ["compare-0x1", "compare-0x1-0x2-0x3", "compare-0x1-0x2.0", "compare-0x1-x", "rpc-0x1-0x2", ""]) assert.deepEqual(parseRPCLink("compare", id), [], id);
  for (const id of ["rpc-0x1-0x2", "rpc-0x123456789", "rpc-", "rpcs", "compare-0x1"]) assert.deepEqual(parseRPCLink("rpc", id), [], id);
});
