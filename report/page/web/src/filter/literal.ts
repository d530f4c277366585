import { parseAddress, parsePrefix, type Key } from "./address";
import { LiteralError, type FilterError } from "./error";
import type { Field } from "./field";
import { lower, type ByteString } from "./bytestring";
import { parseDuration, parseInt64, parseUint } from "./number";
import type { Span } from "./span";
import { parseTime } from "./time";
import { Token } from "./token";

/** The error of a value that the field does not take. */
function valueError(f: Field, value: Token, w: LiteralError): FilterError {
  let reason = f.name + " takes " + f.takes;
  if (w.reason !== "") reason += "; " + w.reason;
  else reason += ", not " + (value.kind === "text" && f.kind !== "time" ? "text" : value.shown);
  return value.failed(reason, w.hint || "for example " + f.sample);
}

/** The numbers of a value: one, or several for a name of an enum that has several. */
export function numbers(f: Field, value: Token): bigint[] {
  const named = f.kind === "enum" ? f.named(value.text) : undefined;
  if (named) return named;
  if (value.kind === "text" && f.kind !== "time" && f.kind !== "enum") throw valueError(f, value, new LiteralError());
  if (f.kind === "enum" && (value.kind === "text" || !/^[0-9]/.test(value.text))) {
    throw value.failed(`${f.name} has no value named ${value.shown}`, f.suggestName(value.text));
  }
  try {
    return [parse(f, value.text)];
  } catch (e) {
    throw e instanceof LiteralError ? valueError(f, value, e) : e;
  }
}

function parse(f: Field, s: ByteString): bigint {
  switch (f.kind) {
    case "int": return parseInt64(s);
    case "duration": return parseDuration(s);
    case "time": return parseTime(s);
    case "bool": return parseBool(s);
    default: return parseUint(s);
  }
}

function parseBool(s: ByteString): bigint {
  const word = lower(s);
  if (word === "true" || word === "1") return 1n;
  if (word === "false" || word === "0") return 0n;
  throw new LiteralError();
}

/** The span of an address or of a prefix. */
export function address(f: Field, value: Token): Span<Key> {
  if (value.kind === "word") {
    const k = parseAddress(value.text);
    if (k !== undefined) return { lo: k, hi: k };
    const p = parsePrefix(value.text);
    if (p) return p;
  }
  throw valueError(f, value, new LiteralError("", /[g-zG-Z]/.test(value.text) ? "host names are not looked up" : ""));
}

/** The span from one address to another, or of the one token. */
export function addressRange(f: Field, lo: Token, hi: Token): Span<Key> {
  const from = address(f, lo);
  if (lo === hi) return from;
  const to = address(f, hi);
  const whole = new Token("word", lo.at, hi.end, "");
  if (from.lo !== from.hi || to.lo !== to.hi) {
    throw whole.failed("a range goes from one address to another, without prefixes");
  }
  if (from.lo[0] !== to.lo[0]) throw whole.failed("a range is of IPv4 or of IPv6 addresses");
  if (to.lo < from.lo) throw whole.failed("nothing is in this range", "the lower value comes first");
  return { lo: from.lo, hi: to.lo };
}

/**
 * The text or the bytes of a value: in quotes, or bytes in hexadecimal, each two digits, with
 * colons or hyphens between them or nothing, with 0x before them or not.
 */
export function text(f: Field, value: Token): ByteString {
  if (value.kind === "text") return value.text;
  if (f.kind === "string") {
    throw value.failed(f.name + " takes text in quotes", `for example ${f.name} == "${value.text}"`);
  }
  let digits = value.text.startsWith("0x") ? value.text.slice(2) : value.text;
  const separator = /[:-]/.exec(digits)?.[0];
  if (separator) {
    const parts = digits.split(separator);
    if (parts.some((p) => p.length !== 2)) {
      throw valueError(f, value, new LiteralError("", "each byte has two digits, as in 00:1f:ff"));
    }
    digits = parts.join("");
  }
  if (!/^([0-9A-Fa-f]{2})+$/.test(digits)) throw valueError(f, value, new LiteralError());
  return digits.replace(/../g, (d) => String.fromCharCode(parseInt(d, 16)));
}

