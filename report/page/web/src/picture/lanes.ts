// Where the lanes of the picture are, one below the other, and how values become heights. It needs no document.

import type { Model } from "./model";
import { grouped } from "../text";
import { rate } from "../units";

/** A lane: a line of words, and below it height pixels to draw in. */
export interface Lane {
  kind: "connections" | "latency" | "bytes" | "credits" | "counts";
  title: string;
  /** What its height means, at the right. */
  scale: string;
  top: number;
  height: number;
  /** Of counts: which. */
  index: number;
}

/** Height of the words above a lane, and the distance to the next one. */
export const titleHeight = 17;
const distance = 7;
/** Height of the marks of calls without a reply or with an error, above the latencies. */
export const edgeHeight = 12;
/** Rows of connections that are drawn. */
const mostConnectionRows = 24;

/** A connection's row, and its height. */
export interface Stacked {
  rows: Int32Array;
  count: number;
}

/** stackConnections gives each connection a row in which no other is at that time; beyond the most they share the last one. */
export function stackConnections(model: Model): Stacked {
  const order = model.connections.map((_, i) => i).sort((a, b) => model.connections[a]!.first - model.connections[b]!.first);
  const ends: number[] = [];
  const rows = new Int32Array(model.connections.length);
  for (const i of order) {
    const c = model.connections[i]!;
    let row = ends.findIndex((end) => end < c.first);
    if (row < 0) row = Math.min(ends.length, mostConnectionRows - 1);
    ends[row] = Math.max(ends[row] ?? 0, c.last);
    rows[i] = row;
  }
  return { rows, count: ends.length };
}

export function lanesOf(model: Model, stacked: Stacked, top: number): { lanes: Lane[]; height: number } {
  const lanes: Lane[] = [];
  const add = (kind: Lane["kind"], title: string, scale: string, height: number, index = 0) => {
    lanes.push({ kind, title, scale, top: top + titleHeight, height, index });
    top += titleHeight + height + distance;
  };
  const n = model.connections.length, all = model.allConnections;
  add("connections", n < all ? `${grouped(n)} of ${grouped(all)} connections` : n === 1 ? "Connection" : `${grouped(n)} connections`, "", stacked.count * connectionHeight(stacked.count));
  if (model.calls.at.length > 0) add("latency", "Latency of each RPC", "logarithmic", 150 + edgeHeight);
  if (mostBytes(model) > 0) add("bytes", "Bytes per second: to server ▲, to client ▼", `${rate(mostBytes(model))} at most`, 70);
  if (model.credits.length > 0) add("credits", model.connections.length === 1 ? "Credits: granted, and used" : "Credits of the connection with the fewest left: granted, and used", `${mostCredits(model)} at most`, 42);
  model.counts.forEach((c, i) => {
    const sum = c.values.reduce((a, b) => a + b, 0);
    add("counts", c.title, `${grouped(sum)} in all`, 18, i);
  });
  return { lanes, height: top };
}

/** Height of a connection's row. */
export function connectionHeight(rows: number): number {
  return rows <= 6 ? 10 : 4;
}

/** The most bytes per second in a bin, in one direction. */
export function mostBytes(model: Model): number {
  let most = 0;
  for (const list of [model.bytes.toServer, model.bytes.toClient]) for (const v of list) most = Math.max(most, v);
  return (most * 1e9) / model.bins.width;
}

export function mostCredits(model: Model): number {
  let most = 1;
  for (const c of model.credits) c.granted.forEach((n, i) => (most = n === null ? most : Math.max(most, n, c.used[i] ?? 0)));
  return most;
}

/** The powers of ten, in nanoseconds, that latencies lie between. */
export function decades(model: Model): [least: number, most: number] {
  let least = Infinity, most = 0;
  for (const ns of model.calls.latency) {
    if (ns < 0) continue;
    least = Math.min(least, Math.max(1, ns));
    most = Math.max(most, ns);
  }
  if (most === 0) return [3, 6];
  const low = Math.floor(Math.log10(least));
  return [low, Math.max(low + 1, Math.ceil(Math.log10(most * 1.1)))];
}

/** A power of ten of nanoseconds in words: "100 µs". */
export function decadeWords(power: number): string {
  const units = ["ns", "µs", "ms", "s"];
  const unit = Math.min(3, Math.floor(power / 3));
  return `${10 ** (power - 3 * unit)} ${units[unit]}`;
}

/** Distances of the marks of the time axis, in nanoseconds. */
export function ticks([from, to]: [number, number], most: number): number[] {
  const rough = (to - from) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 5, 10].map((n) => n * power).find((s) => s >= rough) ?? 10 * power;
  const list: number[] = [];
  for (let t = Math.ceil(from / step) * step; t <= to; t += step) list.push(t);
  return list;
}
