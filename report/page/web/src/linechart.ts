// A chart of lines over the bins of a series.

import uPlot from "uplot";
import type { Chart, Line } from "./charts-model";
import { makeSVG, make } from "./make";
import { color, plot, type Plot } from "./plot";
import type { Timeline } from "./timeline";
import { size } from "./units";

/** Lines differ by dashes and width too: not everyone sees colours, and not all paper has them. */
const dashes = [[], [], [], [2, 3], [9, 3, 2, 3]];
const widths = [1, 1.25, 2.5, 1.5, 1.5];

/** Distances of the axis' lines, where there is nothing between two numbers. */
const wholeSteps = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8].flatMap((n) => [n, 2 * n, 5 * n]);

/** Draws a chart into box. times are the beginnings of the bins, in seconds. */
export function lineChart(box: HTMLElement, chart: Chart, times: number[], width: number, timeline: Timeline): void {
  const end = times[times.length - 1]! + width;
  const on = chart.lines.map(() => true);
  const values = chart.lines.map(() => make("span", { class: "at-cursor" }));
  const when = make("span", { class: "when" });

  let chartOf: Plot | undefined;
  const moved = (u: uPlot) => {
    const i = binOf(u.cursor.idx, times.length);
    when.textContent = i === null ? "" : `from ${times[i]!.toFixed(3)} s`;
    chart.lines.forEach((line, n) => {
      values[n]!.textContent = i === null ? "" : written(line.values[i]);
    });
    if (i !== null) chartOf?.say(i, sentence(chart, times, i));
  };
  const step = (u: uPlot, by: number) => {
    const i = (binOf(u.cursor.idx, times.length) ?? (by > 0 ? -1 : times.length)) + by;
    if (i < 0 || i >= times.length) return;
    u.setCursor({ left: u.valToPos(times[i]!, "x"), top: 10 });
  };
  chartOf = plot(box, timeline, times.length, () => ({
    title: chart.title,
    unit: chart.unit,
    // A last point at the end of the last bin gives it its width.
    data: [[...times, end], ...chart.lines.map((l) => [...l.values, l.values[l.values.length - 1] ?? null])],
    series: chart.lines.map((l, i) => ({ ...inkOf(l), show: on[i]! })),
    write: size,
    ...(chart.whole && { incrs: wholeSteps }),
    moved,
    step,
  }));

  const legend = make("div", { class: "legend" });
  chart.lines.forEach((line, i) => {
    const button = make("button", { type: "button", "aria-pressed": "true" }, swatch(line), line.label);
    button.addEventListener("click", () => {
      on[i] = !on[i];
      button.setAttribute("aria-pressed", String(on[i]));
      chartOf?.redraw();
    });
    legend.append(make("span", { class: "entry" }, button, values[i]!));
  });
  legend.append(when);
  box.append(legend);
}

function inkOf(line: Line): uPlot.Series {
  const stroke = color(`--ink-${line.ink}`);
  return {
    label: line.label,
    stroke,
    width: widths[line.ink]!,
    dash: dashes[line.ink]!,
    paths: uPlot.paths.stepped!({ align: 1 }),
    points: { show: false },
  };
}

/** The line as the chart draws it, for the legend. */
function swatch(line: Line): SVGElement {
  const svg = makeSVG("svg", { class: `swatch ink-${line.ink}`, width: 26, height: 8, "aria-hidden": "true" });
  const attributes = { x1: 0, x2: 26, y1: 4, y2: 4, "stroke-dasharray": dashes[line.ink]!.join(" "), "stroke-width": widths[line.ink]! };
  svg.append(makeSVG("line", attributes));
  return svg;
}

function binOf(i: number | null | undefined, bins: number): number | null {
  return i === null || i === undefined ? null : Math.min(i, bins - 1);
}

function written(v: number | null | undefined): string {
  return v === null || v === undefined ? "unknown" : size(v);
}

function sentence(chart: Chart, times: number[], i: number): string {
  const parts = chart.lines.map((l) => `${l.label} ${written(l.values[i])}`);
  return `${times[i]!.toFixed(3)} s: ${parts.join(", ")} (${chart.unit})`;
}
