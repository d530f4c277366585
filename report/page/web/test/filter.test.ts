import assert from "node:assert/strict";
import { test } from "node:test";
import type { FieldModel } from "../src/model";
import { parseAddress } from "../src/filter/address";
import { completions } from "../src/filter/complete";
import { FilterError } from "../src/filter/error";
import { Field, FieldSet } from "../src/filter/field";
import type { Source } from "../src/filter/match";
import { encode } from "../src/filter/bytestring";
import { compile } from "../src/filter/parse";
import { num } from "../src/filter/span";
import vectors from "./filter.json";

// What Go's package filter does: go test ./filter -run Vectors -update writes it.
const models = vectors.fields as Pick<FieldModel, "name" | "kind" | "values">[];
const set = new FieldSet(models.map((m) => new Field(m)));
const records = vectors.records as Record<string, string[] | undefined>[];

const source: Source = {
  values(field, row, to) {
    const f = set.fields[field]!;
    for (const v of records[row]![f.name] ?? []) {
      if (f.kind === "string") to.text(encode(v));
      else if (f.kind === "octets") to.text(v.replace(/../g, (d) => String.fromCharCode(parseInt(d, 16))));
      else if (f.kind === "address") to.address(parseAddress(v)!);
      else to.number(num(BigInt(v)));
    }
  },
};

test("expressions keep the records that they keep in Go", () => {
  for (const { expr, keep } of vectors.kept) {
    let kept = "";
    try {
      const f = compile(set, expr);
      kept = records.map((_, row) => f.match(source, row) ? "1" : "0").join("");
    } catch (e) {
      if (!(e instanceof FilterError)) throw e;
      kept = e.text;
    }
    assert.equal(kept, keep, expr);
  }
});

test("runs of numbers are the same as each number", () => {
  const one = new FieldSet([new Field({ name: "n", kind: "uint" })]);
  const exprs = ["n", "not n", "n in {0, 2..3, 4, 7..8}", "all n in {2..4, 5..6}", "n not in {3..5}", "all n in {1, 3, 5..18446744073709551615}"];
  for (const op of ["==", "!=", "===", "!==", "<", "<=", ">", ">="]) for (const v of [0, 4, 9]) exprs.push(`n ${op} ${v}`, `any n ${op} ${v}`, `all n ${op} ${v}`);
  const runs = Array.from({ length: 100 }, (_, i) => ({ lo: i % 10, hi: Math.trunc(i / 10) })).filter(({ lo, hi }) => lo <= hi);
  const each: Source = { values: (_, row, to) => { for (let v = runs[row]!.lo; v <= runs[row]!.hi; v++) to.number(v); } };
  const whole: Source = { values: (_, row, to) => to.numbers(runs[row]!.lo, runs[row]!.hi) };
  for (const expr of exprs) {
    const f = compile(one, expr);
    runs.forEach(({ lo, hi }, row) => assert.equal(f.match(whole, row), f.match(each, row), `${expr}: ${lo}..${hi}`));
  }
});

test("errors are those of Go, in the same place", () => {
  for (const want of vectors.wrong) {
    let got: unknown;
    try {
      compile(set, want.expr);
    } catch (e) {
      if (!(e instanceof FilterError)) throw e;
      got = { expr: want.expr, offset: e.offset, length: e.length, text: e.text };
    }
    assert.deepEqual(got, want, want.expr);
  }
});

test("beginnings are completed as in Go", () => {
  for (const { begin, texts } of vectors.completed) {
    assert.deepEqual(completions(set, begin).map((c) => c.text), texts, begin);
  }
});

test("expressions as long as may be, and longer, are read", () => {
  assert.throws(() => compile(set, "é".repeat(1 << 20)), /more than 65536 bytes/);
  assert.throws(() => compile(set, "(".repeat(60000)), /nested deeper than 200/);
  compile(set, "rdma.xid or ".repeat(5000) + "rdma.xid");
});

test("no regular expression takes long", () => {
  const rows: Source = { values: (_field, _row, to) => to.text("a".repeat(5000)) };
  for (const re of ["(a*)*b", "(a|a)*b", "(a+)+$b", ".*.*.*b", "a{0,500}b"]) {
    const started = performance.now();
    assert.equal(compile(set, `nfs.name matches "${re}"`).match(rows, 0), false, re);
    assert.ok(performance.now() - started < 2000, `${re} took ${performance.now() - started} ms`);
  }
});
