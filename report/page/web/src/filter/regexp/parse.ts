import { runeAt, runeError, type Octets } from "../octets";
import { perlClass, range } from "./class";
import { bracket } from "./bracket";
import { escape, next, unicodeEscape } from "./escape";
import { PatternError, type Place, type Tree } from "./syntax";

/** What of the flags matters to what matches: those of (?i), (?m) and (?s). */
interface Flags {
  fold: boolean;
  multiline: boolean;
  dotNewline: boolean;
}

/** A group that is not closed yet: its alternatives, the last of which is being read. */
interface Group {
  alternatives: Tree[][];
  /** The flags where the group began, which hold again behind it. */
  flags: Flags;
}

/** Reads a regular expression as Go's package regexp does, and says of wrong ones the same. */
export function parse(whole: Octets, fold: boolean): Tree {
  let flags: Flags = { fold, multiline: false, dotNewline: false };
  const groups: Group[] = [{ alternatives: [[]], flags }];
  const top = () => groups.at(-1)!;
  const push = (t: Tree) => top().alternatives.at(-1)!.push(t);
  const place = (p: Place) => push({ kind: "place", place: p });
  const literal = (rune: number) => push({ kind: "class", has: range(rune, rune, flags.fold) });
  const open = (now: Flags) => {
    groups.push({ alternatives: [[]], flags });
    flags = now;
  };
  const close = () => {
    const g = groups.pop()!;
    flags = g.flags;
    return treeOf(g);
  };

  let t = whole;
  let lastRepeat = "";
  while (t !== "") {
    let repeat = "";
    const before = t;
    const c = t[0]!;
    t = t.slice(1);
    if (c === "(" && t[0] === "?") {
      const named = /^\?P?<([^>]*)(>?)/.exec(t);
      if (named && (t[1] !== "P" || t.length > 3) && t.length > 2) {
        checkName(before, named);
        t = t.slice(named[0].length);
        open(flags);
      } else {
        const f = readFlags(before, flags);
        t = f.rest;
        if (f.group) open(f.flags);
        else flags = f.flags;
      }
    } else if (c === "(") {
      open(flags);
    } else if (c === "|") {
      top().alternatives.push([]);
    } else if (c === ")") {
      if (groups.length === 1) throw new PatternError("unexpected )", whole);
      push(close());
    } else if (c === "^") {
      place(flags.multiline ? "beginLine" : "beginText");
    } else if (c === "$") {
      place(flags.multiline ? "endLine" : "endText");
    } else if (c === ".") {
      const all = flags.dotNewline;
      push({ kind: "class", has: (rune) => all || rune !== 10 });
    } else if (c === "[") {
      const b = bracket(before, flags.fold);
      push({ kind: "class", has: b.has });
      t = b.rest;
    } else if ("*+?".includes(c)) {
      t = repeated(top(), c === "+" ? 1 : 0, c === "?" ? 1 : Infinity, false, before, t, lastRepeat);
      repeat = before;
    } else if (c === "{") {
      const m = /^(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}/.exec(t);
      if (!m) {
        literal(0x7b);
      } else {
        const min = Number(m[1]), max = m[3] ? Number(m[3]) : m[2] ? Infinity : min;
        t = t.slice(m[0].length);
        if (min > 1000 || max !== Infinity && max > 1000 || min > max) {
          throw new PatternError("invalid repeat count", before.slice(0, before.length - t.length));
        }
        t = repeated(top(), min, max, true, before, t, lastRepeat);
        repeat = before;
      }
    } else if (c === "\\") {
      t = escaped(before, flags.fold, push, place, literal);
    } else {
      const n = next(before);
      literal(n.rune);
      t = n.rest;
    }
    lastRepeat = repeat;
  }
  if (groups.length > 1) throw new PatternError("missing closing )", whole);
  return close();
}

function treeOf(g: Group): Tree {
  const parts = g.alternatives.map((p): Tree => p.length === 1 ? p[0]! : { kind: "concat", parts: p });
  return parts.length === 1 ? parts[0]! : { kind: "alternate", parts };
}

/** Reads what stands behind a backslash outside of brackets; s begins with the backslash. */
function escaped(
  s: Octets, fold: boolean, push: (t: Tree) => void, place: (p: Place) => void, literal: (rune: number) => void,
): Octets {
  const c = s[1] ?? "";
  const places: Record<string, Place> = { A: "beginText", b: "boundary", B: "noBoundary", z: "endText" };
  const at = places[c];
  if (at) {
    place(at);
    return s.slice(2);
  }
  if (c === "C") throw new PatternError("invalid escape sequence", s.slice(0, 2));
  if (c === "Q") {
    const end = s.indexOf("\\E", 2);
    for (let l = s.slice(2, end < 0 ? undefined : end); l !== "";) {
      const n = next(l);
      literal(n.rune);
      l = n.rest;
    }
    return end < 0 ? "" : s.slice(end + 2);
  }
  const u = unicodeEscape(s, fold);
  if (u) {
    push({ kind: "class", has: u.has });
    return u.rest;
  }
  const p = perlClass(c, fold);
  if (p) {
    push({ kind: "class", has: p });
    return s.slice(2);
  }
  const e = escape(s);
  literal(e.rune);
  return e.rest;
}

/** Repeats the last part of the group; returns what follows the operator. */
function repeated(
  g: Group, min: number, max: number, counted: boolean, before: Octets, after: Octets, last: Octets,
): Octets {
  if (after.startsWith("?")) after = after.slice(1); // fewest first, which finds the same texts
  if (last !== "") throw new PatternError("invalid nested repetition operator", last.slice(0, last.length - after.length));
  const parts = g.alternatives.at(-1)!;
  const part = parts.pop();
  const operator = before.slice(0, before.length - after.length);
  if (!part) throw new PatternError("missing argument to repetition operator", operator);
  const t: Tree = { kind: "repeat", min, max, counted, part };
  if (counted && (min >= 2 || max >= 2) && !isBounded(t, 1000)) throw new PatternError("invalid repeat count", operator);
  parts.push(t);
  return after;
}

/** Whether counted repetitions inside of each other make no more than n together. */
function isBounded(t: Tree, n: number): boolean {
  if (t.kind === "repeat") {
    if (t.counted) {
      if (t.max === 0) return true;
      const m = t.max === Infinity ? t.min : t.max;
      if (m > n) return false;
      if (m > 0) n = Math.trunc(n / m);
    }
    return isBounded(t.part, n);
  }
  return t.kind === "class" || t.kind === "place" || t.parts.every((p) => isBounded(p, n));
}

/** Refuses names of groups that are none; s begins with the parenthesis. */
function checkName(s: Octets, named: RegExpExecArray): void {
  if (named[2] === "") {
    checkUTF8(s);
    throw new PatternError("invalid named capture", s);
  }
  checkUTF8(named[1]!);
  if (!/^[0-9A-Za-z_]+$/.test(named[1]!)) throw new PatternError("invalid named capture", s.slice(0, 1 + named[0].length));
}

function checkUTF8(s: Octets): void {
  for (let i = 0; i < s.length;) {
    const r = runeAt(s, i);
    if (r.rune === runeError && r.size === 1) throw new PatternError("invalid UTF-8", s.slice(i));
    i += r.size;
  }
}

/** Reads (?flags) or (?flags: of which s is the beginning. */
function readFlags(s: Octets, flags: Flags): { flags: Flags; group: boolean; rest: Octets } {
  const now = { ...flags };
  let on = true, saw = false;
  let t = s.slice(2);
  while (t !== "") {
    const n = next(t);
    t = n.rest;
    const c = String.fromCodePoint(n.rune);
    if (c === "i") now.fold = on;
    else if (c === "m") now.multiline = on;
    else if (c === "s") now.dotNewline = on;
    else if (c === "-" && on) on = false;
    else if ((c === ":" || c === ")") && (on || saw)) return { flags: now, group: c === ":", rest: t };
    else if (c !== "U") break;
    saw = c !== "-";
  }
  throw new PatternError("invalid or unsupported Perl syntax", s.slice(0, s.length - t.length));
}

