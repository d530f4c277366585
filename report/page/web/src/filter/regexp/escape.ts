import { runeAt, runeError, type Octets } from "../octets";
import { not, unicodeClass } from "./class";
import { PatternError, type Class } from "./syntax";

/** The first character of a text, and the rest. */
export interface Next {
  rune: number;
  rest: Octets;
}

export function next(s: Octets): Next {
  if (s === "") return { rune: runeError, rest: "" }; // what is no digit, no name
  const r = runeAt(s, 0);
  if (r.rune === runeError && r.size === 1) throw new PatternError("invalid UTF-8", s);
  return { rune: r.rune, rest: s.slice(r.size) };
}

const letters: Record<string, number> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** Reads an escape of one character; s begins with the backslash. */
export function escape(s: Octets): Next {
  if (s.length === 1) throw new PatternError("trailing backslash at end of expression", "");
  const { rune, rest } = next(s.slice(1));
  const c = String.fromCodePoint(rune);
  const wrong = (rest: Octets) => new PatternError("invalid escape sequence", s.slice(0, s.length - rest.length));
  const octal = /^(0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(s.slice(1));
  if (octal) return { rune: parseInt(octal[0], 8), rest: s.slice(1 + octal[0].length) };
  if (c === "x" && rest !== "") return hexadecimal(rest, wrong);
  const letter = letters[c];
  if (letter !== undefined) return { rune: letter, rest };
  // A sign behind a backslash is itself.
  if (rune < 0x80 && !/[0-9A-Za-z]/.test(c)) return { rune, rest };
  throw wrong(rest);
}

/** Reads what stands behind \x: two digits, or any number of them in braces. */
function hexadecimal(s: Octets, wrong: (rest: Octets) => PatternError): Next {
  const digit = (rune: number) => rune < 0x80 && /[0-9A-Fa-f]/.test(String.fromCharCode(rune)) ? parseInt(String.fromCharCode(rune), 16) : -1;
  let n = next(s);
  if (n.rune !== 0x7b) {
    const x = digit(n.rune);
    n = next(n.rest);
    const y = digit(n.rune);
    if (x < 0 || y < 0) throw wrong(n.rest);
    return { rune: x * 16 + y, rest: n.rest };
  }
  let v = 0;
  for (let digits = 0; ; digits++) {
    if (n.rest === "") throw wrong("");
    n = next(n.rest);
    if (n.rune === 0x7d) {
      if (digits === 0) throw wrong(n.rest);
      return { rune: v, rest: n.rest };
    }
    v = v * 16 + digit(n.rune);
    if (digit(n.rune) < 0 || v > 0x10ffff) throw wrong(n.rest);
  }
}

/** Reads \pL, \p{Greek}, \P{^Lu}; undefined if s does not begin with one. */
export function unicodeEscape(s: Octets, fold: boolean): { has: Class; rest: Octets } | undefined {
  if (s[0] !== "\\" || s[1] !== "p" && s[1] !== "P") return undefined;
  let negated = s[1] === "P";
  const n = next(s.slice(2));
  let seq = s.slice(0, s.length - n.rest.length);
  let name = seq.slice(2);
  if (n.rune === 0x7b) {
    const end = s.indexOf("}");
    if (end < 0) throw new PatternError("invalid character class range", s);
    seq = s.slice(0, end + 1);
    name = s.slice(3, end);
  }
  if (name.startsWith("^")) {
    negated = !negated;
    name = name.slice(1);
  }
  const has = unicodeClass(name, fold);
  if (!has) throw new PatternError("invalid character class range", seq);
  return { has: negated ? not(has) : has, rest: s.slice(seq.length) };
}
