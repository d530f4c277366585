import type { Operator } from "./operator";

/** A whole number: a bigint where a double does not hold it. The two compare with each other. */
export type Num = number | bigint;

/** All values from lo to hi, both included: numbers, or keys of addresses. */
export interface Span<T> {
  lo: T;
  hi: T;
}

/** The number, as a double if that holds it. */
export function num(v: bigint): Num {
  const n = Number(v);
  return Number.isSafeInteger(n) ? n : v;
}

/** Sorts spans and joins those that overlap, so that they can be searched. */
export function mergeSpans<T extends Num | string>(list: Span<T>[]): Span<T>[] {
  const kept: Span<T>[] = [];
  for (const s of [...list].sort((a, b) => a.lo < b.lo ? -1 : a.lo > b.lo ? 1 : 0)) {
    const last = kept.at(-1);
    if (!last || s.lo > last.hi) kept.push({ ...s });
    else if (s.hi > last.hi) last.hi = s.hi;
  }
  return kept;
}

/** The index of the first of spans, which are normal, that ends at the value or after it. */
export function searchSpans<T extends Num | string>(list: readonly Span<T>[], v: T): number {
  let from = 0, to = list.length;
  while (from < to) {
    const i = (from + to) >> 1;
    if (list[i]!.hi < v) from = i + 1;
    else to = i;
  }
  return from;
}

/** Whether one of the spans, which are normal, has the value. */
export function inSpans<T extends Num | string>(list: readonly Span<T>[], v: T): boolean {
  const s = list[searchSpans(list, v)];
  return s !== undefined && s.lo <= v;
}

/** The numbers, of those from first to last, for which the comparison with v holds. */
export function numberSpans(op: Operator, v: bigint, first: bigint, last: bigint): Span<Num>[] {
  const spans = (lo: bigint, hi: bigint) => lo > hi ? [] : [{ lo: num(lo), hi: num(hi) }];
  switch (op) {
    case "less": return spans(first, v - 1n);
    case "lessEqual": return spans(first, v);
    case "greater": return spans(v + 1n, last);
    case "greaterEqual": return spans(v, last);
    default: return spans(v, v);
  }
}
