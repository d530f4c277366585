import { FilterError } from "./error";
import type { FieldSet } from "./field";
import { readTest } from "./leaf";
import { Filter, type Tree } from "./match";
import { encode } from "./bytestring";
import { Tokens } from "./tokens";

/** Bytes of an expression, and how deep its parentheses and nots are nested. */
export const maxExpr = 64 << 10;
const maxDepth = 200;

/**
 * Makes a filter of an expression in the language of `rdmacap read -Y`; one without any word passes
 * everything. Throws a FilterError.
 */
export function compile(set: FieldSet, written: string): Filter {
  const expr = encode(written);
  try {
    if (expr.length > maxExpr) throw new FilterError(maxExpr, 0, `the expression has more than ${maxExpr} bytes`, "");
    const p = new Parser(set, expr);
    return new Filter(written, p.token.kind === "end" ? { join: "and", parts: [] } : p.parse());
  } catch (e) {
    if (e instanceof FilterError) e.expr = expr;
    throw e;
  }
}

/** Reads an expression. */
class Parser extends Tokens {
  private depth = 0;

  parse(): Tree {
    const t = this.or();
    if (this.token.kind !== "end") throw this.unexpected();
    return t;
  }

  /** The error of a token after a whole test. */
  private unexpected(): FilterError {
    const t = this.token;
    if (t.is(")")) return t.failed("there is no ( for this )");
    if (t.relation) return t.failed("nothing is left to compare here", "two comparisons are joined by and: a > 1 and a < 5");
    if (t.is("xor", "^^")) return t.failed("there is no operator xor");
    return t.failed("\"and\" or \"or\" is missing before " + t.shown);
  }

  private or(): Tree {
    return this.joined("or", () => this.joined("and", () => this.not(), "and", "&&"), "or", "||");
  }

  /** Reads one part, or several with one of the words between them. */
  private joined(join: "and" | "or", part: () => Tree, ...words: string[]): Tree {
    const first = part();
    if (!this.token.is(...words)) return first;
    const parts = [first];
    while (this.token.is(...words)) {
      this.next();
      parts.push(part());
    }
    return { join, parts };
  }

  /** Reads a test, or an expression in parentheses, after any number of nots. */
  private not(): Tree {
    const opening = this.token;
    const not = opening.is("not", "!");
    if (!not && !opening.is("(")) return readTest(this);
    if (++this.depth > maxDepth) throw opening.failed(`nested deeper than ${maxDepth}`);
    try {
      this.next();
      if (not) return { join: "not", part: this.not() };
      const t = this.or();
      if (this.token.kind === "end") throw opening.failed("this ( is not closed");
      if (!this.token.is(")")) throw this.unexpected();
      this.next();
      return t;
    } finally {
      this.depth--;
    }
  }
}
