import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorOf, parseAddress, writeAddress } from "../src/address";

test("an address has what it names, and behind it how the page is shown", () => {
  const said = { anchor: "rpc-0x03cdea83.2", state: new Map([["t", "13.5..15.25"], ["y", "rpc.latency > 1ms; # 100 %"], ["sort", "-latency"], ["cols", "name,latency:14"]]) };
  const hash = writeAddress(said);
  assert.equal(hash, "#rpc-0x03cdea83.2;t=13.5..15.25;y=rpc.latency%20%3E%201ms%3B%20%23%20100%20%25;sort=-latency;cols=name,latency:14");
  assert.deepEqual(parseAddress(hash), said);
  assert.equal(anchorOf(hash), "rpc-0x03cdea83.2");
  assert.equal(anchorOf("#finding-3"), "finding-3");
  assert.equal(anchorOf(""), "");
});

test("what a stranger wrote does no harm", () => {
  assert.deepEqual(parseAddress("#a;y=%E0%A4%A;=;;t;Q=1;t=1..2;__proto__=x").state, new Map([["t", "1..2"]]));
});
