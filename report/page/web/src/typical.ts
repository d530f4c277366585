// Which RPC is a typical one of its kind. It needs no document.

import { isError } from "./charts-model";
import type { Meta } from "./model";
import type { Rows } from "./rows";
import { grouped, plain } from "./text";
import { duration } from "./units";

/** A typical RPC of the kind of another. */
export interface Typical {
  row: number;
  /** How many of the kind there are, without the other one. */
  count: number;
  /** Their median latency, the lower one of two, in nanoseconds; whether it is that of row. */
  median: number;
  exact: boolean;
  /** Whether they have about as many bytes as the other; undefined if its size is not known. */
  similarSize: boolean | undefined;
}

/** Of fewer, none is called typical. */
const fewest = 3;

/**
 * The typical one of the kind of a row: of those with its name that were called in the same direction, have about as many bytes
 * (if there are any such), are whole in the capture and succeeded without a warning or an error, that with the median latency, or
 * that next to it of which the page has the ladder.
 */
export function typicalOf({ rows, meta }: { rows: Rows; meta: Meta }, row: number): Typical | undefined {
  const [name, reverse, latency, status, complete, severity, evidence, program] =
    ["name", "reverse", "latency", "status", "complete", "severity", "evidence", "program"].map((c) => rows.numbers(c));
  if (program![row]! < 0) return undefined; // what it calls is not known
  const failed = meta.names.map(isError);
  const kind: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    if (i !== row && name![i] === name![row] && reverse![i] === reverse![row] && latency![i]! >= 0 && complete![i] && severity![i]! < 2 && !failed[status![i]!]) kind.push(i);
  }
  const size = sizeOf(rows, row), same = kind.filter((i) => sizeOf(rows, i) === size);
  const similarSize = size < 0 ? undefined : same.length > 0;
  const all = (similarSize ? same : kind).sort((a, b) => latency![a]! - latency![b]! || a - b);
  if (all.length === 0) return undefined;
  const middle = (all.length - 1) >> 1, far = (i: number) => Math.abs(i - middle);
  const best = all.reduce((best, r, i) => (evidence![r]! > 0 && (best < 0 || far(i) < far(best)) ? i : best), -1);
  const at = best < 0 ? middle : best;
  return { row: all[at]!, count: all.length, median: latency![all[middle]!]!, exact: at === middle, similarSize };
}

/**
 * The power of two that is next to the bytes of a call and its reply, with what chunks moved: as their headers give them, whatever
 * of it the capture has. -1 if they are not known.
 */
function sizeOf(rows: Rows, row: number): number {
  const call = rows.numbers("call_length")[row]!, reply = rows.numbers("reply_length")[row]!;
  return call < 0 || reply < 0 ? -1 : Math.round(Math.log2(Math.max(1, call + reply)));
}

/** Which those are, so many, that may be typical of a name. */
export function othersWords(name: string, of = 1, size = ""): string {
  const [call, are] = of === 1 ? ["call", "is"] : ["calls", "are"];
  return `other ${plain(name)} ${call}${size} that ${are} complete in the capture and succeeded without a warning or an error`;
}

/** Explains why the RPC called itself was chosen for its kind, and how representative it is. */
export function typicalWords({ count, median, exact, similarSize }: Typical, itself: string, name: string): string {
  const others = othersWords(name, count, similarSize ? " of a similar size" : "");
  const but = similarSize === false ? " None is of a similar size." : "";
  if (count < fewest) {
    const which = count === 1 ? "the only" : `${exact ? "the faster" : "one"} of ${count}`;
    return `${itself} is ${which} ${others}: too few to say what is typical.${but}`;
  }
  const which = exact ? "has" : "is that with a ladder in the page next to";
  const middle = count % 2 === 0 ? "lower median" : "median";
  return `${itself} is typical: it ${which} the ${middle} of the ${grouped(count)} ${others}, ${duration(median)}.${but}`;
}
