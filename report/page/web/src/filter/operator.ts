import { keywords, operators, type Operator, type Quantity } from "./tables";

export type { Operator, Quantity };

/** What a user writes between a field and a value. */
export interface Relation {
  op: Operator;
  /**
   * How many of the field's values have to pass. some: one at least; every: all, and there is one; none:
   * there are values, and none passes; someNot: one at least does not; present: there are values.
   */
  quantity: Quantity;
}

/** All relations, as they are written in lower case. */
export const relations: ReadonlyMap<string, Relation> =
  new Map(operators.map(([sign, op, quantity]) => [sign, { op, quantity }]));

/** The relation after the words any or all before the field, which count for more than its own. */
export function quantified(r: Relation, all: boolean): Relation {
  const not = r.quantity === "none" || r.quantity === "someNot";
  return { op: r.op, quantity: all ? (not ? "none" : "every") : (not ? "someNot" : "some") };
}

/** Whether the comparison holds, given the order of its sides. */
export function holds(op: Operator, order: number): boolean {
  switch (op) {
    case "equal": return order === 0;
    case "less": return order < 0;
    case "lessEqual": return order <= 0;
    case "greater": return order > 0;
    case "greaterEqual": return order >= 0;
    default: return false;
  }
}

/** Whether a word, in lower case, joins tests. */
export function isKeyword(word: string): boolean {
  return keywords.includes(word);
}
