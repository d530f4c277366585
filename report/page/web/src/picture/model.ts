// What the picture of the whole capture shows, lane by lane. It needs no document.

import type { ConnectionModel, Series, CaptureSeries } from "../model";
import type { Rows } from "../rows";
import { creditsUsed, carryForward } from "../charts-model";
import type { Range } from "../timeline";

/** A finding as the picture shows it: a flag, and bands for the stretches of time that it is about. */
export interface Found {
  number: number;
  rule: string;
  title: string;
  severity: string;
  /** Nanoseconds since the start of the capture: of the frame that it names, and when it was found last. */
  first: number;
  last: number;
  stretches: [from: number, to: number][];
}

/** What happened to a call. */
export const enum CallOutcome {
  Answered,
  Failed,
  NoReply,
}

/** A lane of counts: what was counted in each bin. */
export interface Counts {
  title: string;
  /** One of them, and several. */
  noun: [one: string, several: string];
  values: number[];
  /** Whether even one of them is abnormal: an error status is a normal reply to many calls. */
  abnormal: boolean;
}

/** What the picture is drawn from. Times are nanoseconds since the start of the capture. */
export interface Model {
  range: Range;
  /** Those that the page names: it may not have room for all. */
  connections: ConnectionModel[];
  /** How many the capture has. */
  allConnections: number;
  findings: Found[];
  /** Rows by the time of their call, with what happened to each. */
  calls: { row: Int32Array; at: Float64Array; latency: Float64Array; fate: Uint8Array };
  /** The longest latency of all. */
  longest: number;
  /** Start and width of the bins of bytes and counts; there are none if nothing was counted. */
  bins: { from: number; width: number; n: number };
  bytes: { toServer: number[]; toClient: number[] };
  counts: Counts[];
  credits: Credits[];
}

/** Credits of a connection in bins of its own. */
export interface Credits {
  from: number;
  width: number;
  granted: (number | null)[];
  used: (number | null)[];
}

const countLanes: [column: keyof WholeColumns, title: string, one: string, several: string][] = [
  ["lost", "Lost before the capture point, at the time of retransmission", "lost frame", "lost frames"],
  ["retransmissions", "Retransmissions of frames that the capture has", "retransmission", "retransmissions"],
  ["naks", "NAKs", "NAK", "NAKs"],
  ["rnr_naks", "RNR NAKs", "RNR NAK", "RNR NAKs"],
  ["cnps", "Congestion notifications (CNP)", "CNP", "CNPs"],
  ["pauses", "PFC and PAUSE frames", "pause frame", "pause frames"],
  ["errors", "Replies with an error status", "reply with an error status", "replies with an error status"],
];

type WholeColumns = CaptureSeries["columns"];

/** modelOf puts together what the page has. */
export function modelOf(
  rows: Rows, connections: ConnectionModel[], allConnections: number, findings: Found[], whole: CaptureSeries | undefined, series: Series[], isError: (row: number) => boolean,
): Model {
  const calls = callsOf(rows, isError);
  const bins = whole ? { from: whole.from, width: whole.width, n: whole.columns.to_server.length } : { from: 0, width: 1, n: 0 };
  let from = Infinity, to = -Infinity;
  const take = (a: number, b: number) => {
    from = Math.min(from, a);
    to = Math.max(to, b);
  };
  for (const c of connections) take(c.first, c.last);
  if (calls.at.length > 0) take(calls.at[0]!, calls.at[0]!);
  for (let i = 0; i < calls.at.length; i++) to = Math.max(to, calls.at[i]! + Math.max(0, calls.latency[i]!));
  for (const f of findings) take(f.first, f.last);
  return {
    range: from < to ? [from, to] : [0, 0],
    connections, allConnections, findings, calls, bins,
    longest: calls.latency.reduce((a, b) => Math.max(a, b), 0),
    bytes: { toServer: whole?.columns.to_server ?? [], toClient: whole?.columns.to_client ?? [] },
    counts: countLanes.map(([column, title, one, several]): Counts => ({ title, noun: [one, several], values: whole?.columns[column] ?? [], abnormal: column !== "errors" }))
      .filter((c) => c.values.some((v) => v > 0)),
    credits: series.map((s) => ({ from: s.from, width: s.width, granted: carryForward(s.columns.granted_max), used: creditsUsed(s) })).filter((c) => c.granted.some((n) => n !== null)),
  };
}

function callsOf(rows: Rows, isError: (row: number) => boolean): Model["calls"] {
  const [start, latency, call, reply] = ["start", "latency", "frame", "reply_frame"].map((n) => rows.numbers(n));
  const list: number[] = [];
  for (let i = 0; i < rows.length; i++) if (call![i]! > 0) list.push(i);
  list.sort((a, b) => start![a]! - start![b]!);
  return {
    row: Int32Array.from(list),
    at: Float64Array.from(list, (i) => start![i]!),
    latency: Float64Array.from(list, (i) => latency![i]!),
    fate: Uint8Array.from(list, (i) => latency![i]! < 0 && reply![i] === 0 ? CallOutcome.NoReply : isError(i) ? CallOutcome.Failed : CallOutcome.Answered),
  };
}

/** The first of sorted times that is not before one. */
export function firstAt(times: ArrayLike<number>, at: number): number {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first call that may be open at a time. */
export function openSince({ calls, longest }: Model, at: number): number {
  return firstAt(calls.at, at - longest);
}

/** What was counted from one time to another, in bins that begin there. */
export function sumIn({ bins }: Model, values: number[], [from, to]: Range): number {
  let sum = 0;
  const first = Math.max(0, Math.ceil((from - bins.from) / bins.width));
  for (let i = first; i < values.length && bins.from + i * bins.width < to; i++) sum += values[i]!;
  return sum;
}

/** The bin of a time, -1 if there is none. */
export function binAt({ bins }: Model, at: number): number {
  const i = Math.floor((at - bins.from) / bins.width);
  return i >= 0 && i < bins.n ? i : -1;
}

/** Granted and used credits, of the connection that had the fewest left, at some time from one to another. */
export function creditsIn(model: Model, from: number, to: number): { granted: number; used: number } | undefined {
  let worst: { granted: number; used: number } | undefined;
  for (const c of model.credits) {
    const last = Math.min(c.granted.length - 1, Math.floor((to - c.from) / c.width));
    for (let i = Math.max(0, Math.floor((from - c.from) / c.width)); i <= last; i++) {
      const granted = c.granted[i], used = c.used[i];
      if (granted === null || granted === undefined || used === null || used === undefined) continue;
      if (!worst || granted - used < worst.granted - worst.used || granted - used === worst.granted - worst.used && used > worst.used) worst = { granted, used };
    }
  }
  return worst;
}
