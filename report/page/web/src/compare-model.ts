// In what two RPCs differ. It needs no document.

import { latencyOf, peers, transferOf } from "./columns";
import type { Phase } from "./model";
import type { Rows } from "./rows";
import { severityLabel } from "./severity";
import { grouped, plain } from "./text";
import { duration, frameName, byteCount, seconds } from "./units";

/** What is so of both, and in what the first differs: "" if in nothing. */
export interface Fact {
  title: string;
  values: [string, string];
  differs: string;
}

/** What both are, row by row. */
export function factsOfTwo(rows: Rows, two: [number, number]): Fact[] {
  /** differs is the text if the values differ, null if they always differ or a difference means nothing. */
  const fact = (title: string, text: (row: number) => string, differs: string | null = ""): Fact => {
    const values = two.map((row) => text(row) || "–") as [string, string];
    return { title, values, differs: values[0] === values[1] || differs === null ? "" : differs || "differs" };
  };
  const number = (column: string, row: number) => rows.numbers(column)[row]!;
  /** Bytes, and how many more the first has, if both are known: neither is none. */
  const bytes = (title: string, column: string, none?: number) => {
    const [a, b] = two.map((row) => number(column, row)) as [number, number];
    return fact(title, (row) => (number(column, row) === none ? "" : byteCount(number(column, row))),
      a === none || b === none ? "" : `first: ${byteCount(Math.abs(a - b))} ${a > b ? "more" : "less"}`);
  };
  const frame = (half: "" | "reply_", row: number) => {
    const n = number(`${half}frame`, row);
    return n === 0 ? "not in the capture" : frameName(n, rows.hasColumn(`${half}file`) ? number(`${half}file`, row) : undefined);
  };
  const { longer, words } = ratioOf(number("latency", two[0]), number("latency", two[1]));
  return [
    fact("Status", (row) => plain(rows.named("status", row))),
    fact("Finding", (row) => severityLabel(number("severity", row)) || "none"),
    fact("Complete", (row) => (number("complete", row) ? "yes" : "no: part of it is not in the capture")),
    fact("Latency", (row) => latencyOf(rows, row), longer === 2 && words ? null : words && `${["first: ", "second: "][longer]}${words}`),
    fact("Time", (row) => `${seconds(number("start", row))} s`, null),
    bytes("Call", "call_length", -1),
    fact("Call sent", (row) => transferOf(rows, "call", row)),
    bytes("Reply", "reply_length", -1),
    fact("Reply sent", (row) => transferOf(rows, "reply", row)),
    bytes("Moved by RDMA Reads", "read_bytes"),
    bytes("Moved by RDMA Writes", "write_bytes"),
    fact("Connection", (row) => `${number("connection", row)}: ${peers(rows, row)}`),
    fact("Frames", (row) => `${frame("", row)} → ${frame("reply_", row)}`, null),
    fact("Operations", (row) => plain(rows.text("detail")[row] ?? "")),
  ];
}

/** Which of two took longer (2: neither), and how much in words, "" if one of the latencies, in nanoseconds, is not known. */
export function ratioOf(first: number, second: number): { longer: 0 | 1 | 2; words: string } {
  const least = Math.min(first, second), ratio = Math.max(first, second) / least;
  if (least < 0 || least === 0 && ratio === Infinity) return { longer: 2, words: "" };
  if (!(ratio >= 1.05)) return { longer: 2, words: "about as long" };
  return { longer: first > second ? 0 : 1, words: `${ratio >= 100 ? grouped(Math.round(ratio)) : ratio.toPrecision(3)} times as long` };
}

/** A part of the time of two RPCs: nanoseconds of each, -1 if they are not known. */
export interface Part {
  word: string;
  name: string;
  ns: [number, number];
  of: 0 | 1;
}

/** The parts of the time of both, in their order; one that only the other has took no time. */
export function partsOf(first: Phase[] | undefined, second: Phase[] | undefined): Part[] {
  const parts: Part[] = (first ?? []).map(([word, name, ns, of]) => ({ word, name, ns: [ns, second ? 0 : -1], of }));
  let next = 0;
  for (const [word, name, ns, of] of second ?? []) {
    const i = parts.findIndex((p) => p.word === word);
    if (i >= 0) parts[i]!.ns[1] = ns;
    else parts.splice(next, 0, { word, name, ns: [first ? 0 : -1, ns], of });
    next = i >= 0 ? i + 1 : next + 1;
  }
  return parts;
}

/** How much longer a part took in the first, "" if that is not known. */
export function differenceWords([first, second]: [number, number]): string {
  if (first < 0 || second < 0) return "";
  return first === second ? "the same" : `${duration(Math.abs(first - second))} ${first > second ? "more" : "less"}`;
}

/** The parts of one of the two, as those of one RPC are. */
export function phasesOf(parts: Part[], ns: (two: [number, number]) => number): Phase[] {
  return parts.map((p) => [p.word, p.name, ns(p.ns), p.of]);
}
