// What is at a point of the picture, in words.

import type { Rows } from "../rows";
import { rowWords } from "../charts";
import { duration, rate } from "../units";
import { binAt, creditsIn, CallOutcome, type Model } from "./model";

/** Everything that was counted at a time. */
export function wordsAt(model: Model, at: number): string {
  const parts: string[] = [];
  const i = binAt(model, at);
  if (i >= 0) {
    const perSecond = (v: number) => rate((v * 1e9) / model.bins.width);
    parts.push(`${perSecond(model.bytes.toServer[i]!)} to server, ${perSecond(model.bytes.toClient[i]!)} to client`);
  }
  const credits = creditsIn(model, at, at);
  if (credits) parts.push(`${credits.used} of ${credits.granted} credits used`);
  for (const c of model.counts) {
    const n = i >= 0 ? c.values[i]! : 0;
    if (n > 0) parts.push(`${n} ${c.noun[n === 1 ? 0 : 1]} in ${duration(model.bins.width)}`);
  }
  return parts.join("; ");
}

/** What a call is called, and what became of it. */
export function callWords(model: Model, rows: Rows, i: number): string {
  const { row, latency, fate } = model.calls;
  const took = fate[i] === CallOutcome.NoReply ? "no reply in the capture" : latency[i]! < 0 ? "latency not known" : duration(latency[i]!);
  return `${rowWords(rows, row[i]!)}, ${took}`;
}

