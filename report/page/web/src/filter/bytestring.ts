/**
 * Text as UTF-8, one character for each byte. The filter works on it as Go does, so that
 * places, order and what is found are the same, also where the bytes are not valid UTF-8.
 */
export type ByteString = string;

/** Bytes of a string of the page. */
export function encode(s: string): ByteString {
  // Most text is ASCII but for a sign here and there, and to call the encoder takes longer than all else.
  return isASCII(s) ? s : s.replace(/[^\0-\x7f]{1,1000}/gu, (run) => {
    const bytes = run.length === 1 ? short(run.charCodeAt(0)) : undefined;
    return String.fromCharCode(...(bytes ?? utf8.encode(run)));
  });
}

const utf8 = new TextEncoder();

/** The bytes of a character below U+10000, but for a surrogate. */
function short(c: number): number[] | undefined {
  if (c < 0x800) return [0xc0 | c >> 6, 0x80 | c & 0x3f];
  return c >= 0xd800 && c <= 0xdfff ? undefined : [0xe0 | c >> 12, 0x80 | c >> 6 & 0x3f, 0x80 | c & 0x3f];
}

function isASCII(s: string): boolean {
  for (let i = 0; i < s.length; i++) if (s.charCodeAt(i) > 0x7f) return false;
  return true;
}

/** The string of the page; each byte that is not valid UTF-8 becomes U+FFFD. */
export function decode(o: ByteString): string {
  if (isASCII(o)) return o;
  let s = "";
  for (const c of runes(o)) s += String.fromCodePoint(c.rune);
  return s;
}

/** A character, and how many bytes it takes. */
export interface Rune {
  rune: number;
  size: number;
}

export const runeError = 0xfffd;

/** The character at byte i; a byte that is not valid UTF-8 is runeError of size 1. */
export function runeAt(o: ByteString, i: number): Rune {
  const b = o.charCodeAt(i);
  if (b < 0x80) return { rune: b, size: 1 };
  const wrong = { rune: runeError, size: 1 };
  const size = b >= 0xc2 && b <= 0xdf ? 2 : b >= 0xe0 && b <= 0xef ? 3 : b >= 0xf0 && b <= 0xf4 ? 4 : 0;
  if (size === 0 || i + size > o.length) return wrong;
  let rune = b & (0x7f >> size);
  for (let k = 1; k < size; k++) {
    const c = o.charCodeAt(i + k);
    if ((c & 0xc0) !== 0x80) return wrong;
    rune = rune << 6 | c & 0x3f;
  }
  const short = size === 3 && rune < 0x800 || size === 4 && rune < 0x10000;
  return short || rune > 0x10ffff || rune >= 0xd800 && rune <= 0xdfff ? wrong : { rune, size };
}

export function* runes(o: ByteString): Generator<Rune> {
  for (let i = 0; i < o.length;) {
    const r = runeAt(o, i);
    yield r;
    i += r.size;
  }
}

export function encodeRune(rune: number): ByteString {
  return encode(String.fromCodePoint(rune));
}

/** White space as Unicode has it. */
export function isSpace(rune: number): boolean {
  return rune === 0x20 || rune >= 9 && rune <= 13 || rune === 0x85
    || rune >= 0x80 && /^\p{White_Space}$/u.test(String.fromCodePoint(rune));
}

function isPrint(rune: number): boolean {
  return rune >= 0x20 && rune < 0x7f || rune >= 0x80 && /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(String.fromCodePoint(rune));
}

/** A letter as a letter that differs from it in case is also. */
export function fold(rune: number): number {
  if (rune < 0x80) return rune >= 0x41 && rune <= 0x5a ? rune + 0x20 : rune;
  if (rune === 0x130 || rune === 0x131) return rune; // of the Turkic i
  const upper = onlyRune(String.fromCodePoint(rune).toUpperCase()) ?? rune;
  return onlyRune(String.fromCodePoint(upper).toLowerCase()) ?? upper;
}

/** The only character of a string. */
function onlyRune(s: string): number | undefined {
  const c = s.codePointAt(0)!;
  return s.length === (c > 0xffff ? 2 : 1) ? c : undefined;
}

/** Whether two texts differ in case at most. */
export function foldEqual(a: ByteString, b: ByteString): boolean {
  return folded(a) === folded(b);
}

function folded(o: ByteString): string {
  return isASCII(o) ? o.toLowerCase() : [...runes(o)].map((r) => fold(r.rune)).join();
}

export function lower(o: ByteString): ByteString {
  if (isASCII(o)) return o.toLowerCase();
  let s = "";
  for (const { rune, size } of runes(o)) {
    s += size === 1 && rune === runeError ? "\ufffd" : String.fromCodePoint(String.fromCodePoint(rune).toLowerCase().codePointAt(0)!);
  }
  return encode(s);
}

const escapes: Record<number, string> = {
  7: "\\a", 8: "\\b", 12: "\\f", 10: "\\n", 13: "\\r", 9: "\\t", 11: "\\v", 34: "\\\"", 92: "\\\\",
};

/** The text in double quotes, as Go writes it. */
export function quote(o: ByteString): ByteString {
  const hex = (v: number, digits: number) => v.toString(16).padStart(digits, "0");
  let s = "\"";
  let i = 0;
  for (const { rune, size } of runes(o)) {
    const escape = escapes[rune];
    if (rune === runeError && size === 1) s += "\\x" + hex(o.charCodeAt(i), 2);
    else if (escape) s += escape;
    else if (isPrint(rune)) s += encodeRune(rune);
    else if (rune < 0x20 || rune === 0x7f) s += "\\x" + hex(rune, 2);
    else if (rune < 0x10000) s += "\\u" + hex(rune, 4);
    else s += "\\U" + hex(rune, 8);
    i += size;
  }
  return s + "\"";
}

/** The text as an error shows it: white space is a space, what cannot be seen a dot. */
export function visible(o: ByteString): string[] {
  return [...runes(o)].map(({ rune }) => isSpace(rune) ? " " : isPrint(rune) ? String.fromCodePoint(rune) : ".");
}
