import type { ByteString } from "./bytestring";
import type { Operator } from "./operator";
import type { Span } from "./span";

/**
 * An address as something that is in order: its family, "4" or "6", and its 4 or 16 bytes. An IPv4
 * address mapped to IPv6 is that IPv4 address.
 */
export type Key = string;

/** Reads an address without a zone. */
export function parseAddress(s: ByteString): Key | undefined {
  const bytes = bytesOf(s);
  return bytes && unmapped(bytes);
}

/** Reads an address with the length of a prefix: the addresses from its first to its last. */
export function parsePrefix(s: ByteString): Span<Key> | undefined {
  const slash = s.lastIndexOf("/");
  const bytes = slash < 0 ? undefined : bytesOf(s.slice(0, slash));
  const digits = s.slice(slash + 1);
  if (!bytes || !/^(0|[1-9][0-9]{0,2})$/.test(digits) || Number(digits) > 8 * bytes.length) return undefined;
  let bits = Number(digits);
  let whole = bytes;
  if (isMapped(bytes) && bits >= 96) {
    whole = bytes.slice(12);
    bits -= 96;
  }
  const masked = (fill: number) => keyOf(whole.map((b, i) => {
    const host = 0xff >> Math.min(Math.max(bits - 8 * i, 0), 8); // bits of this byte that are free
    return b & ~host & 0xff | fill & host;
  }));
  return { lo: masked(0), hi: masked(0xff) };
}

function bytesOf(s: ByteString): number[] | undefined {
  return /^[^:%]*\./.test(s) ? ipv4(s) : ipv6(s);
}

function ipv4(s: ByteString): number[] | undefined {
  const parts = s.split(".");
  if (parts.length !== 4 || !parts.every((p) => /^(0|[1-9][0-9]{0,2})$/.test(p) && Number(p) <= 255)) return undefined;
  return parts.map(Number);
}

function ipv6(s: ByteString): number[] | undefined {
  const halves = s.split("::");
  if (halves.length > 2 || !s.includes(":")) return undefined;
  const lists = halves.map((half, i) => half === "" ? [] : groups(half, i === halves.length - 1));
  const [a, b] = lists;
  if (!a || lists.includes(undefined)) return undefined;
  if (!b) return a.length === 16 ? a : undefined;
  const zeros = 16 - a.length - b.length;
  return zeros >= 2 ? [...a, ...new Array<number>(zeros).fill(0), ...b] : undefined;
}

/** Groups of four digits with colons between them, and at the end perhaps an IPv4 address. */
function groups(s: ByteString, last: boolean): number[] | undefined {
  const bytes: number[] = [];
  const parts = s.split(":");
  for (const [i, part] of parts.entries()) {
    if (last && i === parts.length - 1 && part.includes(".")) {
      const v4 = ipv4(part);
      if (!v4) return undefined;
      bytes.push(...v4);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      const v = parseInt(part, 16);
      bytes.push(v >> 8, v & 0xff);
    } else {
      return undefined;
    }
  }
  return bytes.length > 16 ? undefined : bytes;
}

function isMapped(o: number[]): boolean {
  return o.length === 16 && o.slice(0, 10).every((b) => b === 0) && o[10] === 0xff && o[11] === 0xff;
}

const unmapped = (o: number[]): Key => keyOf(isMapped(o) ? o.slice(12) : o);

const keyOf = (o: number[]): Key => (o.length === 4 ? "4" : "6") + String.fromCharCode(...o);

/**
 * The addresses for which the comparison with those of a span holds. They are in an order only within
 * their family.
 */
export function addressSpans(op: Operator, to: Span<Key>): Span<Key>[] {
  const family = to.lo[0]!, size = family === "4" ? 4 : 16;
  let lo: Key | undefined = family + "\0".repeat(size);
  let hi: Key | undefined = family + "\xff".repeat(size);
  switch (op) {
    case "less": hi = adjacentAddress(to.lo, -1); break;
    case "lessEqual": hi = to.hi; break;
    case "greater": lo = adjacentAddress(to.hi, 1); break;
    case "greaterEqual": lo = to.lo; break;
    default: return [to];
  }
  return lo === undefined || hi === undefined ? [] : [{ lo, hi }];
}

/** The address after (1) or before (-1) another, if there is one. */
function adjacentAddress(k: Key, step: 1 | -1): Key | undefined {
  const bytes = [...k].map((c) => c.charCodeAt(0));
  for (let i = bytes.length - 1; i > 0; i--) {
    const v = bytes[i]! + step;
    bytes[i] = v & 0xff;
    if (v >= 0 && v <= 0xff) return String.fromCharCode(...bytes);
  }
  return undefined;
}
