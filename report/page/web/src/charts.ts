// The charts of a connection: all show the same stretch of time, each has its
// numbers as a table.

import { binTimes, chartsOf, isError, latencyBins, scatterOf, type Chart, type LatencyBin } from "./charts-model";
import { lineChart } from "./linechart";
import { fillWhenOpened, make } from "./make";
import type { Series } from "./model";
import type { Rows } from "./rows";
import { scatterChart } from "./scatter";
import { plain } from "./text";
import { Timeline } from "./timeline";
import { timeTools } from "./timetools";

/** Draws the charts of one connection into el, its div.charts. Called when it comes into view. They follow what the
 * page shows of the time. */
export function showCharts(el: HTMLElement, series: Series, rows: Rows, page?: Timeline): void {
  const times = binTimes(series);
  if (times.length === 0) return;
  const width = series.width / 1e9;
  const whole: [number, number] = [times[0]!, times[times.length - 1]! + width];
  const timeline = new Timeline(whole, width / 4);
  const follow = () => page && timeline.show(page.isWhole ? whole : page.range);
  follow();
  page?.onChange(follow);
  const grid = make("div", { class: "chart-grid" });
  el.append(timeTools(timeline, "Time shown by all charts", "drag over a chart to zoom"), grid);

  const scatter = scatterOf(rows, series.connection, (row) => isError(rows.named("status", row)));
  const known = scatter.rows.length > 0;
  figure(grid, "Latency of each RPC", "ms", known ? "" : "No RPC has both a call and a reply.", (box) => {
    scatterChart(box, scatter, timeline, (row) => ({ words: rowWords(rows, row), link: rows.link(row) }));
    box.append(tableOf(() => latencyTable(latencyBins(scatter, series))));
  });
  for (const chart of chartsOf(series)) {
    figure(grid, chart.title, chart.unit, chart.instead ?? "", (box) => {
      lineChart(box, chart, times, width, timeline);
      box.append(tableOf(() => binTable(chart, times)));
    });
  }
}

export function rowWords(rows: Rows, row: number): string {
  return plain([rows.named("name", row), rows.xid(row), rows.named("status", row)].filter(Boolean).join(" "));
}

function figure(grid: HTMLElement, title: string, unit: string, instead: string, draw: (box: HTMLElement) => void): void {
  const box = make("figure", { class: "chart" });
  const caption = make("figcaption", {}, make("b", {}, title));
  box.append(caption);
  grid.append(box);
  if (instead) {
    box.classList.add("empty");
    box.append(make("p", {}, instead));
    return;
  }
  caption.append(" ", make("span", { class: "aside" }, unit));
  draw(box);
}

function tableOf(make_: () => HTMLElement): HTMLElement {
  const box = make("details", { class: "as-table" }, make("summary", {}, "As a table"));
  fillWhenOpened(box, () => make("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Numbers of the chart" }, make_()));
  return box;
}

export function numbers(heads: string[], lines: Iterable<string[]>): HTMLElement {
  const row = (cells: string[], tag: "th" | "td") => make("tr", {}, ...cells.map((c) => make(tag, { class: "number" }, c)));
  const body = make("tbody");
  for (const line of lines) body.append(row(line, "td"));
  const head = row(heads, "th");
  for (const th of head.children) th.setAttribute("scope", "col");
  return make("table", {}, make("thead", {}, head), body);
}

function binTable(chart: Chart, times: number[]): HTMLElement {
  const heads = ["From [s]", ...chart.lines.map((l) => `${l.label} [${chart.unit}]`)];
  const cell = (v: number | null | undefined) => (v === null || v === undefined ? "unknown" : String(Number(v.toFixed(3))));
  return numbers(heads, times.map((t, i) => [t.toFixed(6), ...chart.lines.map((l) => cell(l.values[i]))]));
}

function latencyTable(bins: LatencyBin[]): HTMLElement {
  const ms = (v: number) => String(Number(v.toPrecision(4)));
  const heads = ["From [s]", "RPCs", "Least [ms]", "Median [ms]", "Most [ms]"];
  return numbers(heads, bins.map((b) => [b.from.toFixed(6), String(b.count), ms(b.least), ms(b.median), ms(b.most)]));
}
