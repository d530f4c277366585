// Which RPC is a typical one of its kind. It needs no document.

import { isError } from "./charts-model";
import type { Meta } from "./model";
import type { Rows } from "./rows";
import { count, plain } from "./text";
import { duration } from "./units";

/** A typical RPC of the kind of another. */
export interface Typical {
  row: number;
  /** How many of the kind there are, the other one not among them. */
  of: number;
  /** Their median latency, the lower one of two, in nanoseconds; whether it is that of row. */
  median: number;
  exact: boolean;
  /** Whether they moved about as many bytes as the other. */
  sized: boolean;
}

/**
 * The typical one of the kind of a row: of those with its name that were called in the same direction, moved about as many bytes
 * (if there are any such) and succeeded without a warning or an error, that with the median latency, or that next to it of which the page has the ladder.
 */
export function typicalOf({ rows, meta }: { rows: Rows; meta: Meta }, row: number): Typical | undefined {
  const [name, reverse, latency, status, complete, severity, evidence] =
    ["name", "reverse", "latency", "status", "complete", "severity", "evidence"].map((c) => rows.numbers(c));
  const failed = meta.names.map(isError);
  const kind: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    if (i !== row && name![i] === name![row] && reverse![i] === reverse![row] && latency![i]! >= 0 && complete![i] && severity![i]! < 2 && !failed[status![i]!]) kind.push(i);
  }
  const size = sizeOf(rows, row), same = kind.filter((i) => sizeOf(rows, i) === size), sized = same.length > 0;
  const all = (sized ? same : kind).sort((a, b) => latency![a]! - latency![b]! || a - b);
  if (all.length === 0) return undefined;
  const middle = (all.length - 1) >> 1, far = (i: number) => Math.abs(i - middle);
  const best = all.reduce((best, r, i) => (evidence![r]! > 0 && (best < 0 || far(i) < far(best)) ? i : best), -1);
  const at = best < 0 ? middle : best;
  return { row: all[at]!, of: all.length, median: latency![all[middle]!]!, exact: at === middle, sized };
}

/**
 * The power of two that is next to the bytes that chunks of an RPC moved. The next one, and not the one below: where the capture
 * lacks some of the bytes, it is still that of the others.
 */
function sizeOf(rows: Rows, row: number): number {
  return Math.round(Math.log2(rows.numbers("read_bytes")[row]! + rows.numbers("write_bytes")[row]!));
}

/** Says of what an RPC, one with that name, is typical. */
export function typicalWords({ of, median, exact, sized }: Typical, name: string): string {
  const kind = `${of === 1 ? plain(name) : count(of, plain(name))} ${sized ? "of a similar size " : ""}that succeeded without a warning or an error`;
  const which = of === 1 ? `the only other ${kind}` : `${exact ? "" : "of those with a ladder in the page next to "}the median of ${kind}`;
  return `It is ${which}, ${duration(median)}${sized ? "" : "; none is of a similar size"}.`;
}
