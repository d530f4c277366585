// Headings of the list of RPCs: a click sorts, a drag moves the column, a drag of the right edge resizes it; keys do all of it.

import { announce } from "./announce";
import type { Column } from "./columns";
import type { Layout } from "./layout";
import { make } from "./make";

export interface HeadingEvents {
  sort(column: Column, descending: boolean): void;
  /** A column is being dragged to a width. */
  widen(column: Column, width: number): void;
}

/** A press of the pointer that moves this far is a drag and no click, in pixels. */
const dragThreshold = 5;

interface Press {
  column: Column;
  cell: HTMLElement;
  x: number;
  edge: boolean;
  /** How wide the column was, and a digit in it, in pixels. */
  width: number;
  digit: number;
  /** Where it goes: a place, or a width. */
  to?: number;
}

export class Headings {
  readonly root = make("div", { class: "rpc-head", role: "row", "aria-rowindex": 1 });
  private press: Press | undefined;
  private dragged = false;
  private sortedBy: { column: Column; descending: boolean } | undefined;

  constructor(private readonly layout: Layout<Column>, private readonly events: HeadingEvents) {
    this.root.addEventListener("pointerdown", (e) => this.down(e));
    this.root.addEventListener("pointermove", (e) => this.drag(e));
    this.root.addEventListener("pointerup", () => this.drop());
    this.root.addEventListener("pointercancel", () => this.release());
    this.root.addEventListener("click", (e) => {
      if (this.dragged && e.detail > 0) e.stopPropagation();
      this.dragged = false;
    }, { capture: true });
    this.draw();
  }

  draw(): void {
    const focused = this.columnOf(document.activeElement);
    this.root.replaceChildren(...this.layout.shown.map((c) => this.heading(c)));
    this.mark();
    if (focused) this.cellOf(focused)?.querySelector("button")?.focus({ preventScroll: true });
  }

  /** Marks the heading by which rows are sorted. */
  markSorted(column: Column, descending: boolean): void {
    this.sortedBy = { column, descending };
    this.mark();
  }

  private mark(): void {
    this.layout.shown.forEach((c, i) => {
      const heading = this.root.children[i]!;
      if (c === this.sortedBy?.column) heading.setAttribute("aria-sort", this.sortedBy.descending ? "descending" : "ascending");
      else heading.removeAttribute("aria-sort");
    });
  }

  private heading(c: Column): HTMLElement {
    const button = make("button", { type: "button", "aria-keyshortcuts": "Shift+ArrowLeft Shift+ArrowRight Alt+ArrowLeft Alt+ArrowRight" }, c.title);
    if (c.doc) button.title = c.doc;
    const heading = cellOf(c, "columnheader", this.layout.widths.get(c));
    heading.append(button, make("span", { class: "rpc-edge", "aria-hidden": "true" }));
    button.addEventListener("click", () => this.events.sort(c, heading.getAttribute("aria-sort") === "ascending"));
    button.addEventListener("keydown", (e) => {
      const step = e.key === "ArrowLeft" ? -1 : e.key === "ArrowRight" ? 1 : 0;
      if (step === 0 || e.ctrlKey || e.metaKey || e.shiftKey === e.altKey) return;
      e.preventDefault();
      if (e.shiftKey) moveTo(this.layout, c, this.layout.shown.indexOf(c) + step);
      else this.resize(c, Math.round(heading.offsetWidth / digitOf(heading)) + step);
      this.cellOf(c)?.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
    return heading;
  }

  private resize(c: Column, width: number): void {
    this.layout.resize(c, width);
    announce(`${c.title} is ${this.layout.widths.get(c)} digits wide`);
  }

  private columnOf(e: Element | null): Column | undefined {
    return this.layout.shown.find((c) => e && this.cellOf(c)?.contains(e));
  }

  private cellOf(c: Column): HTMLElement | null {
    return this.root.querySelector<HTMLElement>(`.c-${CSS.escape(c.id)}`);
  }

  private down(e: PointerEvent): void {
    this.release();
    this.dragged = false;
    const target = e.target as Element, edge = target.classList.contains("rpc-edge");
    const column = this.columnOf(target), cell = column && this.cellOf(column);
    // A finger scrolls the list.
    if (!column || !cell || e.button !== 0 || e.pointerType === "touch" && !edge) return;
    this.press = { column, cell, x: e.clientX, edge, width: cell.offsetWidth, digit: digitOf(cell) };
  }

  private drag(e: PointerEvent): void {
    const p = this.press;
    if (!p) return;
    if (e.buttons === 0) return this.release();
    if (!this.dragged && Math.abs(e.clientX - p.x) < dragThreshold) return;
    if (!this.dragged) this.root.setPointerCapture(e.pointerId);
    this.dragged = true;
    if (p.edge) {
      p.to = Math.max(3, Math.round((p.width + e.clientX - p.x) / p.digit));
      this.events.widen(p.column, p.to);
      return;
    }
    const cells = [...this.root.children].map((c) => c.getBoundingClientRect());
    const before = cells.filter((r) => r.left + r.width / 2 < e.clientX).length;
    p.to = before > this.layout.shown.indexOf(p.column) ? before - 1 : before;
    p.cell.classList.add("moved");
    [...this.root.children].forEach((c, i) => {
      c.classList.toggle("drop-before", i === before);
      c.classList.toggle("drop-after", i === before - 1 && before === cells.length);
    });
  }

  private drop(): void {
    const p = this.press;
    this.release();
    if (p?.to === undefined) return;
    if (p.edge) this.resize(p.column, p.to);
    else moveTo(this.layout, p.column, p.to);
  }

  /** Ends a press or a drag. */
  private release(): void {
    this.press = undefined;
    for (const c of this.root.children) c.classList.remove("moved", "drop-before", "drop-after");
  }
}

/** Moves a column, and announces its new place. */
export function moveTo(layout: Layout<Column>, c: Column, place: number): void {
  layout.move(c, place);
  announce(`${c.title} is column ${layout.shown.indexOf(c) + 1} of ${layout.shown.length}`);
}

/** A cell of a column: as wide as somebody chose, else as that is. */
export function cellOf(c: Column, role: string, width?: number): HTMLElement {
  const cell = make("div", { class: `cell c-${c.id}${c.number ? " number" : ""}`, role });
  if (c.wide) cell.style.setProperty("--wide", `${c.wide}ch`);
  widen(cell, width);
  return cell;
}

export function widen(cell: HTMLElement, width?: number): void {
  if (width === undefined) return;
  cell.classList.add("sized");
  cell.style.flex = `0 0 ${width}ch`;
}

/** How wide a digit is in a cell, in pixels: cells have different types. */
function digitOf(cell: HTMLElement): number {
  const probe = make("span", { class: "rpc-probe" });
  cell.append(probe);
  const width = probe.getBoundingClientRect().width / 10;
  probe.remove();
  return width || 8;
}
