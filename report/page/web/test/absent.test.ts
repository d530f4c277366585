import assert from "node:assert/strict";
import { test } from "node:test";
import { absentConnection, absentFinding, absentFrame, absentRPC } from "../src/absent";
import type { Meta } from "../src/model";

function meta(totals: Partial<Meta["totals"]>, files = ["a.pcap"]): Meta {
  return { files, totals: { rpcs: 10, rows: 10, evidence: 1, frames: 100, connections: 3, ...totals } } as Meta;
}

test("of an RPC it is said whether the capture lacks it, or may have it", () => {
  assert.deepEqual(absentRPC(meta({}), 0xab, 1, 0), { title: "RPC with XID 0x000000ab", text: "The capture has no RPC with this XID.", command: "" });
  assert.equal(absentRPC(meta({}), 0xab, 3, 1).text, "The capture has only 1 RPC with this XID.");
  const cut = absentRPC(meta({ rpcs: 2000 }), 0xab, 1, 0);
  assert.equal(cut.text, "The page has no RPC with this XID. It lists 10 of the 2,000 RPCs of the capture, which may have it.");
  assert.equal(cut.command, "rdmacap read -V -x -Y 'rpc.xid == 0x000000ab'");
});

test("of a frame it is said whether the capture ends before it", () => {
  assert.equal(absentFrame(meta({}), "101", 101, undefined).text, "The capture has 100 frames only.");
  assert.equal(absentFrame(meta({}), "100", 100, undefined).command, "rdmacap read --level frame -V -x -Y 'frame.number == 100'");
  assert.equal(absentFrame(meta({}, ["a", "b"]), "2.1", 1, 2).text, "The page covers 2 files, numbered from 0.");
  assert.equal(absentFrame(meta({}, ["a", "b"]), "1.500", 500, 1).command, "rdmacap read --level frame -V -x -Y 'frame.number == 500 and frame.file == 1'");
});

test("of a connection it is said whether there was no room, or is none", () => {
  assert.equal(absentConnection(meta({}), 4).text, "The capture has 3 connections.");
  assert.equal(absentConnection(meta({}), 3).command, "rdmacap stats --connection 3");
  assert.match(absentFinding(9, 8).text, /^The page has 8 findings\. /);
});
