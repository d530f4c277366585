/** What is asked of each value. */
export type Operator =
  | "equal" | "less" | "lessEqual" | "greater" | "greaterEqual" | "contains" | "matches" | "among";

/**
 * How many of a field's values have to pass. some: one at least; every: all, and there is one; none:
 * there are values, and none passes; someNot: one at least does not; present: there are values.
 */
export type Quantity = "some" | "every" | "none" | "someNot" | "present";

/** What a user writes between a field and a value. */
export interface Relation {
  op: Operator;
  of: Quantity;
}

const table: [signs: string, op: Operator, of: Quantity][] = [
  ["== eq any_eq", "equal", "some"],
  ["!= ne all_ne", "equal", "none"],
  ["=== all_eq", "equal", "every"],
  ["!== any_ne", "equal", "someNot"],
  ["< lt", "less", "some"],
  ["<= le", "lessEqual", "some"],
  ["> gt", "greater", "some"],
  [">= ge", "greaterEqual", "some"],
  ["contains", "contains", "some"],
  ["matches ~", "matches", "some"],
  ["in", "among", "some"],
];

/** All relations, as they are written in lower case. */
export const relations: ReadonlyMap<string, Relation> =
  new Map(table.flatMap(([signs, op, of]) => signs.split(" ").map((s) => [s, { op, of }] as const)));

/** The relation after the words any or all before the field, which count for more than its own. */
export function quantified(r: Relation, all: boolean): Relation {
  const not = r.of === "none" || r.of === "someNot";
  return { op: r.op, of: all ? (not ? "none" : "every") : (not ? "someNot" : "some") };
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
  return ["and", "or", "not", "any", "all"].includes(word);
}
