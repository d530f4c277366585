import type { FilterError } from "./error";
import type { Field } from "./field";
import type { Test, Tree } from "./match";
import { lower } from "./bytestring";
import { compare, Members, operatorError, type Condition } from "./operand";
import { isKeyword, quantified, type Operator, type Quantity } from "./operator";
import { maxName } from "./suggest";
import type { Token } from "./token";
import type { Tokens } from "./tokens";

/** Reads a field and what is asked of it. */
export function readTest(p: Tokens): Tree {
  const quantifier = p.token.is("any", "all") ? p.token : undefined;
  if (quantifier) p.next();
  const { f, field } = readField(p);
  const asked = p.token;
  let r = asked.relation;
  if (!r) {
    if (asked.is("not")) return notIn(p, f, field, quantifier);
    if (quantifier) {
      throw asked.failed("a comparison is missing", `for example ${quantifier.text} ${f.name} == ${f.example}`);
    }
    if (asked.kind === "mark" && asked.text === "(") throw asked.failed("there are no functions");
    return f.kind === "bool"
      ? leaf({ field, quantity: "some", numbers: [{ lo: 1, hi: 1 }] })
      : leaf({ field, quantity: "present" });
  }
  if (quantifier) r = quantified(r, quantifier.is("all"));
  p.next();
  return leaf({ field, quantity: r.quantity, ...operand(p, f, r.op, asked) });
}

const leaf = (test: Test): Tree => ({ join: "leaf", test });

/** Reads the rest of FIELD not in {...}, which is true also of what does not have the field. */
function notIn(p: Tokens, f: Field, field: number, quantifier: Token | undefined): Tree {
  const not = p.token;
  p.next();
  const word = p.token;
  const isIn = word.is("in");
  if (word.relation && !isIn || quantifier) {
    const what = quantifier ? `${quantifier.text} ${f.name}` : f.name;
    throw not.failed("not comes before the whole test", `write not ${what} ${word.text} ...`);
  }
  if (!isIn) throw not.failed("\"and\" or \"or\" is missing before " + not.shown);
  p.next();
  const quantity: Quantity = "some";
  return { join: "not", part: leaf({ field, quantity, ...operand(p, f, "among", word) }) };
}

/** Reads the name of a field. */
function readField(p: Tokens): { f: Field; field: number } {
  const field = p.token.kind === "word" ? p.set.lookup(p.token.text) : undefined;
  if (field === undefined) throw notField(p);
  p.next();
  return { f: p.set.fields[field]!, field };
}

/** The error of a token where a field has to be. */
function notField(p: Tokens): FilterError {
  const t = p.token;
  if (t.kind === "end") return t.failed("a test is missing at the end");
  if (t.kind === "text") return t.failed("a test begins with a field, not with text");
  if (t.kind !== "word" || isKeyword(lower(t.text))) return t.failed("a test is missing before " + t.shown);
  if (/^[-0-9]/.test(t.text)) return t.failed("a test begins with a field, not with a value", p.set.sample);
  const reason = t.shown + " is not a field";
  if (p.expr.startsWith("(", t.end)) return t.failed(reason, "there are no functions");
  if (/[[\]]/.test(t.text)) return t.failed(reason, "there are no slices of bytes; try contains");
  const elsewhere = t.text.length <= maxName ? p.set.elsewhere(lower(t.text), p.expr) : "";
  return t.failed(reason, elsewhere || p.set.suggestField(t.text));
}

/** Reads what the operator, which was the token asked, has to its right. */
function operand(p: Tokens, f: Field, op: Operator, asked: Token): Condition {
  const unsuited = operatorError(f, op, asked);
  if (unsuited) throw unsuited;
  return op === "among" ? members(p, f) : compare(f, op, value(p, f, asked));
}

/** Reads a token that can be a value. */
function value(p: Tokens, f: Field, after: Token): Token {
  const t = p.token;
  if (t.kind !== "word" && t.kind !== "text" || t.is("and", "or", "not") && !f.named(t.text)) {
    const inSet = after.kind === "mark" || after.kind === "dots";
    throw t.failed("a value is missing after " + after.text, "for example " + (inSet ? f.sampleSet : f.sample));
  }
  if (t.kind === "word" && t.text.includes(".") && p.set.lookup(t.text) !== undefined && !f.named(t.text)) {
    throw t.failed(t.text + " is a field, and fields can be compared with values only", "for example " + f.sample);
  }
  p.next();
  return t;
}

/** Reads a set in braces. */
function members(p: Tokens, f: Field): Condition {
  const open = p.token;
  if (!open.is("{")) throw open.failed("in takes a set in braces", "for example " + f.sampleSet);
  const all = new Members(f);
  for (let after = open; !after.is("}"); after = p.token) {
    if (after !== open && after.kind === "end") throw open.failed("this { is not closed");
    if (after !== open && !after.is(",")) throw after.failed("a comma is missing before " + after.shown);
    p.next();
    const lo = value(p, f, after);
    let hi = lo;
    if (p.token.kind === "dots") {
      const dots = p.token;
      p.next();
      hi = value(p, f, dots);
    }
    all.addRange(lo, hi);
  }
  p.next();
  return all.condition;
}
