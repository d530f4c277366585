import type { Octets } from "../octets";
import { any, not, perlClass, posixClass, range } from "./class";
import { escape, next, unicodeEscape, type Next } from "./escape";
import { PatternError, type Class } from "./syntax";

/** Reads a class in brackets; s begins with the first of them. */
export function bracket(s: Octets, fold: boolean): { has: Class; rest: Octets } {
  const negated = s[1] === "^";
  let t = s.slice(negated ? 2 : 1);
  const list: Class[] = [];
  const one = (t: Octets): Next => {
    if (t === "") throw new PatternError("missing closing ]", s);
    return t[0] === "\\" ? escape(t) : next(t);
  };
  for (let first = true; first || t[0] !== "]"; first = false) { // ] is itself at the beginning
    const end = t.startsWith("[:") && t.length > 2 ? t.indexOf(":]", 2) : -1;
    if (end >= 0) {
      const c = posixClass(t.slice(2, end), fold);
      if (!c) throw new PatternError("invalid character class range", t.slice(0, end + 2));
      list.push(c);
      t = t.slice(end + 2);
      continue;
    }
    const u = unicodeEscape(t, fold);
    if (u) {
      list.push(u.has);
      t = u.rest;
      continue;
    }
    const p = t[0] === "\\" ? perlClass(t[1] ?? "", fold) : undefined;
    if (p) {
      list.push(p);
      t = t.slice(2);
      continue;
    }
    const from = t;
    const lo = one(t);
    let hi = lo;
    if (lo.rest.length >= 2 && lo.rest[0] === "-" && lo.rest[1] !== "]") hi = one(lo.rest.slice(1));
    t = hi.rest;
    if (hi.rune < lo.rune) {
      throw new PatternError("invalid character class range", from.slice(0, from.length - t.length));
    }
    list.push(range(lo.rune, hi.rune, fold));
  }
  const has = any(list);
  return { has: negated ? not(has) : has, rest: t.slice(1) };
}
