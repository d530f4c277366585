// Flags and bands of findings: those that would cover each other are one, or stand below each other. It needs no document.

import { severityNumber } from "../severity";
import type { Found } from "./model";

/** Findings whose flags would cover each other. */
export interface Group {
  x: number;
  found: Found[];
}

/** groupsOf puts flags together that are less than distance apart; the worst comes first in each. */
export function groupsOf(findings: Found[], x: (at: number) => number, distance: number): Group[] {
  const groups: Group[] = [];
  for (const f of [...findings].sort((a, b) => a.first - b.first || a.number - b.number)) {
    const at = x(f.first), last = groups[groups.length - 1];
    if (last && at - last.x < distance) last.found.push(f);
    else groups.push({ x: at, found: [f] });
  }
  for (const g of groups) g.found.sort((a, b) => severityNumber(b.severity) - severityNumber(a.severity) || a.number - b.number);
  return groups;
}

/** A stretch of time that a finding is about, and the row of its bar. */
export interface Band {
  found: Found;
  from: number;
  to: number;
  row: number;
}

/** Rows of bars; beyond these the others share the last one. */
const mostRows = 4;

/** bandsOf are the stretches of all findings, in rows in which none covers another. */
export function bandsOf(findings: Found[]): { bands: Band[]; rows: number } {
  const bands = findings.flatMap((found) => found.stretches.map(([from, to]): Band => ({ found, from, to, row: 0 })));
  bands.sort((a, b) => a.from - b.from || b.to - a.to);
  const ends: number[] = [];
  for (const b of bands) {
    let row = ends.findIndex((end) => end <= b.from);
    if (row < 0) row = Math.min(ends.length, mostRows - 1);
    ends[row] = Math.max(ends[row] ?? 0, b.to);
    b.row = row;
  }
  return { bands, rows: ends.length };
}
