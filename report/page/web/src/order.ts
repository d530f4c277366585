/** What rows are sorted by: a number each, or a text each. */
export type SortKey = ArrayLike<number> | readonly string[];

/** All rows from 0 to n in the order of their keys; those with the same key stay in their order. */
export function sortRows(n: number, key: SortKey | undefined, descending: boolean): Uint32Array {
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  if (!key) return descending ? order.reverse() : order;
  const ranks = isTexts(key) ? ranksOf(key) : key;
  return descending
    ? order.sort((a, b) => ranks[b]! - ranks[a]! || a - b)
    : order.sort((a, b) => ranks[a]! - ranks[b]! || a - b);
}

function isTexts(key: SortKey): key is readonly string[] {
  return typeof key[0] === "string";
}

/** The place of each text among all different ones: texts are compared only for these. */
export function ranksOf(texts: readonly string[]): Uint32Array {
  const ranks = new Map([...new Set(texts)].sort(compare).map((t, i) => [t, i] as const));
  return Uint32Array.from(texts, (t) => ranks.get(t)!);
}

const compare = (a: string, b: string) => a < b ? -1 : a > b ? 1 : 0;

/** The rows of an order that pass. */
export function filterRows(order: Uint32Array, passes: (row: number) => boolean): Uint32Array {
  const list = new Uint32Array(order.length);
  let n = 0;
  for (const row of order) if (passes(row)) list[n++] = row;
  return list.slice(0, n);
}
