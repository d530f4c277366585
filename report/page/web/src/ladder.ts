// A ladder: what went between client and server, from above to below, as in a
// book about a protocol. It is a table, so that a screen reader reads it, a
// printer breaks it between rows, and narrow columns wrap its words; each row
// draws its own piece of the lifelines.

import type { Chunk, Ladder, Step } from "./model";
import { foldRows, isLost, lanesOf, rowsOf, tagsOf, type Folded, type Row } from "./ladder-layout";
import { make } from "./make";
import { fault, markView, type Mark } from "./mark";
import { count, plain } from "./text";
import { duration, frameName, hex, byteCount, seconds } from "./units";
import { drawArrow, drawLines } from "./wire";

/** Called when somebody chooses a step. */
export type OnFrame = (frame: number, file?: number) => void;

/**
 * Draws a ladder into el; subject completes its label. onFrame shows the bytes of a frame; without it the frames are links.
 */
export function showLadder(el: HTMLElement, ladder: Ladder, subject: string, onFrame?: OnFrame, mark: Mark = fault): void {
  const rows = rowsOf(ladder);
  const tags = tagsOf(ladder.chunks);
  const body = make("tbody");
  const view = (row: Row) => rowView(ladder, row, tags, onFrame, mark);
  for (const row of foldRows(rows)) body.append(row.kind === "folded" ? foldedView(row, ladder, view) : view(row));
  if (ladder.left_out) {
    const words = `${ladder.left_out} more ${ladder.left_out === 1 ? "packet is" : "packets are"} not in the page.`;
    body.append(make("tr", { class: "left-out" }, make("td", { colspan: 4 }, words)));
  }
  const table = make("table", { class: "ladder" }, headView(ladder), body);
  table.style.setProperty("--lanes", String(lanesOf(rows)));
  tieChunks(table);
  el.append(make("div", { class: "ladder-box", tabindex: 0, role: "region", "aria-label": `Ladder of ${subject}` }, table));
}

function headView(ladder: Ladder): HTMLElement {
  const wire = make(
    "th",
    { class: "ends", scope: "col" },
    make("span", { class: "end" }, make("b", {}, "client"), " ", plain(ladder.client)),
    make("span", { class: "sr" }, " and "),
    make("span", { class: "end" }, make("b", {}, "server"), " ", plain(ladder.server)),
  );
  return make(
    "thead",
    {},
    make(
      "tr",
      {},
      make("th", { class: "number time", scope: "col" }, "Time [s]"),
      make("th", { class: "number gap", scope: "col", title: "than the last packet of the step before" }, "Later [ms]"),
      make("th", { class: "number", scope: "col" }, "Frame"),
      wire,
    ),
  );
}

function rowView(ladder: Ladder, row: Row, tags: string[], onFrame: OnFrame | undefined, mark: Mark): HTMLElement {
  const svg = drawLines(row, chunkKinds(ladder));
  switch (row.kind) {
    case "step":
      return stepView(ladder, row, tags, svg, onFrame, mark);
    case "chunk": {
      const box = chunkView(row.chunk, tags[row.index]!);
      const wire = make("td", { class: "wire" }, svg, box);
      const tr = make("tr", { class: "chunk" }, ...noNumbers(), wire);
      tr.dataset["chunk"] = String(row.index);
      return tr;
    }
    case "pause": {
      const hidden = row.hidden > 0 ? `${row.hidden} ${row.hidden === 1 ? "packet is" : "packets are"} not shown, ` : "";
      const words = make("span", { class: "words" }, hidden, make("b", {}, `${duration(row.gap)} later`));
      return make("tr", { class: "pause" }, ...noNumbers(), make("td", { class: "wire" }, svg, words));
    }
  }
}

/** Cells of their own and not one wide cell: narrow columns leave some out. */
function noNumbers(): HTMLElement[] {
  return [make("td", { class: "number time" }), make("td", { class: "number gap" }), make("td", { class: "number" })];
}

function foldedView(folded: Folded, ladder: Ladder, view: (row: Row) => HTMLElement): HTMLElement {
  const button = make("button", { type: "button", class: "fold" }, foldedWords(folded));
  const svg = drawLines(folded, chunkKinds(ladder));
  const tr = make("tr", { class: "pause" }, ...noNumbers(),
    make("td", { class: "wire" }, svg, make("span", { class: "words" }, button)));
  button.addEventListener("click", () => {
    const rows = folded.rows.map(view);
    tr.replaceWith(...rows);
    rows.find((r) => r.querySelector("a"))?.querySelector("a")?.focus();
  });
  return tr;
}

/** foldedWords describe how much a folded row hides. */
function foldedWords(folded: Folded): string {
  const words = [count(folded.steps, "more step")];
  if (folded.chunks > 0) words.push(count(folded.chunks, "chunk"));
  if (folded.steps > 0) words.push(count(folded.frames, "frame"), duration(folded.lasted));
  return "… " + words.join(", ");
}

function chunkKinds(ladder: Ladder): string[] {
  return ladder.chunks.map((c) => c.kind);
}

function stepView(
  ladder: Ladder,
  row: Row & { kind: "step" },
  tags: string[],
  svg: SVGElement,
  onFrame: OnFrame | undefined,
  mark: Mark,
): HTMLElement {
  const { step } = row;
  drawArrow(svg, step, row.bars.find((b) => b.chunk === step.c)?.lane ?? -1);
  const words = make("span", { class: "words" }, make("span", { class: "sr" }, directionOf(step) + ": "));
  if (step.bad) words.append(markView({ ...mark, words: step.bad }), " ");
  const chunk = ladder.chunks[step.c ?? -1];
  if (chunk) words.append(make("span", { class: "tag " + chunk.kind }, tags[step.c ?? -1]!), " ");
  words.append(plain(step.x));
  if ((step.n ?? 1) > 1 && !/frames|packets/.test(step.x)) words.append(" ", make("span", { class: "folded" }, `${step.n} packets`));
  const { lasted = 0 } = step;
  if (lasted >= leastShownDuration) words.append(" ", make("span", { class: "folded" }, `over ${duration(lasted)}`));
  if (step.of !== undefined) words.append(" ", make("span", { class: "other" }, `of ${hex(step.of, 8)}`));
  if (step.o) words.append(" ", make("span", { class: "odd" }, anomalySign(step.o) + plain(step.o)));

  const classes = ["step", "k-" + step.k, step.d === 1 ? "to-client" : "to-server"];
  if (step.bad) classes.push("bad");
  if (step.o) classes.push("is-odd");
  if (step.of !== undefined) classes.push("of-other");
  if (step.m) classes.push("m-" + step.m);
  const tr = make(
    "tr",
    { class: classes.join(" ") },
    make("td", { class: "number time" }, seconds(ladder.start + step.t)),
    make("td", { class: "number gap" }, row.index === 0 ? "" : (row.gap / 1e6).toFixed(3)),
    make("td", { class: "number" }, frameLink(step, onFrame)),
    make("td", { class: "wire" }, svg, words),
  );
  if (chunk) tr.dataset["chunk"] = String(step.c);
  return tr;
}

/** The least duration of a step that is shown, in nanoseconds. */
const leastShownDuration = 100_000;

function directionOf(step: Step): string {
  return step.d === 1 ? "server to client" : "client to server";
}

function anomalySign(anomaly: string): string {
  if (isLost(anomaly)) return "✗ ";
  return /^retransmission\b/.test(anomaly) ? "↻ " : "! ";
}

function frameLink(step: Step, onFrame: OnFrame | undefined): Node | string {
  if (!step.f) return "";
  const name = frameName(step.f, step.file);
  const link = make("a", { href: "#frame-" + name }, name);
  if (onFrame) {
    link.addEventListener("click", (e) => {
      e.preventDefault();
      onFrame(step.f, step.file);
    });
  }
  return link;
}

/** Of a chunk's segments this many are listed beside it. */
const listedSegments = 4;

/** chunkView is the box of memory that a chunk advertises. */
function chunkView(chunk: Chunk, tag: string): HTMLElement {
  const whole = chunk.segments.reduce((sum, s) => sum + s.length, 0);
  const moved = chunk.segments.reduce((sum, s) => sum + s.moved, 0);
  const count = chunk.segments.length;
  const box = make(
    "div",
    { class: "chunk-box " + chunk.kind },
    make("span", { class: "tag " + chunk.kind }, tag),
    ` ${plain(chunk.label)}: ${count === 1 ? "" : `${count} segments, `}${byteCount(whole)}, `,
    movedWords(whole, moved),
  );
  const list = make("ul", { class: "segments" });
  chunk.segments.slice(0, listedSegments).forEach((s) => list.append(make("li", {}, segmentWords(s))));
  if (count > listedSegments) {
    const rest = make("ul", { class: "segments" });
    chunk.segments.slice(listedSegments).forEach((s) => rest.append(make("li", {}, segmentWords(s))));
    const more = make("summary", {}, `${count - listedSegments} more`);
    box.append(list, make("details", {}, more, rest));
  } else {
    box.append(list);
  }
  return box;
}

function movedWords(whole: number, moved: number): string {
  if (moved === 0) return "not used here";
  return moved === whole ? "all moved" : `${moved} moved`;
}

function segmentWords(s: Chunk["segments"][number]): string {
  const moved = s.moved === s.length ? "" : `, ${s.moved} moved`;
  return `handle ${hex(s.handle, 8)} offset ${hex(s.offset, 16)} length ${s.length}${moved}`;
}

/** tieChunks lights up a chunk and all that used it when one of them is
 * pointed at. */
function tieChunks(table: HTMLElement): void {
  const light = (target: EventTarget | null, on: boolean) => {
    const row = target instanceof Element ? target.closest<HTMLElement>("tr[data-chunk]") : null;
    for (const lit of table.querySelectorAll("tr.lit")) lit.classList.remove("lit");
    if (!row || !on) return;
    const same = `tr[data-chunk="${row.dataset["chunk"]}"]`;
    for (const tr of table.querySelectorAll(same)) tr.classList.add("lit");
  };
  table.addEventListener("mouseover", (e) => light(e.target, true));
  table.addEventListener("mouseleave", (e) => light(e.target, false));
  table.addEventListener("focusin", (e) => light(e.target, true));
  table.addEventListener("focusout", (e) => light(e.target, false));
}
