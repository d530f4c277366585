// The picture of the whole capture: time runs across, one lane below the other shows what happened then.

import { announce } from "../announce";
import { isError } from "../charts-model";
import type { Data } from "../data";
import { fillWhenOpened, make } from "../make";
import { themeChange } from "../theme";
import type { Timeline } from "../timeline";
import { timeTools } from "../timetools";
import { axisHeight, drawScene, inksOf, sideMargin, xOf, yOf, type Scene } from "./draw";
import { bandsOf } from "./flags";
import { flagsOf, foundOnPage } from "./findings";
import { edgeHeight, lanesOf, stackConnections, titleHeight } from "./lanes";
import { CallOutcome, firstAt, modelOf, type Model } from "./model";
import { callWords, wordsAt } from "./readout";
import { tableOf } from "./table";

/** How far the pointer may be from a call, in pixels. */
const reach = 12;
/** Height of the flags, and of a row of bars, above the lanes. */
export const flagHeight = 24, bandHeight = 18;

/** The model of a page. */
export function pictureModel(data: Data): Model {
  const { rows, meta } = data;
  const errors = meta.names.map(isError), status = rows.numbers("status");
  return modelOf(rows, meta.connections, meta.totals.connections, foundOnPage(document), data.captureSeries(), data.series(), (row) => errors[status[row]!] ?? false);
}

/** Draws the picture into el; the timeline, in seconds, is what the rest of the page follows. */
export function showPicture(el: HTMLElement, data: Data, model: Model, timeline: Timeline): void {
  const canvas = make("canvas", { "aria-hidden": "true" });
  const marks = make("div", { class: "picture-marks" });
  const line = make("div", { class: "picture-line", hidden: true }), brush = make("div", { class: "picture-brush", hidden: true });
  const frame = make("div", { class: "picture-frame", tabindex: 0, role: "slider", "aria-label": "The whole capture, picture: arrow keys move through time, Enter opens the RPC, plus and minus zoom",
    "aria-valuemin": 0, "aria-valuemax": 1000, "aria-valuenow": 0, "aria-valuetext": "no value selected" }, canvas, line, brush);
  const readout = make("p", { class: "picture-said" });
  const hint = "Point at the picture for values; drag to zoom; click to open an RPC, a flag or a bar.";
  readout.textContent = hint;
  const { bands, rows: bandRows } = bandsOf(model.findings);
  const stacked = stackConnections(model), top = flagHeight + bandRows * bandHeight;
  const { lanes, height } = lanesOf(model, stacked, top);
  let scene: Scene | undefined;
  let at = NaN, call = -1;

  const draw = () => {
    const width = frame.clientWidth;
    if (width < 50) return;
    const scale = devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round((height + axisHeight) * scale);
    canvas.style.height = `${height + axisHeight}px`;
    const [from, to] = timeline.range;
    scene = { inks: inksOf(), model, lanes, stacked, bands, range: [from * 1e9, to * 1e9], width, height: height + axisHeight };
    drawScene(canvas.getContext("2d")!, scene, scale);
    flagsOf(marks, scene, top, (words) => {
      readout.replaceChildren(...words);
    });
    point(NaN, -1);
  };
  const point = (time: number, i: number) => {
    at = time;
    call = i;
    line.hidden = Number.isNaN(at) || !scene;
    if (line.hidden || !scene) return;
    line.style.left = `${xOf(scene)(at)}px`;
    const words = [wordsAt(model, at), i >= 0 ? callWords(model, data.rows, i) : ""].filter(Boolean).join("; ");
    readout.textContent = `${(at / 1e9).toFixed(6)} s: ${words || "nothing counted"}`;
    frame.setAttribute("aria-valuenow", String(Math.round(((at - model.range[0]) / (model.range[1] - model.range[0])) * 1000)));
    frame.setAttribute("aria-valuetext", readout.textContent);
  };
  const timeAt = (x: number) => {
    const [from, to] = scene!.range;
    return Math.min(to, Math.max(from, from + ((x - sideMargin) / (scene!.width - 2 * sideMargin)) * (to - from)));
  };
  const open = () => {
    if (call >= 0) location.hash = data.rows.link(model.calls.row[call]!);
  };

  let pressed = -1;
  const xIn = (e: PointerEvent) => e.clientX - frame.getBoundingClientRect().left;
  frame.addEventListener("pointerdown", (e) => {
    if (e.button !== 0 || !scene) return;
    pressed = xIn(e);
    frame.setPointerCapture(e.pointerId);
  });
  frame.addEventListener("pointermove", (e) => {
    if (!scene) return;
    const x = xIn(e);
    brush.hidden = pressed < 0 || Math.abs(x - pressed) < 4;
    brush.style.left = `${Math.min(x, pressed)}px`;
    brush.style.width = `${Math.abs(x - pressed)}px`;
    point(timeAt(x), nearestCall(scene, x, e.clientY - frame.getBoundingClientRect().top));
  });
  frame.addEventListener("pointerup", (e) => {
    if (pressed < 0 || !scene) return;
    const x = xIn(e), from = timeAt(Math.min(x, pressed)), to = timeAt(Math.max(x, pressed)), dragged = Math.abs(x - pressed) >= 4;
    pressed = -1;
    brush.hidden = true;
    if (dragged) timeline.show([from / 1e9, to / 1e9]);
    else open();
  });
  frame.addEventListener("pointercancel", () => {
    pressed = -1;
    brush.hidden = true;
  });
  frame.addEventListener("keydown", (e) => {
    if (scene && !e.ctrlKey && !e.metaKey && !e.altKey && e.target === frame && key(e.key)) e.preventDefault();
  });
  const key = (name: string): boolean => {
    const { at: times } = model.calls, [from, to] = scene!.range;
    switch (name) {
      case "ArrowLeft":
      case "ArrowRight": {
        const by = name === "ArrowRight" ? 1 : -1;
        // From call to call, or where there are none in small steps.
        const next = call >= 0 ? call + by : by > 0 ? firstAt(times, at >= from ? at : from) : firstAt(times, at <= to ? at : to) - 1;
        if (next >= 0 && next < times.length && times[next]! >= from && times[next]! <= to) point(times[next]!, next);
        return true;
      }
      case "Enter":
        open();
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
    }
    return false;
  };

  for (const lane of lanes) {
    const title = make("div", { class: "picture-title" }, make("span", {}, lane.title), make("span", { class: "aside" }, lane.scale));
    title.style.top = `${lane.top - titleHeight}px`;
    frame.append(title);
  }
  const table = make("details", { class: "as-table" }, make("summary", {}, "As a table"));
  fillWhenOpened(table, () => {
    const box = make("div");
    const fill = () => box.replaceChildren(tableOf(model, [timeline.range[0] * 1e9, timeline.range[1] * 1e9]));
    timeline.onChange(fill);
    fill();
    return box;
  });
  el.replaceChildren(timeTools(timeline, "Time shown by the page", "drag over the picture to zoom"), make("div", { class: "picture-box" }, frame, marks), readout, legend(model), table);
  timeline.onChange(() => {
    draw();
    readout.textContent = hint;
    announce(`from ${timeline.words}`);
  });
  document.addEventListener(themeChange, draw);
  new ResizeObserver(() => {
    if (frame.clientWidth !== scene?.width) draw();
  }).observe(frame);
  draw();
}

/** The call that is nearest to a point, -1 if none is near. */
function nearestCall(s: Scene, px: number, py: number): number {
  const lane = s.lanes.find((l) => l.kind === "latency");
  if (!lane || py < lane.top - reach || py > lane.top + lane.height + reach) return -1;
  const x = xOf(s), y = yOf(s.model, lane), { at, latency, fate } = s.model.calls;
  const perPixel = (s.range[1] - s.range[0]) / (s.width - 2 * sideMargin), time = s.range[0] + (px - sideMargin) * perPixel;
  let best = -1, least = reach;
  for (let i = firstAt(at, time - reach * perPixel); i < at.length && at[i]! <= time + reach * perPixel; i++) {
    const edge = fate[i] !== CallOutcome.Answered ? Math.abs(lane.top + edgeHeight / 2 - py) : Infinity;
    const dy = Math.min(edge, latency[i]! >= 0 ? Math.abs(y(latency[i]!) - py) : Infinity);
    const d = Math.hypot(x(at[i]!) - px, dy);
    if (d <= least) {
      best = i;
      least = d;
    }
  }
  return best;
}

function legend(model: Model): HTMLElement {
  const el = make("div", { class: "legend" });
  const entry = (ink: string, sign: string, words: string) => el.append(make("span", { class: "entry" }, make("span", { class: "shape " + ink }, sign), " " + words));
  const { fate } = model.calls;
  if (fate.includes(CallOutcome.Answered)) entry("ink-1", "▪", "RPC");
  if (fate.includes(CallOutcome.Failed)) entry("ink-3", "+", "with an error status, also at the upper edge");
  if (fate.includes(CallOutcome.NoReply)) entry("ink-bad", "✕", "no reply in the capture");
  return el;
}
