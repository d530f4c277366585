// What the charts of a connection show: the same numbers are drawn and written
// as a table. It needs no document.

import type { Series } from "./model";
import type { Rows } from "./rows";

/** A column of a chart: a value for each bin, null where nobody knows. */
export interface Line {
  label: string;
  /** 1 to 4: its colour, width and dashes. 2 is wide, so that it is drawn before 1. */
  ink: number;
  values: (number | null)[];
}

/** A chart of lines over the bins of a series. */
export interface Chart {
  title: string;
  unit: string;
  lines: Line[];
  /** Only whole numbers make sense. */
  whole?: boolean;
  /** The text in the chart's place, if there is nothing to draw. */
  instead?: string;
}

/** Where bins begin, in seconds since the start of the capture. */
export function binTimes(s: Series): number[] {
  return s.columns.calls.map((_, i) => (s.from + i * s.width) / 1e9);
}

/** chartsOf are the charts of lines that a series has. */
export function chartsOf(s: Series): Chart[] {
  const c = s.columns;
  const perSecond = (values: number[]) => values.map((v) => (v * 1e9) / s.width);
  const credits: Line[] = [
    { label: "granted", ink: 2, values: carryForward(c.granted_max) },
    { label: "most used", ink: 1, values: creditsUsed(s) },
    { label: "requested", ink: 3, values: carryForward(c.asked) },
  ];
  if (c.granted_min.some((v, i) => v !== c.granted_max[i])) {
    credits.splice(1, 0, { label: "least granted", ink: 4, values: carryForward(c.granted_min) });
  }
  return [
    { ...chart("Credits for calls to server: granted and used", "credits", credits, "No credits seen."), whole: true },
    chart("Throughput", "bytes/s", [
      { label: "Sends to server", ink: 2, values: perSecond(c.send_in) },
      { label: "Sends to client", ink: 1, values: perSecond(c.send_out) },
      { label: "RDMA Read", ink: 3, values: perSecond(c.read) },
      { label: "RDMA Write", ink: 4, values: perSecond(c.write) },
    ], "No bytes moved."),
    chart("Calls to server and their replies", "per second", [
      { label: "calls", ink: 2, values: perSecond(c.calls) },
      { label: "replies", ink: 1, values: perSecond(c.replies) },
    ], "No calls or replies."),
    {
      ...chart("Retransmissions and errors", `in ${binWidth(s.width)}`, [
        { label: "retransmissions", ink: 2, values: c.retransmissions },
        { label: "errors", ink: 1, values: c.errors },
      ], "No retransmissions or errors in this time."),
      whole: true,
    },
  ];
}

/** carryForward fills bins without a value with the last value before them. */
export function carryForward(values: (number | null)[]): (number | null)[] {
  let last: number | null = null;
  return values.map((v) => (last = v ?? last));
}

/** creditsUsed are the credits used in each bin. In a bin without a call or a reply these are the calls that
 * wait for their replies, unless the capture has replies to calls that it does not have. */
export function creditsUsed(s: Series): (number | null)[] {
  const { calls, replies, used_max } = s.columns;
  let open = 0;
  let began = false;
  return used_max.map((v, i) => {
    open += calls[i]! - replies[i]!;
    began ||= v !== null;
    return v ?? (began && open >= 0 ? open : null);
  });
}

function chart(title: string, unit: string, lines: Line[], instead: string): Chart {
  const seen = lines.filter((l) => l.values.some((v) => v));
  return seen.length > 0 ? { title, unit, lines: seen } : { title, unit, lines: [], instead };
}

function binWidth(ns: number): string {
  return ns >= 1e9 ? `${Number((ns / 1e9).toPrecision(3))} s` : `${Number((ns / 1e6).toPrecision(3))} ms`;
}

/** How the point of an RPC is marked in the scatter chart of latencies. */
export enum PointMark {
  None,
  Error,
  Finding,
}

/** The latencies of a connection's RPCs, by the time of their calls. */
export interface Scatter {
  /** Indexes of the rows. */
  rows: number[];
  /** Seconds since the start of the capture. */
  times: number[];
  /** Milliseconds. */
  latencies: number[];
  marks: PointMark[];
}

/** scatterOf gathers the RPCs of a connection whose latency is known. */
export function scatterOf(rows: Rows, connection: number, isError: (row: number) => boolean): Scatter {
  const [of, start, latency, severity] = ["connection", "start", "latency", "severity"].map((n) => rows.numbers(n));
  const list: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    if (of![i] === connection && latency![i]! >= 0) list.push(i);
  }
  list.sort((a, b) => start![a]! - start![b]!);
  return {
    rows: list,
    times: list.map((i) => start![i]! / 1e9),
    latencies: list.map((i) => latency![i]! / 1e6),
    // A note does not mean that the RPC failed, so it is not marked.
    marks: list.map((i) => (severity![i]! >= 2 ? PointMark.Finding : isError(i) ? PointMark.Error : PointMark.None)),
  };
}

/** The latencies of the RPCs that were called in a bin, in milliseconds. */
export interface LatencyBin {
  from: number;
  count: number;
  least: number;
  median: number;
  most: number;
}

/** latencyBins are the numbers of a scatter as a table; bins without an RPC
 * are left out. */
export function latencyBins(scatter: Scatter, s: Series): LatencyBin[] {
  const bins = new Map<number, number[]>();
  scatter.times.forEach((t, i) => {
    const bin = Math.floor((t * 1e9 - s.from) / s.width);
    const list = bins.get(bin);
    if (list) list.push(scatter.latencies[i]!);
    else bins.set(bin, [scatter.latencies[i]!]);
  });
  return [...bins].sort(([a], [b]) => a - b).map(([bin, list]) => {
    list.sort((a, b) => a - b);
    return {
      from: (s.from + bin * s.width) / 1e9,
      count: list.length,
      least: list[0]!,
      median: list[(list.length - 1) >> 1]!, // the lower of two, as in the table of operations
      most: list[list.length - 1]!,
    };
  });
}

/** nearest is the index of the point closest to x and y, in pixels as at
 * places them, -1 if none is within reach. The times are in order. */
export function nearest(
  s: Scatter, from: number, to: number, reach: number, distance: (i: number) => number,
): number {
  let low = 0;
  let high = s.times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (s.times[middle]! < from) low = middle + 1;
    else high = middle;
  }
  let best = -1;
  let least = reach;
  for (let i = low; i < s.times.length && s.times[i]! <= to; i++) {
    const d = distance(i);
    if (d <= least) {
      best = i;
      least = d;
    }
  }
  return best;
}

/** isError reports whether a status means that an RPC, or one of its operations, failed. */
export function isError(status: string): boolean {
  return status !== "" && status !== "SUCCESS" && !status.endsWith("_OK");
}
