import assert from "node:assert/strict";
import { test } from "node:test";
import type { FieldModel } from "../src/model";
import { parseAddress } from "../src/filter/address";
import { FilterError } from "../src/filter/error";
import { Field, FieldSet } from "../src/filter/field";
import type { Source } from "../src/filter/match";
import { encode } from "../src/filter/octets";
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
