import assert from "node:assert/strict";
import { test } from "node:test";
import { constants, deflateRawSync } from "node:zlib";
import { inflate } from "../src/inflate";

/** Texts like those of the page, and octets without any order. */
function samples(): Uint8Array[] {
  let seed = 1;
  const random = (n: number) => (seed = (seed * 48271) % 0x7fffffff) % n;
  const words = Array.from({ length: 40000 }, () => `{"f":${random(1000)},"x":"RDMA Write"}`).join(",");
  return [
    new Uint8Array(), Uint8Array.of(7), new TextEncoder().encode(words), new Uint8Array(300000).fill(65),
    Uint8Array.from({ length: 70000 }, () => random(256)), Uint8Array.from({ length: 50000 }, () => random(2) * random(256)),
  ];
}

test("what was packed comes back", () => {
  const { Z_FIXED, Z_HUFFMAN_ONLY, Z_DEFAULT_STRATEGY } = constants;
  for (const octets of samples()) {
    for (const strategy of [Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY]) {
      for (const level of [0, 1, 9]) {
        const packed = deflateRawSync(octets, { level, strategy });
        assert.deepEqual(Buffer.compare(inflate(packed), octets), 0, `${octets.length} octets, level ${level}, strategy ${strategy}`);
      }
    }
  }
});

test("what is damaged ends in an error or in other octets", () => {
  const packed = deflateRawSync(samples()[2]!.subarray(0, 3000));
  for (let n = 0; n < packed.length; n++) assert.throws(() => inflate(packed.subarray(0, n)), Error, `cut at ${n}`);
  for (let n = 0; n < 8 * packed.length; n++) {
    const hurt = Uint8Array.from(packed);
    hurt[n >> 3]! ^= 1 << (n & 7);
    try {
      assert.ok(inflate(hurt).length < 1 << 22);
    } catch (e) {
      assert.ok(e instanceof Error && !(e instanceof TypeError || e instanceof RangeError), String(e));
    }
  }
});
