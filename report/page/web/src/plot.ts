// A chart: uPlot draws it, and around it stand a title, a legend whose entries
// switch lines on and off, and the values at the cursor in words.

import uPlot from "uplot";
import { make } from "./make";
import { themeChange } from "./theme";
import type { Timeline } from "./timeline";

const height = 180;

/** What a chart needs to be drawn in colours that may change. */
export interface Drawing {
  title: string;
  unit: string;
  data: uPlot.AlignedData;
  series: uPlot.Series[];
  scale?: uPlot.Scale;
  /** Where the y axis has its lines, if not where uPlot puts them. */
  splits?: uPlot.Axis.Splits;
  /** How far apart its lines may be. */
  incrs?: number[];
  /** Writes a value of the y axis. */
  write: (v: number) => string;
  draw?: (u: uPlot) => void;
  cursor?: uPlot.Cursor;
  /** Called when the cursor moved. */
  moved: (u: uPlot) => void;
  /** Moves the cursor by so many values: the arrow keys. */
  step: (u: uPlot, by: number) => void;
}

/** A colour of the page. */
export function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export interface Plot {
  redraw: () => void;
  /** Gives screen readers the value at the cursor. */
  say: (value: number, words: string) => void;
}

/** Draws into box, and again when the theme, the width or the stretch of time changes. count is how many
 * values the arrow keys go through: for a screen reader, the chart is a slider over them. */
export function plot(box: HTMLElement, timeline: Timeline, count: number, describe: () => Drawing): Plot {
  const frame = make("div", {
    class: "plot", tabindex: 0, role: "slider", "aria-valuemin": 0, "aria-valuemax": count - 1, "aria-valuenow": 0,
    "aria-valuetext": "no value selected",
  });
  box.append(frame);
  let u: uPlot | undefined;
  let drawing = describe();
  frame.setAttribute("aria-label", `${drawing.title} [${drawing.unit}], chart; plus and minus zoom`);
  const build = () => {
    u?.destroy();
    drawing = describe();
    u = new uPlot(optionsOf(drawing, timeline, frame.clientWidth || 480), drawing.data, frame);
    u.root.setAttribute("aria-hidden", "true"); // the slider around it describes it
  };
  build();
  document.addEventListener(themeChange, build);
  timeline.onChange(() => u?.setScale("x", rangeOf(timeline)));
  new ResizeObserver(() => {
    if (u && frame.clientWidth > 0 && frame.clientWidth !== u.width) u.setSize({ width: frame.clientWidth, height });
  }).observe(frame);
  frame.addEventListener("keydown", (e) => {
    if (u && !e.ctrlKey && !e.metaKey && !e.altKey && key(e.key, u, drawing, timeline)) e.preventDefault();
  });
  const say = (value: number, words: string) => {
    frame.setAttribute("aria-valuenow", String(value));
    frame.setAttribute("aria-valuetext", words);
  };
  return { redraw: build, say };
}

function key(name: string, u: uPlot, drawing: Drawing, timeline: Timeline): boolean {
  switch (name) {
    case "ArrowLeft":
      drawing.step(u, -1);
      return true;
    case "ArrowRight":
      drawing.step(u, 1);
      return true;
    case "+":
    case "=":
      timeline.zoom(0.5);
      return true;
    case "-":
      timeline.zoom(2);
      return true;
    case "0":
      timeline.show(timeline.whole);
      return true;
    default:
      return false;
  }
}

function rangeOf(timeline: Timeline): { min: number; max: number } {
  return { min: timeline.range[0], max: timeline.range[1] };
}

function optionsOf(d: Drawing, timeline: Timeline, width: number): uPlot.Options {
  const ink = color("--dim");
  const axis: uPlot.Axis = {
    stroke: ink,
    grid: { stroke: color("--line"), width: 1 },
    ticks: { stroke: color("--line"), width: 1, size: 4 },
    font: "12px system-ui, sans-serif",
  };
  return {
    width,
    height,
    legend: { show: false },
    padding: [8, 8, 0, 0],
    cursor: { y: false, points: { size: 6 }, drag: { x: true, y: false, setScale: false }, ...d.cursor },
    scales: { x: { time: false, range: () => timeline.range }, y: d.scale ?? { range: fromZero } },
    axes: [
      { ...axis, size: 26, gap: 3, values: (_, at) => at.map((v) => `${Number(v.toFixed(6))} s`) },
      {
        ...axis,
        ...(d.splits && { splits: d.splits }),
        ...(d.incrs && { incrs: d.incrs }),
        size: 58,
        gap: 4,
        values: (_, at) => at.map((v) => (v === null ? "" : d.write(v))),
      },
    ],
    series: [{}, ...d.series],
    hooks: {
      draw: d.draw ? [d.draw] : [],
      setCursor: [d.moved],
      // The page zooms itself: all charts of the connection together.
      setSelect: [(u) => select(u, timeline)],
    },
  };
}

function select(u: uPlot, timeline: Timeline): void {
  const { left, width } = u.select;
  if (width < 4) return;
  timeline.show([u.posToVal(left, "x"), u.posToVal(left + width, "x")]);
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}

function fromZero(_: uPlot, __: number, most: number): [number, number] {
  return [0, most > 0 ? most * 1.08 : 1];
}
