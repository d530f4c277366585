import type { Octets } from "../octets";

/** What is wrong with a regular expression: what it is, as Go says it, and the part of it at fault. */
export class PatternError extends Error {
  constructor(readonly code: string, readonly part: Octets) {
    super(code);
  }
}

/** Whether a character, by its number, is one of those meant. */
export type Class = (rune: number) => boolean;

/** Where a text may be cut. Lines end in \n; words are of ASCII letters, digits and _. */
export type Place = "beginText" | "endText" | "beginLine" | "endLine" | "boundary" | "noBoundary";

/** A regular expression as a tree. */
export type Tree =
  | { kind: "class"; has: Class }
  | { kind: "place"; place: Place }
  | { kind: "concat" | "alternate"; parts: Tree[] }
  /** max is Infinity where there is none. counted: written in braces. */
  | { kind: "repeat"; min: number; max: number; counted: boolean; part: Tree };
