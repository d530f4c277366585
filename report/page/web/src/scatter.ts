// The latency of each RPC over time, on a logarithmic axis.

import type uPlot from "uplot";
import { PointMark, nearest, type Scatter } from "./charts-model";
import { make } from "./make";
import { color, plot, type Plot } from "./plot";
import type { Timeline } from "./timeline";

/** With more points than this, a point is a dot. */
const mostShapes = 5000;
/** How far the pointer may be from a point, in pixels. */
const reach = 24;

/** What a row is called and where a link to it leads. */
export interface RowName {
  words: string;
  link: string;
}

/** Draws the scatter into box. */
export function scatterChart(box: HTMLElement, s: Scatter, timeline: Timeline, nameOf: (row: number) => RowName): void {
  const said = make("p", { class: "legend" });
  const hint = "Point at an RPC, or use the arrow keys; click or Enter opens it.";
  said.textContent = hint;
  let at = -1;
  let chart: Plot | undefined;
  const say = (i: number, u: uPlot) => {
    if (at === i) return;
    at = i;
    said.textContent = i < 0 ? hint : `${s.times[i]!.toFixed(6)} s: ${s.latencies[i]!.toPrecision(3)} ms, ${nameOf(s.rows[i]!).words}`;
    if (i >= 0) chart?.say(i, said.textContent);
    place(u);
  };
  // A ring of its own above the canvas: to draw 100,000 points again for each that is pointed at takes too long.
  const ring = make("div", { class: "ring", hidden: true });
  const place = (u: uPlot) => {
    ring.hidden = !isIn(s, at, timeline);
    if (ring.hidden) return;
    if (ring.parentElement !== u.over) u.over.append(ring);
    ring.style.left = `${u.valToPos(s.times[at]!, "x")}px`;
    ring.style.top = `${u.valToPos(shown(s.latencies[at]!), "y")}px`;
  };
  const open = () => {
    if (at >= 0) location.hash = nameOf(s.rows[at]!).link;
  };
  chart = plot(box, timeline, s.times.length, () => ({
    title: "Latency of each RPC",
    unit: "ms",
    data: [s.times, s.latencies.map(shown)],
    series: [{ label: "latency", stroke: color("--ink-1"), paths: () => null, points: { show: false } }],
    scale: { distr: 3, range: (_, least, most) => [power(Math.floor, (least ?? 1) / 1.1), power(Math.ceil, (most ?? 1) * 1.1)] },
    splits: (_, __, least, most) => powers(least, most),
    write: (v) => String(Number(v.toPrecision(3))),
    draw: (u) => {
      drawPoints(u, s);
      place(u);
    },
    cursor: { x: false, points: { show: false } },
    moved: (u) => say(pointAt(u, s), u),
    step: (u, by) => {
      const i = isIn(s, at, timeline) ? at + by : firstIn(s, timeline);
      if (isIn(s, i, timeline)) say(i, u);
    },
  }));
  box.append(legend(s), said);
  const frame = box.querySelector(".plot");
  frame?.addEventListener("click", open);
  frame?.addEventListener("keydown", (e) => {
    if ((e as KeyboardEvent).key === "Enter") open();
  });
}

/** An RPC that took no time that could be measured stands at the bottom: it has no logarithm. */
function shown(ms: number): number {
  return Math.max(ms, 1e-5);
}

/** The power of ten below or above. */
function power(round: (n: number) => number, ms: number): number {
  return 10 ** round(Math.log10(shown(ms)));
}

function powers(least: number, most: number): number[] {
  const list: number[] = [];
  for (let e = Math.round(Math.log10(least)); 10 ** e <= most * 1.001; e++) list.push(10 ** e);
  return list;
}

function isIn(s: Scatter, i: number, timeline: Timeline): boolean {
  const t = s.times[i];
  return t !== undefined && timeline.range[0] <= t && t <= timeline.range[1];
}

function firstIn(s: Scatter, timeline: Timeline): number {
  return s.times.findIndex((t) => t >= timeline.range[0]);
}

function legend(s: Scatter): HTMLElement {
  const el = make("div", { class: "legend" });
  const has = (m: PointMark) => s.marks.includes(m);
  if (has(PointMark.None)) el.append(make("span", { class: "entry" }, make("span", { class: "shape ink-1" }, "○"), " succeeded"));
  if (has(PointMark.Error)) el.append(make("span", { class: "entry" }, make("span", { class: "shape ink-3" }, "+"), " with an error status"));
  if (has(PointMark.Finding)) el.append(make("span", { class: "entry" }, make("span", { class: "shape ink-bad" }, "✕"), " with a finding"));
  return el;
}

function pointAt(u: uPlot, s: Scatter): number {
  const { left, top } = u.cursor;
  if (left === undefined || top === undefined || left < 0) return -1;
  const distance = (i: number) => Math.hypot(u.valToPos(s.times[i]!, "x") - left, u.valToPos(shown(s.latencies[i]!), "y") - top);
  return nearest(s, u.posToVal(left - reach, "x"), u.posToVal(left + reach, "x"), reach, distance);
}

function drawPoints(u: uPlot, s: Scatter): void {
  const { ctx, bbox } = u;
  const scale = devicePixelRatio || 1;
  const inks = [color("--ink-1"), color("--ink-3"), color("--bad")];
  const { min = 0, max = 0 } = u.scales["x"]!;
  const many = s.times.length > mostShapes;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineWidth = scale;
  // What is noticed is drawn last, so that nothing covers it.
  for (const mark of [PointMark.None, PointMark.Error, PointMark.Finding]) {
    ctx.strokeStyle = ctx.fillStyle = inks[mark]!;
    ctx.beginPath();
    for (let i = 0; i < s.times.length; i++) {
      const t = s.times[i]!;
      if (s.marks[i] !== mark || t < min! || t > max!) continue;
      const x = u.valToPos(t, "x", true);
      const y = u.valToPos(shown(s.latencies[i]!), "y", true);
      if (many && mark === PointMark.None) ctx.rect(x - scale / 2, y - scale / 2, scale, scale);
      else shape(ctx, mark, x, y, 2.5 * scale);
    }
    if (many && mark === PointMark.None) ctx.fill();
    else ctx.stroke();
  }
  ctx.restore();
}

function shape(ctx: CanvasRenderingContext2D, mark: PointMark, x: number, y: number, r: number): void {
  switch (mark) {
    case PointMark.None:
      ctx.moveTo(x + r, y);
      ctx.arc(x, y, r, 0, 2 * Math.PI);
      break;
    case PointMark.Error:
      ctx.moveTo(x - r - 1, y);
      ctx.lineTo(x + r + 1, y);
      ctx.moveTo(x, y - r - 1);
      ctx.lineTo(x, y + r + 1);
      break;
    case PointMark.Finding:
      ctx.moveTo(x - r - 1, y - r - 1);
      ctx.lineTo(x + r + 1, y + r + 1);
      ctx.moveTo(x + r + 1, y - r - 1);
      ctx.lineTo(x - r - 1, y + r + 1);
  }
}
