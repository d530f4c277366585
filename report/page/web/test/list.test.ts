import assert from "node:assert/strict";
import { test } from "node:test";
import { FilterError } from "../src/filter/error";
import { compile } from "../src/filter/parse";
import type { Meta, RowsModel } from "../src/model";
import { filterRows, ranksOf, sortRows } from "../src/order";
import { rowsForClues } from "../src/rpclinks";
import { Rows } from "../src/rows";
import { Scroll } from "../src/scroll";
import { fieldsOf, RowSource } from "../src/source";
import { count, plain } from "../src/text";

const meta: Meta = {
  title: "t", version: "v", made: "2026-01-01T00:00:00Z", findings: [7, 2], files: ["a.pcap"], start: "1769871845250000000",
  names: ["", "READ", "WRITE", "AUTH_SYS"], sets: [[], [25], [22, 25]],
  fields: [
    { name: "nfs.op", kind: "enum", column: "ops", cell: "set", values: [["READ", 25], ["PUTFH", 22], ["big", "18446744073709551615"]] },
    { name: "rpc.latency", kind: "duration", column: "latency", none: -1 },
    { name: "rpc.xid", kind: "uint", column: "xid" },
    { name: "name", kind: "string", column: "name", cell: "name", none: 0 },
    { name: "detail", kind: "string", column: "detail" },
    { name: "frame.time", kind: "time", column: "start" },
    { name: "ip.addr", kind: "address", column: "connection.addresses" },
    { name: "port", kind: "uint", column: "connection.ports" },
    { name: "frame.number", kind: "uint", column: "frame.number", cell: "runs" },
    { name: "nfs.offset", kind: "uint", column: "nfs.offset", cell: "list" },
    { name: "nfs.count", kind: "uint", column: "nfs.count", cell: "list" },
    { name: "nfs.name", kind: "string", column: "nfs.name", cell: "text" },
    { name: "nfs.fh", kind: "octets", column: "nfs.fh", cell: "text" },
    { name: "nfs.fh.hash", kind: "uint", column: "nfs.fh", cell: "hash" },
  ],
  elsewhere: [{ level: "", names: ["nfs4.", "rdma.offset"] }, { level: "frame", names: ["bth."] }],
  connections: [
    { id: 1, transport: "RoCEv2", client: "192.0.2.2", server: "2001:db8::1", client_port: 700, server_port: 20049, first: 0, last: 1, setup: "cm", closing: "open" },
    { id: 4, transport: "iWARP", client: "192.0.2.9", server: "192.0.2.1", client_port: 701, server_port: 20049, first: 0, last: 1, setup: "cm", closing: "open" },
  ],
  totals: { rpcs: 5, rows: 5, evidence: 0, frames: 9, connections: 2 }, max_size: 1, command: "rdmacap read a.pcap",
};

function rowsOf(): Rows {
  const rows = new Rows(meta);
  const blocks: [RowsModel, number, number][] = [
    [{ columns: { connection: 1, xid: [7, 8, 7], start: [100, -40, 1000], frame: [7, 3, -10], reply_frame: [2, -10, 0], latency: [5e6, -1, 20e6], ops: [1, 2, 0], name: [1, 2, 0], detail: ["a→b", "c", ""] },
      lists: {
        "frame.number": { n: [4, 2, 2], d: [2, 1, 2, 0, 5, 4, -10, 0] },
        "nfs.offset": { n: [1, 0, 3], d: ["18446744073709551615", 1, "-9223372036854775808", -5] },
        "nfs.count": { n: [0, 2, 0], v: [4096, "18446744073709551615"] },
        "nfs.name": { n: [1, 1, 0], v: [0, 2] },
        "nfs.fh": { n: 1, v: [3, 1, 3] },
      },
      texts: ["a \"b\"", ["00ff0a"], ["67c3bc6e"], "123456789"] }, 0, 3],
    [{ columns: { connection: 4, xid: [7, 9], start: [1000000000, 0], frame: 20, reply_frame: 1, latency: -1, ops: 1, name: 1, detail: "same" },
      lists: { "nfs.name": { n: [0, 2], v: [4, 0] }, "frame.number": { n: 2, d: [70, 0, 1, 0] } }, texts: ["new"] }, 3, 2],
  ];
  for (const [block, first, n] of blocks) rows.addBlock(block, first, n);
  return rows;
}

test("rows are what their blocks say", () => {
  const rows = rowsOf();
  assert.equal(rows.length, 5);
  assert.deepEqual([...rows.numbers("start")], [100, 60, 1060, 1000001060, 1000001060]);
  assert.deepEqual([...rows.numbers("frame")], [7, 10, 0, 20, 40]);
  assert.deepEqual([...rows.numbers("reply_frame")], [9, 0, 0, 21, 41]);
  assert.deepEqual([...rows.numbers("latency")], [5e6, -1, 20e6, -1, -1]);
  assert.deepEqual(rows.text("detail"), ["a→b", "c", "", "same", "same"]);
  assert.equal(rows.named("name", 1), "WRITE");
  assert.equal(rows.numbers("file")[1], 0);
  assert.deepEqual([rows.hasColumn("xid"), rows.hasColumn("file")], [true, false]);
  assert.equal(rows.connection(4)?.transport, "iWARP");
});

test("the second RPC with an XID has a link of its own", () => {
  const rows = rowsOf();
  assert.deepEqual([0, 1, 2, 3].map((row) => rows.link(row)), ["rpc-0x00000007", "rpc-0x00000008", "rpc-0x00000007.2", "rpc-0x00000007.3"]);
  assert.deepEqual([1, 2, 3, 4].map((nth) => rows.findXID(7, nth)), [0, 2, 3, undefined]);
});

test("of several RPCs with an XID a finding means that of its connection, and of its frame", () => {
  const rows = new Rows(meta);
  // Calls in frames 3, 10, 20, none and 40, replies in 5, 15, 25, 50 and none.
  rows.addBlock({ columns: {
    connection: [4, 1, 1, 1, 4], xid: [7, 7, 7, 7, 8], start: 0, frame: [3, 7, 10, -20, 40], reply_frame: [2, 5, 5, 50, -40],
  } }, 0, 5);
  const at = (frame: number, connection = 1, file = 0) => rowsForClues(rows, [{ xid: 7, connection, frame, file }])[0];
  assert.deepEqual([10, 15, 20, 25, 50].map((frame) => at(frame)?.row), [1, 1, 2, 2, 3]);
  assert.deepEqual(at(12), { row: 1, nth: 2 });
  assert.deepEqual(at(22), { row: 2, nth: 3 });
  assert.deepEqual(at(9), { row: 1, nth: 2 });
  assert.deepEqual(at(25, 4), { row: 0, nth: 1 });
  assert.deepEqual(at(10, 2), { row: -1, nth: 0 });
  assert.deepEqual(at(20, 1, 1), { row: 1, nth: 2 });
});

test("filters ask rows", () => {
  const rows = rowsOf(), set = fieldsOf(meta), source = new RowSource(meta, rows);
  for (const [expr, want] of [
    ["nfs.op == READ", [0, 1, 3, 4]], ["all nfs.op == READ", [0, 3, 4]], ["nfs.op != READ", []], ["not nfs.op", [2]], ["nfs.op == big", []],
    ["rpc.latency", [0, 2]], ["rpc.latency > 10ms", [2]], ["rpc.xid in {8..9}", [1, 4]],
    ["name", [0, 1, 3, 4]], ["name == 'READ'", [0, 3, 4]], ["detail contains '→'", [0]], ["detail matches '^(s|C)'", [1, 3, 4]],
    ["frame.time == '2026-01-31 15:04:05.2500001'", [0]], ["frame.time > '2026-01-31 15:04:06'", [3, 4]], ["frame.time < '2026-01-31 15:04:05.25'", []],
    ["ip.addr == 192.0.2.0/24", [0, 1, 2, 3, 4]], ["ip.addr == 2001:db8::/32", [0, 1, 2]], ["port == 701", [3, 4]],
    ["nfs.offset", [0, 2]], ["nfs.offset == 0", [2]], ["nfs.offset >= 18446744073709551615", [0]], ["nfs.offset in {9223372036854775803}", [2]],
    ["nfs.offset == 9223372036854775808", [2]], ["nfs.offset != 0", [0]], ["all nfs.offset > 0", [0]], ["nfs.count > 4095", [1]], ["not nfs.count", [0, 2, 3, 4]],
    ["nfs.count == 18446744073709551615", [1]], ["nfs.count === 4096", []], ["nfs.count !== 4096", [1]],
    ["frame.number == 2", [0]], ["frame.number == 4", [2]], ["frame.number == 6", []], ["frame.number == 5", [0]], ["frame.number in {4, 12..14}", [1, 2]], ["frame.number <= 3", [0]],
    ["frame.number in {3..4, 10..14}", [0, 1, 2]], ["all frame.number in {10..12, 13..14}", [1]], ["all frame.number in {10..12, 14}", []], ["frame.number != 11", [0, 2, 3, 4]],
    ["any frame.number != 3", [0, 1, 2, 3, 4]], ["frame.number === 4", [2]], ["frame.number > 69", [3, 4]], ["frame.number == 71", [4]],
    ["nfs.name == 'gün'", [1]], ["nfs.name matches '^a'", [0, 4]], ["nfs.name == 'new'", [4]], ["nfs.name contains '\"'", [0, 4]], ["nfs.name < 'b'", [0, 4]], ["all nfs.name < 'b'", [0]],
    ["nfs.fh == 00:ff:0a", [1]], ["nfs.fh contains 33:34", [0, 2]], ["nfs.fh", [0, 1, 2]], ["nfs.fh.hash == 0xcbf43926", [0, 2]], ["nfs.fh.hash != 0xcbf43926", [1]],
  ] as const) {
    const f = compile(set, expr);
    assert.deepEqual([...filterRows(sortRows(5, undefined, false), (row) => f.match(source, row))], want, expr);
  }
});

test("fields that only the program has are said to be there", () => {
  const set = fieldsOf(meta);
  for (const [expr, command] of [
    ["nfs4.fattr4.size > 1", "-Y 'nfs4.fattr4.size > 1'"], [" RDMA.offset == 5 ", "-Y 'RDMA.offset == 5'"],
    ["bth.psn == 5 and name contains 'a→'", "--level frame -Y 'bth.psn == 5 and name contains '\\''a→'\\'''"],
  ] as const) {
    assert.throws(() => compile(set, expr), (e) => e instanceof FilterError && e.text.endsWith(`\nnot in this page; to see it: rdmacap read a.pcap ${command}`));
  }
  assert.throws(() => compile(set, "nosuch.field"), (e) => e instanceof FilterError && e.hint === "");
});

test("rows are sorted by their keys, and stay in order where they are the same", () => {
  assert.deepEqual([...sortRows(4, undefined, true)], [3, 2, 1, 0]);
  assert.deepEqual([...sortRows(4, [2, 1, 2, 0], false)], [3, 1, 0, 2]);
  assert.deepEqual([...sortRows(4, [2, 1, 2, 0], true)], [0, 2, 1, 3]);
  assert.deepEqual([...sortRows(3, ["b", "a", "b"], false)], [1, 0, 2]);
  assert.deepEqual([...ranksOf(["b", "", "b", "a"])], [2, 0, 2, 1]);
});

test("all rows can be reached, however many there are", () => {
  for (const n of [0, 1, 10, 1000, 1_000_000, 5_000_000]) {
    const s = new Scroll(n, 24, 480);
    assert.ok(s.height <= 8e6);
    const last = Math.max(0, s.height - s.view);
    for (const index of [0, 1, n >> 1, n - 2, n - 1].filter((i) => i >= 0 && i < n)) {
      for (const top of [0, last / 3, last]) {
        const to = Math.min(last, Math.max(0, s.reveal(index, top)));
        const { first, count } = s.inSight(to);
        assert.ok(first <= index && index < first + count, `${index} of ${n} from ${top}: ${first}, ${count}`);
        const y = s.place(index, to) - to;
        assert.ok(n <= 20 || y > -1e-3 && y <= s.view - s.row + 1e-3, `${index} of ${n} is at ${y}`);
      }
    }
    assert.equal(s.inSight(last).first + s.inSight(last).count, n, `the last of ${n}`);
  }
});

test("what nobody would see is shown", () => {
  assert.equal(plain("a\tb\n\r\u0000\u202e\u{e0041}é→"), "a\\tb\\n\\r\\x00\\u202e\\U000e0041é→");
  assert.equal(count(1, "RPC") + count(1234567, "RPC"), "1 RPC1,234,567 RPCs");
});
