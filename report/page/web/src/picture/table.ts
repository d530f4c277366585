// The picture as a table: for screen readers, and for readers who need the numbers.

import { numbers } from "../charts";
import { make } from "../make";
import type { Range } from "../timeline";
import { size } from "../units";
import { creditsIn, CallOutcome, firstAt, sumIn, type Found, type Model } from "./model";

/** How many rows the table has. */
const mostRows = 60;

/** What happened in a stretch of time, in rows of the same length: each of whole bins, whose bytes and counts are those of the row. */
export function tableOf(model: Model, range: Range): HTMLElement {
  const { rows, from: start, step } = rowsOf(model, range);
  const heads = ["From [s]", "RPCs", "Slowest [ms]", "No reply", "To server [B/s]", "To client [B/s]", "Credits used", "of granted",
    ...model.counts.map((c) => c.noun[1].charAt(0).toUpperCase() + c.noun[1].slice(1)), "Findings"];
  const lines: string[][] = [];
  for (let i = 0; i < rows; i++) {
    const from = start + i * step, to = i === rows - 1 ? Math.max(range[1] + 1, from + step) : from + step;
    const calls = callsIn(model, from, to), credits = creditsIn(model, from, to);
    const rate = (values: number[]) => size((sumIn(model, values, [from, to]) * 1e9) / step);
    const counts = model.counts.map((c) => String(sumIn(model, c.values, [from, to])));
    const found = foundIn(model, from, to);
    lines.push([(from / 1e9).toFixed(6), String(calls.count), calls.slowest < 0 ? "–" : String(Number((calls.slowest / 1e6).toPrecision(4))), String(calls.silent),
      rate(model.bytes.toServer), rate(model.bytes.toClient), credits ? String(credits.used) : "–", credits ? String(credits.granted) : "–", ...counts,
      found.map((f) => `${f.number} ${f.rule}`).join(", ") || "–"]);
  }
  return make("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "The picture as a table" }, numbers(heads, lines));
}

/** How a time is divided into rows: one of the whole capture's bins each, or several. */
export function rowsOf({ bins }: Model, [from, to]: Range): { rows: number; from: number; step: number } {
  if (bins.n === 0) return { rows: mostRows, from, step: (to - from) / mostRows };
  const first = Math.floor((from - bins.from) / bins.width), last = Math.max(first, Math.ceil((to - bins.from) / bins.width) - 1);
  const each = Math.ceil((last - first + 1) / mostRows);
  return { rows: Math.ceil((last - first + 1) / each), from: bins.from + first * bins.width, step: each * bins.width };
}

function callsIn(model: Model, from: number, to: number): { count: number; slowest: number; silent: number } {
  const { at, latency, fate } = model.calls;
  const first = firstAt(at, from), end = firstAt(at, to);
  let slowest = -1, silent = 0;
  for (let i = first; i < end; i++) {
    slowest = Math.max(slowest, latency[i]!);
    if (fate[i] === CallOutcome.NoReply) silent++;
  }
  return { count: end - first, slowest, silent };
}

/** Findings that were found there first, or are about that time. */
function foundIn(model: Model, from: number, to: number): Found[] {
  return model.findings.filter((f) => from <= f.first && f.first < to || f.stretches.some(([a, b]) => a < to && b > from));
}
