import assert from "node:assert/strict";
import { test } from "node:test";
import { severityLabel, severityNumber, severityOf, severitySign } from "../src/severity";

const finding = (...classes: string[]) => ({ classList: { contains: (c: string) => classes.includes(c) } }) as unknown as Element;

test("numbers, signs and labels of severities agree", () => {
  assert.deepEqual([0, 1, 2, 3, 4].map(severityLabel), ["", "● note", "▲ warning", "✖ error", ""]);
  assert.deepEqual(["", "note", "warning", "error", "other"].map(severityNumber), [0, 1, 2, 3, 0]);
  assert.deepEqual(["error", "other"].map(severitySign), ["✖", ""]);
});

test("a finding has the severity that is one of its classes", () => {
  assert.equal(severityOf(finding("finding", "warning")), "warning");
  assert.equal(severityOf(finding("finding")), "");
});
