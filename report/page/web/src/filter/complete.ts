import { FilterError } from "./error";
import { enumLiteral, type Field, type FieldSet } from "./field";
import { decode, encode, foldEqual, type ByteString } from "./bytestring";
import { operatorError } from "./operand";
import { relations } from "./operator";
import { maxExpr } from "./parse";
import { offered } from "./tables";
import { nextToken, Token } from "./token";

/** One way to go on with an expression. */
export interface Completion {
  /** The whole expression with its last word completed, and that word. */
  text: string;
  word: string;
  /** What the word means, "" if it explains itself. */
  doc: string;
}

/**
 * The ways to complete the last word of an expression, or to add a word if it ends in a space. There are
 * none if the expression is wrong before its last word, or if nobody can know the next one.
 */
export function completions(set: FieldSet, written: string): Completion[] {
  const prefix = encode(written);
  if (prefix.length > maxExpr) return [];
  const c = new Completer(set);
  for (let at = 0; ;) {
    let t: Token;
    try {
      t = nextToken(prefix, at);
    } catch (e) {
      if (e instanceof FilterError) return [];
      throw e;
    }
    if (t.kind === "end") return c.offers(prefix, "", t);
    if (t.kind === "word" && t.end === prefix.length) return c.offers(prefix.slice(0, t.at), t.text, new Token("end", t.at, t.at, ""));
    if (!c.advance(t)) return [];
    at = t.end;
  }
}

/** What may come next: of the end it offers words, any other token leads on, or nowhere. */
type Next = (t: Token) => Next | undefined;

/** Goes through the tokens before the last word. */
class Completer {
  private field: Field | undefined;
  private inSet = false;
  private before: ByteString = "";
  private word: ByteString = "";
  private list: Completion[] = [];
  private next: Next | undefined;

  constructor(private readonly set: FieldSet) {
    this.next = this.start;
  }

  offers(before: ByteString, word: ByteString, end: Token): Completion[] {
    this.before = before;
    this.word = word;
    this.next?.(end);
    return this.list;
  }

  advance(t: Token): boolean {
    this.next = this.next?.(t);
    return this.next !== undefined;
  }

  /** Adds a word if the last word begins it, in any case. */
  private offer(word: ByteString, doc = ""): void {
    if (word.length < this.word.length || !foldEqual(word.slice(0, this.word.length), this.word)) return;
    this.list.push({ text: decode(this.before + word), word: decode(word), doc });
  }

  /** Where a test begins. */
  private readonly start: Next = (t) => {
    if (t.kind === "end") {
      for (const f of this.set.fields) this.offer(f.name, f.doc);
      this.offer("not", "the test that follows is false");
      this.offer("all", "all values of the field pass the test, not only one");
      this.offer("any", "one value of the field passes the test");
      return undefined;
    }
    if (t.is("not", "!", "(", "any", "all")) return this.start;
    const i = t.kind === "word" ? this.set.lookup(t.text) : undefined;
    this.field = i === undefined ? undefined : this.set.fields[i];
    return this.field && this.afterField;
  };

  private readonly afterField: Next = (t) => {
    if (t.kind === "end") {
      for (const [sign, doc] of offered) {
        if (!operatorError(this.field!, relations.get(sign)!.op, t)) this.offer(sign, doc);
      }
    }
    const r = t.relation;
    if (r) return r.op === "among" ? this.brace : r.op === "contains" || r.op === "matches" ? this.quoted : this.value;
    return t.is("not") ? this.afterField : this.afterTest(t); // FIELD not in
  };

  private readonly brace: Next = (t) => {
    if (t.kind === "end") this.offer("{");
    this.inSet = t.is("{");
    return this.inSet ? this.value : undefined;
  };

  private readonly value: Next = (t) => {
    if (t.kind === "end") {
      if (this.field!.kind === "enum") {
        for (const name of new Set(this.field!.names.map(([n]) => n))) this.offer(enumLiteral(name));
      } else if (this.field!.kind === "bool") {
        this.offer("true");
        this.offer("false");
      }
      return undefined;
    }
    if (t.kind !== "word" && t.kind !== "text") return undefined;
    return this.inSet ? this.member : this.afterTest;
  };

  /** Where only text in quotes can be, or bytes: nobody knows which. */
  private readonly quoted: Next = (t) => t.kind === "end" ? undefined : this.value(t);

  /** After a value in a set. */
  private readonly member: Next = (t) => {
    if (t.kind === "end") this.offer("}");
    if (t.kind === "dots" || t.is(",")) return this.value;
    if (!t.is("}")) return undefined;
    this.inSet = false;
    return this.afterTest;
  };

  private readonly afterTest: Next = (t) => {
    if (t.kind === "end") {
      this.offer("and");
      this.offer("or");
      return undefined;
    }
    if (t.is("and", "&&", "or", "||")) return this.start;
    return t.is(")") ? this.afterTest : undefined;
  };
}
