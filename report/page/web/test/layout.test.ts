import assert from "node:assert/strict";
import { test } from "node:test";
import { Layout } from "../src/layout";

const layoutOf = (...ids: string[]) => new Layout(ids.map((id) => ({ id })));
const ids = (l: Layout<{ id: string }>) => l.shown.map((c) => c.id).join("");

test("columns are shown, hidden, moved and resized, and an address has all of it", () => {
  const l = layoutOf("a", "b", "c", "d"), [a, b, c, d] = l.all as [{ id: string }, { id: string }, { id: string }, { id: string }];
  let changes = 0;
  l.onChange(() => changes++);
  assert.equal(l.text, "");
  assert.ok(l.move(d, 0));
  l.show(b, false);
  l.resize(c, 14.4);
  assert.deepEqual([l.text, changes], ["d,a,c:14", 3]);
  assert.deepEqual([l.move(b, 0), l.move(d, -1), l.move(d, 3), l.move(a, 1)], [false, false, false, false]);
  l.show(b, true); // behind a
  l.resize(a, 1);
  l.resize(d, 1e9);
  assert.equal(l.text, "d:200,a:3,b,c:14");
  const other = layoutOf("a", "b", "c", "d");
  other.restore(l.text);
  assert.equal(other.text, l.text);
  for (const c of [...l.all]) l.show(c, false);
  assert.equal(ids(l), "d"); // one is left
  l.restore("");
  assert.deepEqual([l.text, ids(l)], ["", "abcd"]);
});

test("columns that an address makes up are left out", () => {
  for (const [text, want] of [
    ["b,a", "b,a"], ["b,b:9,nosuch,constructor:3,a:0", "b,a:3"], ["nosuch", ""], [":,,:9,a:,b:x,c:-1", ""], ["c:9999,a:999", "a:200"], ["a,b,c,d", ""],
  ] as const) {
    const l = layoutOf("a", "b", "c", "d");
    l.restore(text);
    assert.equal(l.text, want, text);
  }
});
