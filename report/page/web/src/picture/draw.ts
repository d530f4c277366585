// Draws the lanes of the picture on a canvas.

import { color } from "../plot";
import type { Range } from "../timeline";
import type { Band } from "./flags";
import { connectionHeight, decades, decadeWords, edgeHeight, mostBytes, mostCredits, ticks, type Lane, type Stacked } from "./lanes";
import { creditsIn, CallOutcome, firstAt, openSince, type Model } from "./model";

/** Pixels between the edges of the canvas and what is drawn. */
export const sideMargin = 6;
/** Height of the time axis. */
export const axisHeight = 22;

/** The colours of the page as they are now. */
export interface Inks {
  line: string;
  strong: string;
  dim: string;
  bad: string;
  ink1: string;
  ink2: string;
  ink3: string;
  ink4: string;
  band: string;
  paper: string;
}

/** inksOf asks the page once for all of them. */
export function inksOf(): Inks {
  return {
    line: color("--line"), strong: color("--strong-line"), dim: color("--dim"), bad: color("--bad"), band: color("--band"), paper: color("--paper"),
    ink1: color("--ink-1"), ink2: color("--ink-2"), ink3: color("--ink-3"), ink4: color("--ink-4"),
  };
}

/** What is drawn, and how large. */
export interface Scene {
  inks: Inks;
  model: Model;
  lanes: Lane[];
  stacked: Stacked;
  bands: Band[];
  range: Range;
  width: number;
  height: number;
}

/** Where a time is, in pixels. */
export function xOf({ range: [from, to], width }: Pick<Scene, "range" | "width">): (at: number) => number {
  const scale = (width - 2 * sideMargin) / (to - from || 1);
  return (at) => sideMargin + (at - from) * scale;
}

/** Where a latency is in its lane. */
export function yOf(model: Model, lane: Lane): (ns: number) => number {
  const [low, high] = decades(model);
  const height = lane.height - edgeHeight;
  return (ns) => lane.top + lane.height - ((Math.log10(Math.max(1, ns)) - low) / (high - low)) * height;
}

export function drawScene(ctx: CanvasRenderingContext2D, s: Scene, scale: number): void {
  ctx.setTransform(scale, 0, 0, scale, 0, 0);
  ctx.clearRect(0, 0, s.width, s.height);
  ctx.font = "11px system-ui, sans-serif";
  const x = xOf(s);
  shade(ctx, s, x);
  axis(ctx, s, x);
  for (const lane of s.lanes) {
    ctx.save();
    ctx.beginPath();
    ctx.rect(sideMargin - 4, lane.top, s.width - 2 * sideMargin + 8, lane.height + 1);
    ctx.clip();
    switch (lane.kind) {
      case "connections":
        drawConnections(ctx, s, lane, x);
        break;
      case "latency":
        drawCalls(ctx, s, lane, x, scale);
        break;
      case "bytes":
        drawBytes(ctx, s, lane, x);
        break;
      case "credits":
        drawCredits(ctx, s, lane);
        break;
      case "counts":
        drawCounts(ctx, s, lane, x);
    }
    ctx.restore();
    ctx.fillStyle = s.inks.line;
    ctx.fillRect(sideMargin, lane.top + lane.height, s.width - 2 * sideMargin, 1);
  }
}

/** Bands go through all lanes: what stood still can be seen in each. */
function shade(ctx: CanvasRenderingContext2D, s: Scene, x: (at: number) => number): void {
  ctx.fillStyle = s.inks.band;
  for (const b of s.bands) {
    const from = Math.max(x(b.from), sideMargin), to = Math.min(x(b.to), s.width - sideMargin);
    if (to > from) ctx.fillRect(from, 0, Math.max(1, to - from), s.height - axisHeight);
  }
}

function axis(ctx: CanvasRenderingContext2D, s: Scene, x: (at: number) => number): void {
  const y = s.height - axisHeight;
  ctx.textBaseline = "top";
  const list = ticks(s.range, s.width / 90);
  const digits = list.length > 1 ? Math.max(0, Math.ceil(-Math.log10((list[1]! - list[0]!) / 1e9) - 1e-9)) : 3;
  for (const t of list) {
    ctx.fillStyle = s.inks.line;
    ctx.fillRect(Math.round(x(t)), 0, 1, y + 4);
    const words = `${(t / 1e9).toFixed(digits)} s`, width = ctx.measureText(words).width;
    ctx.fillStyle = s.inks.dim;
    ctx.fillText(words, Math.min(Math.max(x(t) - width / 2, 0), s.width - width), y + 6);
  }
}

/** A bar each, with a tick where the capture has the setup and a cross where the connection was cut off. */
function drawConnections(ctx: CanvasRenderingContext2D, s: Scene, lane: Lane, x: (at: number) => number): void {
  const height = connectionHeight(s.stacked.count);
  s.model.connections.forEach((c, i) => {
    const top = lane.top + s.stacked.rows[i]! * height, middle = top + height / 2;
    const from = x(c.first), to = Math.max(x(c.last), from + 2);
    ctx.fillStyle = s.inks.ink1;
    ctx.fillRect(from, middle - height / 5, to - from, (2 * height) / 5);
    if (c.setup !== "inferred") ctx.fillRect(from, top, 2, height - 1);
    if (c.closing === "disconnect") ctx.fillRect(to - 2, top, 2, height - 1);
    if (c.closing !== "reset" && c.closing !== "terminate") return;
    ctx.strokeStyle = s.inks.bad;
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.moveTo(to - 3, middle - 3);
    ctx.lineTo(to + 3, middle + 3);
    ctx.moveTo(to - 3, middle + 3);
    ctx.lineTo(to + 3, middle - 3);
    ctx.stroke();
  });
}

/** From how many pixels on the time from call to reply is drawn. */
const longLine = 8;

function drawCalls(ctx: CanvasRenderingContext2D, s: Scene, lane: Lane, x: (at: number) => number, scale: number): void {
  const y = yOf(s.model, lane);
  const [low, high] = decades(s.model);
  ctx.fillStyle = s.inks.line;
  for (let p = low; p <= high; p++) ctx.fillRect(sideMargin, Math.round(y(10 ** p)), s.width - 2 * sideMargin, 1);
  const { at, latency, fate } = s.model.calls;
  const first = openSince(s.model, s.range[0]), end = firstAt(at, s.range[1] + 1);
  const many = end - first > 5000, r = many ? 1.2 : 4;
  // What lies on the same point of the screen is drawn once: 100,000 calls are drawn as fast as they can be seen.
  const columns = Math.ceil(s.width * scale), points = new Uint8Array(columns * Math.ceil((lane.height + 1) * scale));
  const answered = new Path2D(), open = new Path2D(), failed = new Path2D(), silent = new Path2D();
  for (let i = first; i < end; i++) {
    const px = x(at[i]!), py = latency[i]! >= 0 ? y(latency[i]!) : lane.top + edgeHeight / 2;
    // A line from call to reply shows the wait, if it is long enough to differ from the dot.
    const replied = latency[i]! >= 0 ? x(at[i]! + latency[i]!) : px;
    if (replied - px > longLine) {
      open.moveTo(px, py);
      open.lineTo(replied, py);
    }
    const f = fate[i]!, point = Math.floor((py - lane.top) * scale) * columns + Math.floor(px * scale);
    if (px < 0 || points[point]! > f) continue;
    points[point] = f + 1;
    if (f === CallOutcome.Answered) {
      if (latency[i]! < 0) continue;
      answered.rect(px - r / 2, py - r / 2, r, r);
    } else if (f === CallOutcome.Failed) {
      if (latency[i]! >= 0) plus(failed, px, py, many ? 2 : 4);
      plus(failed, px, lane.top + edgeHeight / 2, 3);
    } else {
      cross(silent, px, lane.top + edgeHeight / 2, 4);
    }
  }
  ctx.lineWidth = 1.5;
  // Where there are many of both, both are seen: errors are larger, and at the edge, too.
  ctx.strokeStyle = s.inks.ink3;
  ctx.stroke(failed);
  ctx.strokeStyle = ctx.fillStyle = s.inks.ink1;
  ctx.stroke(open);
  ctx.fill(answered);
  ctx.strokeStyle = s.inks.bad;
  ctx.stroke(silent);
  // Words over dots stay readable by a rim in the colour of the paper.
  ctx.textBaseline = "bottom";
  ctx.lineWidth = 3;
  ctx.strokeStyle = s.inks.paper;
  ctx.fillStyle = s.inks.dim;
  for (let p = high - 1; p >= low; p -= high - low > 4 ? 2 : 1) {
    ctx.strokeText(decadeWords(p), sideMargin, y(10 ** p) - 1);
    ctx.fillText(decadeWords(p), sideMargin, y(10 ** p) - 1);
  }
}

function plus(p: Path2D, x: number, y: number, r: number): void {
  p.moveTo(x - r, y);
  p.lineTo(x + r, y);
  p.moveTo(x, y - r);
  p.lineTo(x, y + r);
}

function cross(p: Path2D, x: number, y: number, r: number): void {
  p.moveTo(x - r, y - r);
  p.lineTo(x + r, y + r);
  p.moveTo(x + r, y - r);
  p.lineTo(x - r, y + r);
}

/** Calls draw for each visible bin. */
function eachBin(s: Scene, x: (at: number) => number, draw: (bin: number, from: number, width: number) => void): void {
  const { from, width, n } = s.model.bins;
  const first = Math.max(0, Math.floor((s.range[0] - from) / width)), end = Math.min(n, Math.ceil((s.range[1] - from) / width) + 1);
  for (let i = first; i < end; i++) draw(i, x(from + i * width), Math.max(1, x(from + (i + 1) * width) - x(from + i * width)));
}

function drawBytes(ctx: CanvasRenderingContext2D, s: Scene, lane: Lane, x: (at: number) => number): void {
  const most = (mostBytes(s.model) * s.model.bins.width) / 1e9 || 1;
  const half = lane.height / 2, middle = lane.top + half;
  const { toServer, toClient } = s.model.bytes;
  ctx.fillStyle = s.inks.ink1;
  eachBin(s, x, (i, from, width) => barUp(ctx, from, middle, width, (toServer[i]! / most) * half));
  ctx.fillStyle = s.inks.ink4;
  eachBin(s, x, (i, from, width) => barDown(ctx, from, middle, width, (toClient[i]! / most) * half));
  ctx.fillStyle = s.inks.strong;
  ctx.fillRect(sideMargin, middle, s.width - 2 * sideMargin, 1);
}

/** A bar from a line upwards: whatever there is can be seen. */
function barUp(ctx: CanvasRenderingContext2D, x: number, y: number, width: number, height: number): void {
  if (height > 0) ctx.fillRect(x, y - Math.max(1, height), width, Math.max(1, height));
}

function barDown(ctx: CanvasRenderingContext2D, x: number, y: number, width: number, height: number): void {
  if (height > 0) ctx.fillRect(x, y + 1, width, Math.max(1, height));
}

function drawCredits(ctx: CanvasRenderingContext2D, s: Scene, lane: Lane): void {
  const most = mostCredits(s.model), step = 2, perPixel = (s.range[1] - s.range[0]) / (s.width - 2 * sideMargin);
  const bottom = lane.top + lane.height;
  for (let px = sideMargin; px < s.width - sideMargin; px += step) {
    const from = s.range[0] + (px - sideMargin) * perPixel, c = creditsIn(s.model, from, from + step * perPixel);
    if (!c) continue;
    const full = c.used >= c.granted;
    ctx.fillStyle = full ? s.inks.bad : s.inks.ink1;
    barUp(ctx, px, bottom, step, (c.used / most) * (lane.height - 2));
    ctx.fillStyle = s.inks.ink2;
    ctx.fillRect(px, bottom - (c.granted / most) * (lane.height - 2) - 1, step, 2);
  }
}

function drawCounts(ctx: CanvasRenderingContext2D, s: Scene, lane: Lane, x: (at: number) => number): void {
  const { values, abnormal } = s.model.counts[lane.index]!, most = Math.max(...values);
  ctx.fillStyle = abnormal ? s.inks.bad : s.inks.ink3;
  const least = 4; // one among thousands is seen, too
  eachBin(s, x, (i, from, width) => {
    if (values[i]! > 0) barUp(ctx, from, lane.top + lane.height, Math.max(2, width), least + (values[i]! / most) * (lane.height - least));
  });
}
