import assert from "node:assert/strict";
import { test } from "node:test";
import type { Phase } from "../src/model";
import { lettersOf, percent } from "../src/phases-share";

test("parts of the latency that took time have letters, others have none", () => {
  const phases: Phase[] = [
    ["credit_wait", "All credits in use", 50, 0], ["call", "Until acknowledged", -1, 1], ["server", "In the responder", 7, 1],
    ["reply", "The reply", 3, 0], ["unattributed", "Not told apart", 5, 1],
  ];
  assert.deepEqual(lettersOf(phases), ["", "", "A", "", "B"]);
});

test("no part of some is told as none or as all", () => {
  assert.deepEqual([1, 0.99999, 0.999, 0.5, 0.0005, 0.00001].map(percent), ["100 %", "over 99.9 %", "99.9 %", "50.0 %", "0.1 %", "under 0.1 %"]);
});
