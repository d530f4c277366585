import { FilterError } from "./error";
import { isSpace, foldEqual, lower, encodeRune, quote, runeAt, type ByteString } from "./bytestring";
import { relations, type Relation } from "./operator";
import { operatorSigns, signs } from "./tables";

/** end; word: what the field makes of it; text: in quotes; operator; dots: ..; mark: ( ) { } , */
export type TokenKind = "end" | "word" | "text" | "operator" | "dots" | "mark";

/** One word or sign of an expression: its bytes [at, end). */
export class Token {
  /** text is the token as written; of text in quotes it is what is meant. */
  constructor(readonly kind: TokenKind, readonly at: number, readonly end: number, readonly text: ByteString) {}

  /** Whether it is one of these words, in any case, or signs. */
  is(...words: string[]): boolean {
    return this.kind !== "text" && words.some((w) => foldEqual(this.text, w));
  }

  get relation(): Relation | undefined {
    return this.kind === "word" || this.kind === "operator" ? relations.get(lower(this.text)) : undefined;
  }

  failed(reason: ByteString, hint: ByteString = ""): FilterError {
    return new FilterError(this.at, this.end - this.at, reason, hint);
  }

  /** The token as an error names it: in quotes, not too long. */
  get shown(): ByteString {
    return this.kind === "end" ? "the end" : shorten(this.text);
  }
}

export function shorten(s: ByteString): ByteString {
  return quote(s.length > 60 ? s.slice(0, 57) + "..." : s);
}

export function inWord(rune: number): boolean {
  return !isSpace(rune) && !(rune < 0x80 && signs.includes(String.fromCharCode(rune)));
}

/** Where spaces and comments end that begin at byte at: a comment is from # to the end of a line. */
function passSpace(expr: ByteString, at: number): number {
  while (at < expr.length) {
    const { rune, size } = runeAt(expr, at);
    if (expr[at] === "#") {
      const end = expr.indexOf("\n", at);
      at = end < 0 ? expr.length : end;
    } else if (!isSpace(rune)) break;
    else at += size;
  }
  return at;
}

/** Reads the token that begins at byte at or after spaces and comments there. */
export function nextToken(expr: ByteString, at: number): Token {
  at = passSpace(expr, at);
  if (at === expr.length) return new Token("end", at, at, "");
  const c = expr[at]!;
  const token = (kind: TokenKind, end: number) => new Token(kind, at, end, expr.slice(at, end));
  if (c === "\"" || c === "'") return quoted(expr, at, at);
  if (c === "r" && (expr[at + 1] === "\"" || expr[at + 1] === "'")) return quoted(expr, at, at + 1);
  if (expr.startsWith("..", at)) return token("dots", at + 2);
  if ("(){},".includes(c)) return token("mark", at + 1);
  if ("=!<>&|~".includes(c)) {
    const sign = operatorSigns.find((s) => expr.startsWith(s, at));
    if (!sign) throw misplacedSign(expr, at);
    return token("operator", at + sign.length);
  }
  let end = at;
  while (end < expr.length && !expr.startsWith("..", end)) {
    const { rune, size } = runeAt(expr, end);
    if (!inWord(rune)) break;
    end += size;
  }
  return token("word", end);
}

/** The error of a sign that other languages have. */
function misplacedSign(expr: ByteString, at: number): FilterError {
  const hint = {
    "=": "equality is ==",
    "&": "and is written &&, or as a word; single bits cannot be tested",
    "|": "or is written ||, or as a word",
  }[expr[at]!];
  return new FilterError(at, 1, "there is no operator " + expr[at], hint ?? "");
}

/**
 * Reads the text in quotes whose first quote is byte open; if open is not at, the letter r stands
 * before it and backslashes mean themselves.
 */
function quoted(expr: ByteString, at: number, open: number): Token {
  const raw = open > at;
  let text = "";
  for (let i = open + 1; i < expr.length;) {
    const c = expr[i]!;
    if (c === expr[open]) return new Token("text", at, i + 1, text);
    if (c === "\\" && raw && i + 1 < expr.length) {
      text += expr.slice(i, i + 2); // a quote after a backslash does not end the text
      i += 2;
    } else if (c === "\\" && !raw) {
      const e = escape(expr.slice(i + 1, i + 10));
      if (!e) {
        const size = i + 1 < expr.length ? runeAt(expr, i + 1).size : 0;
        throw new FilterError(i, 1 + size, quote(expr.slice(i, i + 1 + size)) + " is not an escape",
          "a backslash is written \\\\; or put r before the quotes, as in r\"\\.tmp$\"");
      }
      text += e.text;
      i += 1 + e.size;
    } else {
      text += c;
      i++;
    }
  }
  throw new FilterError(open, expr.length - open, "the quotes are not closed", "");
}

/** What the escape means whose text after the backslash begins s. They are those of C. */
function escape(s: ByteString): { text: ByteString; size: number } | undefined {
  if (s === "") return undefined;
  const i = "'\"\\abfnrtv".indexOf(s[0]!);
  if (i >= 0) return { text: "'\"\\\x07\b\f\n\r\t\v"[i]!, size: 1 };
  const digits = { x: 2, u: 4, U: 8 }[s[0]!];
  if (!digits) {
    const v = /^[0-3][0-7]{2}/.exec(s);
    return v ? { text: String.fromCharCode(parseInt(v[0], 8)), size: 3 } : undefined;
  }
  const hex = s.slice(1, 1 + digits);
  if (hex.length < digits || !/^[0-9A-Fa-f]+$/.test(hex)) return undefined;
  const v = parseInt(hex, 16);
  if (digits === 2) return { text: String.fromCharCode(v), size: 3 };
  if (v > 0x10ffff || v >= 0xd800 && v <= 0xdfff) return undefined;
  return { text: encodeRune(v), size: 1 + digits };
}
