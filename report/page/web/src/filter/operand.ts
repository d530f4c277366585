import { addressSpans } from "./address";
import type { FilterError } from "./error";
import type { Field } from "./field";
import { address, addressRange, numbers, text } from "./literal";
import type { Test } from "./match";
import { quote, type ByteString } from "./bytestring";
import type { Operator } from "./operator";
import { PatternError, Regexp } from "./regexp";
import { mergeSpans, num, numberSpans, type Num, type Span } from "./span";
import { shorten, Token } from "./token";

/** The error of an operator that the field's kind does not have. */
export function operatorError(f: Field, op: Operator, asked: Token): FilterError | undefined {
  const text = f.kind === "string" || f.kind === "enum";
  if (op === "contains" && !text && f.kind !== "octets") {
    return asked.failed(`contains is for text and bytes; ${f.name} takes ${f.takes}`, "for example " + f.sample);
  }
  if (op === "matches" && f.kind === "octets") {
    return asked.failed(`matches is for text; ${f.name} takes bytes`, `for example ${f.name} contains 00:1f`);
  }
  if (op === "matches" && !text) {
    return asked.failed(`matches is for text; ${f.name} takes ${f.takes}`, "for example " + f.sample);
  }
  if (f.kind === "bool" && ["less", "lessEqual", "greater", "greaterEqual"].includes(op)) {
    return asked.failed(f.name + " is true or false, and has no order", `write ${f.name} or not ${f.name}`);
  }
  return undefined;
}

/** What a test requires of the values: everything except the field and the quantity. */
export type Condition = Omit<Test, "field" | "quantity">;

/** What a comparison with one value asks. */
export function compare(f: Field, op: Operator, value: Token): Condition {
  if (f.kind === "string" || f.kind === "octets") return compareText(f, op, value);
  if (f.kind === "address") {
    const s = address(f, value);
    if (s.lo !== s.hi && op !== "equal") {
      throw value.failed("a prefix has no order", "write == or !=, or the first or last address of the prefix");
    }
    return { addresses: addressSpans(op, s) };
  }
  const named = op === "contains" || op === "matches";
  const keys = named ? enumValuesLike(f, op, value) : numbers(f, value);
  if (keys.length > 1 && op !== "equal" && !named) {
    throw value.failed(value.shown + " names several numbers, which have no order", "write the number");
  }
  const [first, last] = bounds(f);
  return { numbers: mergeSpans(keys.flatMap((k) => numberSpans(named ? "equal" : op, k, first, last))) };
}

/** The least and the greatest number that a value can be. */
function bounds(f: Field): [bigint, bigint] {
  const signed = f.kind === "int" || f.kind === "duration" || f.kind === "time";
  return signed ? [-(1n << 63n), (1n << 63n) - 1n] : [0n, (1n << 64n) - 1n];
}

/** The values of an enum whose names contain a text, or match a regular expression. */
function enumValuesLike(f: Field, op: Operator, value: Token): bigint[] {
  if (value.kind !== "text") {
    throw value.failed("contains and matches take text in quotes", `for example ${f.name} contains "${value.text}"`);
  }
  const regexp = op === "matches" ? pattern(f, value) : undefined;
  const keys = f.names.filter(([name]) => regexp ? regexp.test(name) : name.includes(value.text)).map(([, v]) => v);
  if (keys.length === 0) throw value.failed(`no value of ${f.name} has such a name`, f.suggestName(value.text));
  return keys;
}

function compareText(f: Field, op: Operator, value: Token): Condition {
  if (op === "matches") return { text: { op, value: "", regexp: pattern(f, value) } };
  const s = text(f, value);
  if (op === "contains" && s === "") {
    throw value.failed("everything contains nothing", "to ask whether there is one, write " + f.name);
  }
  return { text: { op, value: s } };
}

/** How many bytes a regular expression has at most. */
const maxPattern = 1000;

/** Compiles a regular expression. Case does not matter unless it begins with (?-i). */
function pattern(f: Field, value: Token): Regexp {
  if (value.kind !== "text") {
    throw value.failed("matches takes a regular expression in quotes", `for example ${f.name} matches ${quote(value.text)}`);
  }
  if (value.text.length > maxPattern) throw value.failed(`a regular expression has at most ${maxPattern} bytes`);
  try {
    return Regexp.compile(value.text);
  } catch (e) {
    if (!(e instanceof PatternError)) throw e;
    const reason = e.code + (e.part !== value.text ? " " + shorten(e.part) : "");
    const foreign = e.part.startsWith("(?") || e.code === "invalid escape sequence";
    throw value.failed("not a regular expression: " + reason,
      foreign ? "regular expressions use RE2 syntax, without lookaround and backreferences" : "");
  }
}

/** The values of a set in braces, one by one. */
export class Members {
  private readonly numbers: Span<Num>[] = [];
  private readonly addresses: Span<string>[] = [];
  private readonly texts = new Set<ByteString>();

  constructor(private readonly field: Field) {}

  /** Adds the values from lo to hi, which may be one token. */
  addRange(lo: Token, hi: Token): void {
    const f = this.field;
    const whole = new Token("word", lo.at, hi.end, "");
    if (f.kind === "string" || f.kind === "octets") {
      if (lo !== hi) throw whole.failed("text and bytes have no ranges", `name each one, or use ${f.name} >= and <=`);
      this.texts.add(text(f, lo));
      return;
    }
    if (f.kind === "address") {
      this.addresses.push(addressRange(f, lo, hi));
      return;
    }
    const from = numbers(f, lo);
    if (lo === hi) {
      for (const k of from) this.numbers.push({ lo: num(k), hi: num(k) });
      return;
    }
    const to = numbers(f, hi);
    if (from.length > 1 || to.length > 1) throw whole.failed("a name of several numbers has no range", "write the numbers");
    if (from[0]! > to[0]!) throw whole.failed("nothing is in this range", "the lower value comes first");
    this.numbers.push({ lo: num(from[0]!), hi: num(to[0]!) });
  }

  get condition(): Condition {
    return {
      numbers: mergeSpans(this.numbers), addresses: mergeSpans(this.addresses),
      text: { op: "among", value: "", set: this.texts },
    };
  }
}
