import type { Class, Place, Tree } from "./syntax";

/** One step: a character of a class, a place that has to be, a choice of two, or the end. */
export type Step =
  | { kind: "class"; has: Class; next: number }
  | { kind: "place"; place: Place; next: number }
  | { kind: "split"; next: number; other: number }
  | { kind: "match" };

/** The steps of a tree; the first to take is start. */
export interface Program {
  steps: Step[];
  start: number;
}

/** More steps than this are refused: a page has not the memory of a program. */
const maxSteps = 200_000;

/** Makes the steps of a tree, undefined if they are too many. They are made from the end. */
export function compile(tree: Tree): Program | undefined {
  const steps: Step[] = [{ kind: "match" }];
  let tooMany = false;
  const add = (s: Step): number => {
    if (steps.length >= maxSteps) {
      tooMany = true;
      return 0;
    }
    return steps.push(s) - 1;
  };
  /** Makes the steps of t in front of those from next on; returns the first. */
  const make = (t: Tree, next: number): number => {
    if (tooMany) return 0;
    switch (t.kind) {
      case "class": return add({ kind: "class", has: t.has, next });
      case "place": return add({ kind: "place", place: t.place, next });
      case "concat": return t.parts.reduceRight((after, part) => make(part, after), next);
      case "alternate":
        return t.parts.map((p) => make(p, next)).reduceRight((other, first) => add({ kind: "split", next: first, other }));
      case "repeat": {
        let at = next;
        if (t.max === Infinity) {
          const loop: Step = { kind: "split", next: 0, other: next };
          at = add(loop);
          loop.next = make(t.part, at);
        } else {
          for (let i = t.min; i < t.max && !tooMany; i++) at = add({ kind: "split", next: make(t.part, at), other: next });
        }
        for (let i = 0; i < t.min && !tooMany; i++) at = make(t.part, at);
        return at;
      }
    }
  };
  const start = make(tree, 0);
  return tooMany ? undefined : { steps, start };
}
