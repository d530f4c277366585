import type { Key } from "./address";
import type { ByteString } from "./bytestring";
import { holds, type Operator, type Quantity } from "./operator";
import type { Regexp } from "./regexp";
import { inSpans, searchSpans, type Num, type Span } from "./span";

/** What filters are asked about: it gives to the values of a field of a row, or nothing. */
export interface Source {
  values(field: number, row: number, to: Values): void;
}

/** What is asked of text or bytes. */
export interface TextTest {
  op: Operator;
  value: ByteString;
  set?: ReadonlySet<ByteString>;
  regexp?: Regexp;
}

/** What is asked of one field. Which of numbers, addresses and text is there depends on its kind. */
export interface Test {
  field: number;
  quantity: Quantity;
  numbers?: readonly Span<Num>[];
  addresses?: readonly Span<Key>[];
  text?: TextTest;
}

/** Takes the values of one field of one row, and tests each of them. */
export class Values {
  private test!: Test;
  private passed = false;
  private failed = false;

  beginTest(test: Test): void {
    this.test = test;
    this.passed = this.failed = false;
  }

  number(v: Num): void {
    const list = this.test.numbers ?? [];
    this.record(list.length === 1 ? list[0]!.lo <= v && v <= list[0]!.hi : inSpans(list, v));
  }

  /** Takes all whole numbers from lo to hi, which doubles hold. */
  numbers(lo: number, hi: number): void {
    const spans = this.test.numbers ?? [];
    let next = lo; // the first that no span so far has
    let i = searchSpans(spans, lo);
    if (i < spans.length && spans[i]!.lo <= hi) this.record(true);
    for (; i < spans.length && spans[i]!.lo <= next && next <= hi; i++) next = Number(spans[i]!.hi) + 1;
    if (next <= hi) this.record(false);
  }

  address(k: Key): void {
    this.record(inSpans(this.test.addresses ?? [], k));
  }

  text(s: ByteString): void {
    const t = this.test.text;
    if (t?.op === "contains") this.record(s.includes(t.value));
    else if (t?.op === "matches") this.record(t.regexp!.test(s));
    else if (t?.op === "among") this.record(t.set!.has(s));
    else if (t) this.record(holds(t.op, s < t.value ? -1 : s > t.value ? 1 : 0));
    else this.record(false);
  }

  private record(pass: boolean): void {
    if (pass) this.passed = true;
    else this.failed = true;
  }

  /** Whether the test is true of the values that were given. */
  get holds(): boolean {
    switch (this.test.quantity) {
      case "some": return this.passed;
      case "every": return this.passed && !this.failed;
      case "none": return this.failed && !this.passed;
      case "someNot": return this.failed;
      case "present": return this.passed || this.failed;
    }
  }
}

/** A part of an expression. */
export type Tree =
  | { join: "and" | "or"; parts: Tree[] }
  | { join: "not"; part: Tree }
  | { join: "leaf"; test: Test };

/** A compiled expression. */
export class Filter {
  private readonly to = new Values();

  constructor(readonly expr: string, private readonly root: Tree) {}

  /** Whether the row is what the expression asks for. */
  match(source: Source, row: number): boolean {
    return this.eval(this.root, source, row);
  }

  private eval(t: Tree, source: Source, row: number): boolean {
    switch (t.join) {
      case "and":
        for (const p of t.parts) if (!this.eval(p, source, row)) return false;
        return true;
      case "or":
        for (const p of t.parts) if (this.eval(p, source, row)) return true;
        return false;
      case "not":
        return !this.eval(t.part, source, row);
      case "leaf":
        this.to.beginTest(t.test);
        source.values(t.test.field, row, this.to);
        return this.to.holds;
    }
  }
}
