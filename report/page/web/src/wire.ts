// The drawing in one row of a ladder. The SVG's left edge is the client's
// lifeline and its right edge the server's; the lanes of the client's memory
// are left of it, at negative x. All of it says in shape what the row's words
// say, so that it is hidden from screen readers.

import type { Step } from "./model";
import { isLost, type Bar, type Folded, type Row } from "./ladder-layout";
import { makeSVG } from "./make";

const laneWidth = 11;
const barWidth = 5;
/** The arrow's distance from the bottom of the row. */
const arrowUp = 6;

/** drawLines draws the lifelines and the chunks' bars through a row. */
export function drawLines(row: Row | Folded, kinds: string[]): SVGElement {
  const svg = makeSVG("svg", { class: "lines", "aria-hidden": "true", focusable: "false" });
  svg.append(
    makeSVG("line", { class: "life", x1: 0, x2: 0, y1: 0, y2: "100%" }),
    makeSVG("line", { class: "life", x1: "100%", x2: "100%", y1: 0, y2: "100%" }),
  );
  for (const bar of row.bars) svg.append(drawBar(row, bar, kinds[bar.chunk] ?? "read"));
  return svg;
}

function barAt(lane: number): number {
  return -(lane + 1) * laneWidth;
}

function drawBar(row: Row | Folded, bar: Bar, kind: string): SVGElement {
  const x = barAt(bar.lane) - barWidth / 2;
  const name = "bar " + kind;
  const top = bar.part === "begin" || bar.part === "only" ? 6 : 0;
  const g = makeSVG("g", { class: name });
  const end = bar.part === "end" ? arrowUp : bar.part === "only" ? 4 : 0;
  // A nested picture ends its part of the bar above the row's bottom: SVG
  // knows no length of "all but six pixels".
  const part = makeSVG("svg", { x, y: -end, width: barWidth, height: "100%" });
  part.append(makeSVG("rect", { x: 0, y: top + end, width: barWidth, height: "100%" }));
  g.append(part);
  if (row.kind === "chunk" && row.index === bar.chunk) {
    g.append(makeSVG("line", { class: "stub", x1: x + barWidth, x2: 8, y1: 13, y2: 13 }));
  }
  return g;
}

/** drawArrow adds the arrow of a step; one that moves a chunk's data begins or
 * ends at that chunk's bar, which is the client's memory. */
export function drawArrow(svg: SVGElement, step: Step, lane: number): void {
  const at = makeSVG("svg", { class: "arrow", y: "100%", overflow: "visible" });
  const near = lane < 0 ? 0 : barAt(lane);
  const y = -arrowUp;
  const lost = isLost(step.o ?? "");
  const back = step.d === 1;
  const line = (from: number | string, to: number | string, up: number) =>
    makeSVG("line", { class: "shaft", x1: from, x2: to, y1: y + up, y2: y + up });
  // What was lost does not arrive.
  const from = back && lost ? "35%" : near;
  const to = !back && lost ? "65%" : "100%";
  if ((step.n ?? 1) > 1) at.append(line(from, to, -1.75), line(from, to, 1.75));
  else at.append(line(from, to, 0));
  const head = makeSVG("svg", { x: back ? from : to, y, overflow: "visible" });
  head.append(lost ? crossAt() : headOf(step, back));
  at.append(head);
  if (lane >= 0) at.append(makeSVG("circle", { class: "touch", cx: near, cy: y, r: 2.5 }));
  svg.append(at);
}

function crossAt(): SVGElement {
  return makeSVG("path", { class: "cross", d: "M-5,-5 L5,5 M-5,5 L5,-5" });
}

/** headOf is filled for what carries data, open for what asks or confirms, and
 * a cross stands before that of a refusal. */
function headOf(step: Step, back: boolean): SVGElement {
  const s = back ? 1 : -1;
  const g = makeSVG("g", {});
  switch (step.k) {
    case "read-request":
    case "ack":
    case "tcp":
    case "other":
      g.append(makeSVG("path", { class: "head open", d: `M${8 * s},-4 L0,0 L${8 * s},4` }));
      break;
    case "nak":
    case "rnr":
    case "terminate":
      g.append(makeSVG("path", { class: "head", d: `M${9 * s},-4.5 L0,0 L${9 * s},4.5 Z` }));
      g.append(makeSVG("path", { class: "cross", d: `M${13 * s},-4 l${8 * s},8 m0,-8 l${-8 * s},8` }));
      break;
    default:
      g.append(makeSVG("path", { class: "head", d: `M${9 * s},-4.5 L0,0 L${9 * s},4.5 Z` }));
  }
  return g;
}
