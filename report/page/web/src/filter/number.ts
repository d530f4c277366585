import { LiteralError } from "./error";
import { encode, type ByteString } from "./bytestring";
import * as tables from "./tables";

const max64 = (1n << 64n) - 1n;

const scales: ReadonlyMap<string, bigint> = new Map(tables.scales);

const isDigits = (s: string) => /^[0-9]+$/.test(s);

/** Reads digits of a base; "syntax" or "range" if they are not, or not in 64 bits. */
function digitsOf(s: ByteString, base: number): bigint | "syntax" | "range" {
  if (s === "") return "syntax";
  let v = 0n;
  for (const c of s) {
    const d = /[0-9a-zA-Z]/.test(c) ? parseInt(c, 36) : base;
    if (d >= base) return "syntax";
    v = v * BigInt(base) + BigInt(d);
    if (v > max64) return "range";
  }
  return v;
}

/**
 * Reads a number from 0: decimal, with 0x hexadecimal, with 0o octal, with 0b binary; a decimal one may
 * have a fraction and a unit, as in 1.5MiB, if the whole is a whole number.
 */
export function parseUint(s: ByteString): bigint {
  if (s.length > 1 && s[0] === "0") {
    const base = { x: 16, X: 16, o: 8, b: 2 }[s[1]!];
    if (base) return parsed(s, digitsOf(s.slice(2), base));
  }
  const unit = /[^0-9]*$/.exec(s)![0];
  const digits = s.slice(0, s.length - unit.length);
  let of = 1n;
  if (unit !== "" && digits !== "") {
    const scale = scales.get(unit);
    if (!scale) throw unknownUnit(unit);
    of = scale;
  }
  const dot = digits.indexOf(".");
  const whole = dot < 0 ? digits : digits.slice(0, dot);
  const fraction = dot < 0 ? "" : digits.slice(dot + 1);
  const notWhole = () => new LiteralError(s + " is not a whole number");
  if (dot >= 0 && (of === 1n || fraction === "")) throw notWhole();
  const v = parsed(s, digitsOf(whole, 10));
  if (whole[0] === "0" && /[^0]/.test(whole)) { // octal to C and Wireshark, decimal to most
    const rest = s.replace(/^0+/, "");
    throw new LiteralError(s + " begins with 0", `write 0o${rest} if it is octal, ${rest} if it is decimal`);
  }
  const part = fractionOf(fraction, of);
  if (part === undefined) throw notWhole();
  const sum = v * of + part;
  if (sum > max64) throw new LiteralError(s + " is more than 64 bits can hold");
  return sum;
}

/** The decimal fraction of that whole, if it is a whole number. */
function fractionOf(digits: ByteString, of: bigint): bigint | undefined {
  digits = digits.replace(/0+$/, "");
  if (digits === "") return 0n;
  const v = digitsOf(digits, 10);
  if (typeof v === "string" || digits.length > 19) return undefined;
  const power = 10n ** BigInt(digits.length);
  return v * of % power === 0n ? v * of / power : undefined;
}

function unknownUnit(unit: ByteString): LiteralError {
  if (!/^[a-zA-Z]*$/.test(unit)) return new LiteralError();
  return new LiteralError(unit + " is not a unit of sizes", "k, M, G and T are powers of 1000; KiB, MiB, GiB and TiB of 1024");
}

function parsed(s: ByteString, v: bigint | "syntax" | "range"): bigint {
  if (v === "range") throw new LiteralError(s + " is more than 64 bits can hold");
  if (v !== "syntax") return v;
  const hyphen = s.indexOf("-");
  const from = hyphen < 0 ? s : s.slice(0, hyphen), to = hyphen < 0 ? "" : s.slice(hyphen + 1);
  if (isDigits(to) && from === "") throw new LiteralError(s + " is below 0");
  if (isDigits(to) && isDigits(from)) throw new LiteralError("", `a range is written ${from}..${to}, in braces after in`);
  throw new LiteralError();
}

/** Reads a number with or without a sign, otherwise as parseUint. */
export function parseInt64(s: ByteString): bigint {
  const negative = s.startsWith("-");
  const v = parseUint(negative ? s.slice(1) : s);
  if (negative ? v > 1n << 63n : v >= 1n << 63n) throw new LiteralError(s + " is more than 64 bits with a sign can hold");
  return negative ? -v : v;
}

const units: ReadonlyMap<string, bigint> = new Map(tables.durations.map(([unit, of]) => [encode(unit), of]));

/** Reads a duration with its unit, or 0: nanoseconds. */
export function parseDuration(s: ByteString): bigint {
  const d = goDuration(s);
  if (d !== undefined) return d;
  const written = s;
  s = s.replace(/(?<=[0-9])_(?=[0-9])/g, "");
  const bare = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(s) && Number.isFinite(Number(s))
    || /^[+-]?inf(inity)?$/i.test(s) || /^[+-]?0x([0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)p[+-]?[0-9]+$/i.test(s);
  throw bare ? new LiteralError(written + " has no unit", encode("units are ns, us (µs), ms, s, m and h, as in 10ms")) : new LiteralError();
}

/** A duration as Go's time.ParseDuration reads it: to the nanosecond the same. */
function goDuration(s: ByteString): bigint | undefined {
  const sign = /^[+-]?/.exec(s)![0];
  s = s.slice(sign.length);
  if (s === "0") return 0n;
  if (s === "") return undefined;
  const most = 1n << 63n;
  let sum = 0n;
  while (s !== "") {
    const m = /^([0-9]*)(?:\.([0-9]*))?([^.0-9]+)/.exec(s);
    const unit = m && units.get(m[3]!);
    if (!m || !unit || m[1] === "" && !m[2]) return undefined;
    let v = BigInt(m[1] || "0");
    if (v > most / unit) return undefined;
    v *= unit;
    const { value, scale } = leadingFraction(m[2] ?? "");
    if (value > 0n) v += BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
    sum += v;
    if (v > most || sum > most) return undefined;
    s = s.slice(m[0].length);
  }
  if (sign !== "-" && sum === most) return undefined;
  return sign === "-" ? -sum : sum;
}

/** Digits after the dot; those that 63 bits do not hold are left out, as Go does. */
function leadingFraction(digits: string): { value: bigint; scale: number } {
  let value = 0n, scale = 1;
  for (const d of digits) {
    if (value > ((1n << 63n) - 1n) / 10n || value * 10n + BigInt(d) > 1n << 63n) break;
    value = value * 10n + BigInt(d);
    scale *= 10;
  }
  return { value, scale };
}

