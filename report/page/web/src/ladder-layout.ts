// What a ladder's rows are, and which chunks' memory is in use beside each:
// the part of the ladder that needs no document, so that it can be tested.

import type { Chunk, Ladder, Step } from "./model";

/** The part of a chunk's bar that stands beside a row. */
export interface Bar {
  chunk: number;
  /** The lane, counted from the client's lifeline to the left. */
  lane: number;
  part: "begin" | "middle" | "end" | "only";
}

export type Row =
  | { kind: "step"; step: Step; index: number; gap: number; bars: Bar[] }
  | { kind: "chunk"; chunk: Chunk; index: number; bars: Bar[] }
  | { kind: "pause"; gap: number; hidden: number; bars: Bar[] };

/** Rows that are hidden until somebody asks for them, and how much they are. */
export interface Folded {
  kind: "folded";
  rows: Row[];
  bars: Bar[];
  steps: number;
  chunks: number;
  frames: number;
  /** Nanoseconds from the end of the step before to the end of the last one. */
  lasted: number;
}

/** More bars than this side by side do not help a reader: the tag of a chunk
 * stands at each operation all the same. */
export const mostLanes = 6;

/** rowsOf puts the chunks below the message that advertised them, and marks
 * where time passed without a packet, or with packets that are not shown. */
export function rowsOf(ladder: Ladder): Row[] {
  const rows: Row[] = [];
  const advertised = chunksByStep(ladder.chunks);
  const add = (index: number) => {
    for (const c of advertised.get(index) ?? []) {
      rows.push({ kind: "chunk", chunk: ladder.chunks[c]!, index: c, bars: [] });
    }
  };
  add(-1);
  const pause = pauseOf(ladder.steps);
  let before = 0;
  ladder.steps.forEach((step, index) => {
    const gap = index === 0 ? 0 : step.t - before;
    const hidden = step.hidden ?? 0;
    if (index > 0 && (gap >= pause || hidden > 0)) rows.push({ kind: "pause", gap, hidden, bars: [] });
    rows.push({ kind: "step", step, index, gap, bars: [] });
    add(index);
    before = endOf(step);
  });
  setBars(rows, ladder.chunks.length);
  return rows;
}

function chunksByStep(chunks: Chunk[]): Map<number, number[]> {
  const by = new Map<number, number[]>();
  chunks.forEach((c, i) => {
    const list = by.get(c.step);
    if (list) list.push(i);
    else by.set(c.step, [i]);
  });
  return by;
}

/** endOf is the time of a step's last frame. */
function endOf(step: Step): number {
  return step.t + (step.lasted ?? 0);
}

/** pauseOf is the least gap that is drawn as a pause: one that stands out
 * among the others, and that no one would call the wire's own time. */
function pauseOf(steps: Step[]): number {
  const gaps: number[] = [];
  for (let i = 1; i < steps.length; i++) gaps.push(steps[i]!.t - endOf(steps[i - 1]!));
  if (gaps.length === 0) return Infinity;
  gaps.sort((a, b) => a - b);
  const median = gaps[gaps.length >> 1]!;
  const whole = steps[steps.length - 1]!.t - steps[0]!.t;
  return Math.max(100_000, 8 * median, whole / 20);
}

/** setBars gives each chunk a lane from its own row to the last operation
 * that used it. */
function setBars(rows: Row[], chunks: number): void {
  const first = new Array<number>(chunks).fill(-1);
  const last = new Array<number>(chunks).fill(-1);
  rows.forEach((row, at) => {
    if (row.kind === "chunk") first[row.index] = last[row.index] = at;
    if (row.kind !== "step") return;
    const c = row.step.c ?? -1;
    if (c >= 0 && c < chunks && first[c]! >= 0) last[c] = at;
  });
  const busy: number[] = []; // the last row of each lane
  const order = first.map((_, c) => c).filter((c) => first[c]! >= 0);
  order.sort((a, b) => first[a]! - first[b]!);
  for (const c of order) {
    let lane = busy.findIndex((end) => end < first[c]!);
    if (lane < 0) lane = busy.length;
    if (lane >= mostLanes) continue;
    busy[lane] = last[c]!;
    for (let at = first[c]!; at <= last[c]!; at++) {
      rows[at]!.bars.push({ chunk: c, lane, part: partOf(at, first[c]!, last[c]!) });
    }
  }
}

function partOf(at: number, first: number, last: number): Bar["part"] {
  if (first === last) return "only";
  if (at === first) return "begin";
  return at === last ? "end" : "middle";
}

/** isLost reports whether an anomaly means that the frame did not arrive. The retransmission of a lost
 * frame did arrive. */
export function isLost(anomaly: string): boolean {
  return /^(lost|missing)\b/.test(anomaly);
}

/** tagsOf are the short names that tie chunks to their operations: R1 for the
 * first Read chunk, W2 for Write chunk 2, RP for the Reply chunk. */
export function tagsOf(chunks: Chunk[]): string[] {
  const count = { read: 0, write: 0, reply: 0 };
  const replies = chunks.filter((c) => c.kind === "reply").length;
  return chunks.map((c) => {
    const n = ++count[c.kind];
    switch (c.kind) {
      case "read":
        return "R" + n;
      case "write":
        // One that was offered without memory is not in the list, but was counted.
        return "W" + (/\d+$/.exec(c.label)?.[0] ?? n);
      default:
        return replies === 1 ? "RP" : "RP" + n;
    }
  });
}

/** lanesOf is the number of lanes that the rows use. */
export function lanesOf(rows: Row[]): number {
  let lanes = 0;
  for (const row of rows) for (const bar of row.bars) lanes = Math.max(lanes, bar.lane + 1);
  return lanes;
}

/** A ladder of more rows than this is folded. */
const mostRows = 48;
/** Rows of a folded ladder that are shown: at its beginning and end, around a fault, and around a pause. */
const shownFirst = 14;
const shownLast = 8;
const shownAroundFault = 4;
const shownAroundPause = 2;
/** The number of pauses, the longest ones, that are never folded. */
const shownPauses = 12;
/** Fewer rows than this are not worth a button. */
const leastFolded = 8;

/** foldRows hides rows of a long ladder, but never faults or the longest pauses. */
export function foldRows(rows: Row[]): (Row | Folded)[] {
  if (rows.length <= mostRows) return rows;
  const shown = rows.map((_, i) => i < shownFirst || i >= rows.length - shownLast);
  const showAround = (i: number, around: number) => shown.fill(true, Math.max(0, i - around), i + around + 1);
  rows.forEach((row, i) => {
    if (row.kind === "step" && row.step.bad) showAround(i, shownAroundFault);
  });
  for (const i of longestPauses(rows)) showAround(i, shownAroundPause);
  const out: (Row | Folded)[] = [];
  for (let i = 0; i < rows.length; ) {
    let next = i + 1;
    while (next < rows.length && shown[next] === shown[i]) next++;
    if (shown[i] || next - i < leastFolded) out.push(...rows.slice(i, next));
    else out.push(folded(rows, i, next));
    i = next;
  }
  return out;
}

/** longestPauses are the indexes of the pauses that are not folded. */
function longestPauses(rows: Row[]): number[] {
  const gapOf = (i: number) => (rows[i] as Row & { kind: "pause" }).gap;
  const all = rows.flatMap((row, i) => (row.kind === "pause" ? [i] : []));
  return all.sort((a, b) => gapOf(b) - gapOf(a)).slice(0, shownPauses);
}

/** folded are the rows [from, to), after some that are shown. */
function folded(rows: Row[], from: number, to: number): Folded {
  const run = rows.slice(from, to);
  const steps = run.flatMap((r) => (r.kind === "step" ? [r.step] : []));
  const before = rows.slice(0, from).findLast((r) => r.kind === "step");
  return {
    kind: "folded",
    rows: run,
    bars: through(run),
    steps: steps.length,
    chunks: run.filter((r) => r.kind === "chunk").length,
    frames: steps.reduce((sum, s, i) => sum + (s.n ?? 1) - (sameFrame(s, steps[i - 1]) ? 1 : 0), 0),
    lasted: steps.length > 0 && before?.kind === "step" ? endOf(steps[steps.length - 1]!) - endOf(before.step) : 0,
  };
}

/** sameFrame reports whether a step begins in the frame of the one before: iWARP has several in one. */
function sameFrame(step: Step, before: Step | undefined): boolean {
  return before !== undefined && (before.n ?? 1) === 1 && step.f === before.f && step.file === before.file;
}

/** through are the bars that come into some rows, or go out of them, as one row shows them. A bar that
 * is in them alone is not shown: so is the chunk. */
function through(rows: Row[]): Bar[] {
  const comes = rows[0]!.bars.filter((b) => b.part === "middle" || b.part === "end");
  const goes = rows[rows.length - 1]!.bars.filter((b) => b.part === "middle" || b.part === "begin");
  const has = (list: Bar[], bar: Bar) => list.some((b) => b.chunk === bar.chunk);
  return [
    ...comes.map((bar): Bar => ({ ...bar, part: has(goes, bar) ? "middle" : "end" })),
    ...goes.filter((bar) => !has(comes, bar)).map((bar): Bar => ({ ...bar, part: "begin" })),
  ];
}
