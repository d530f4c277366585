import type { Column } from "./columns";
import { Headings, widen } from "./headings";
import type { Layout } from "./layout";
import { make } from "./make";
import { Scroll } from "./scroll";
import { Slot } from "./slot";

export interface GridEvents {
  /** Somebody opens a row: by a key if byKey. */
  open(row: number, byKey: boolean): void;
  /** The reader sorts by a column. */
  sort(column: Column, descending: boolean): void;
  /** The reader has stopped scrolling: the first visible row. */
  scrolled(index: number): void;
}

/** Rows that are drawn above and below the visible ones. */
const margin = 4;

/** Rows that are drawn for paper. */
const mostPrinted = 500;

/** A list of any number of rows, of which only the visible ones have elements. */
export class Grid {
  readonly root: HTMLElement;
  private readonly headings: Headings;
  private readonly head: HTMLElement;
  private readonly space: HTMLElement;
  private readonly slots: Slot[] = [];
  private order: ArrayLike<number> = new Uint32Array();
  private active = 0;
  private opened = -1;
  private scroll = new Scroll(0, 1, 1);
  private rowHeight = 0;
  private drawn = { from: 0, to: 0 };
  private drawing = false;
  private printing = false;

  constructor(private readonly layout: Layout<Column>, private readonly events: GridEvents) {
    this.headings = new Headings(layout, { sort: (c, descending) => events.sort(c, descending), widen: (c, width) => this.widen(c, width) });
    this.head = this.headings.root;
    this.space = make("div", { class: "rpc-space", role: "rowgroup" });
    this.root = make("div", {
      class: "rpc-grid", role: "grid", tabindex: 0, "aria-label": "RPCs", "aria-colcount": layout.shown.length, "aria-readonly": true,
    }, make("div", { class: "rpc-heads", role: "rowgroup" }, this.head), this.space);
    let rests = 0;
    this.root.addEventListener("scroll", () => {
      this.drawLater();
      clearTimeout(rests);
      rests = window.setTimeout(() => this.events.scrolled(this.scroll.inSight(this.root.scrollTop).first), 300);
    }, { passive: true });
    this.root.addEventListener("keydown", (e) => this.key(e));
    this.space.addEventListener("click", (e) => this.click(e));
    layout.onChange(() => this.arrange());
    new ResizeObserver(() => this.measure()).observe(this.root);
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
  }

  /** Shows these rows, from the first on. */
  show(order: Uint32Array): void {
    this.order = order;
    this.active = 0;
    this.root.setAttribute("aria-rowcount", String(order.length + 1));
    this.measure();
    this.root.scrollTop = 0;
    this.draw();
  }

  /** Scrolls so that a row is the first visible one, by its place in the list. */
  scrollTo(index: number): void {
    this.root.scrollTop = this.scroll.top(index);
  }

  /** Whether a row is among those shown. */
  hasRow(row: number): boolean {
    return Array.prototype.includes.call(this.order, row);
  }

  /** Marks a row as the one that is open, and brings it into sight; -1 none. */
  markOpened(row: number): void {
    this.opened = row;
    const index = row < 0 ? -1 : Array.prototype.indexOf.call(this.order, row);
    if (index >= 0) this.activate(index);
    this.draw();
  }

  /** The row that is n rows after another in the list, if there is one. */
  neighbour(row: number, n: number): number | undefined {
    const index = Array.prototype.indexOf.call(this.order, row);
    return index < 0 ? undefined : this.order[index + n];
  }

  /** Marks the heading by which rows are sorted. */
  markSorted(column: Column, descending: boolean): void {
    this.headings.markSorted(column, descending);
  }

  /** Rebuilds the visible rows with the columns of the layout. */
  private arrange(): void {
    this.headings.draw();
    for (const s of this.slots.splice(0)) s.element.remove();
    this.root.setAttribute("aria-colcount", String(this.layout.shown.length));
    this.measure();
    this.draw();
  }

  private widen(column: Column, width: number): void {
    for (const cell of this.root.querySelectorAll<HTMLElement>(`.c-${CSS.escape(column.id)}`)) widen(cell, width);
    this.space.style.width = `${this.head.offsetWidth}px`;
  }

  private measure(): void {
    if (this.printing) return;
    if (this.order.length > 0) {
      const slot = this.slots.find((s) => s.index >= 0) ?? this.slot(0);
      if (slot.index < 0) slot.show(this.order[0]!, 0, 0, false, false);
      this.rowHeight = slot.element.offsetHeight || this.rowHeight;
      if (this.rowHeight === 0) return; // it is not in the page yet
    }
    const view = Math.max(this.rowHeight, this.root.clientHeight - this.head.offsetHeight);
    this.scroll = new Scroll(this.order.length, this.rowHeight || 1, view);
    this.space.style.height = `${this.scroll.height}px`;
    this.space.style.width = `${this.head.offsetWidth}px`;
    this.drawLater();
  }

  /** Draws before the browser does, once. */
  private drawLater(): void {
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.drawing = false;
    if (this.printing) return;
    const top = this.root.scrollTop;
    const { first, count } = this.scroll.inSight(top);
    // After a jump none of the visible rows is drawn yet: those around them wait for the next frame.
    const jumped = first >= this.drawn.to || first + count <= this.drawn.from;
    const around = jumped ? 0 : margin;
    const from = Math.max(0, first - around), to = Math.min(this.order.length, first + count + around);
    this.drawn = { from, to };
    if (jumped && to > from) this.drawLater();
    // A row keeps its element while it is visible.
    const size = to - from;
    while (this.slots.length < size) this.slot(this.slots.length);
    const used = this.slots.length;
    for (const s of this.slots) if (s.index < from || s.index >= to) s.hide();
    for (let i = from; i < to; i++) {
      const row = this.order[i]!;
      this.slots[i % used]!.show(row, i, this.scroll.place(i, top), i === this.active, row === this.opened);
    }
    const active = this.active >= from && this.active < to && this.slots[this.active % used];
    if (active) this.root.setAttribute("aria-activedescendant", active.element.id);
    else this.root.removeAttribute("aria-activedescendant");
  }

  private slot(i: number): Slot {
    return this.slots[i] ??= new Slot(this.layout, this.space, i);
  }

  private key(e: KeyboardEvent): void {
    if (e.target !== this.root || e.ctrlKey || e.altKey || e.metaKey || this.order.length === 0) return;
    const page = Math.max(1, Math.floor(this.scroll.view / this.scroll.row) - 1);
    const to: Record<string, number> = {
      ArrowDown: this.active + 1, ArrowUp: this.active - 1, PageDown: this.active + page, PageUp: this.active - page,
      Home: 0, End: this.order.length - 1,
    };
    const index = to[e.key];
    if (index !== undefined) this.activate(index);
    else if (e.key === "Enter" || e.key === " ") this.events.open(this.order[this.active]!, true);
    else return;
    e.preventDefault();
  }

  private activate(index: number): void {
    this.active = Math.min(Math.max(index, 0), this.order.length - 1);
    this.root.scrollTop = this.scroll.reveal(this.active, this.root.scrollTop);
    this.draw();
  }

  private click(e: MouseEvent): void {
    const element = (e.target as Element).closest<HTMLElement>(".rpc-row");
    const slot = this.slots.find((s) => s.element === element);
    // Selecting text in a row does not open it.
    if (!slot || slot.index < 0 || getSelection()?.type === "Range") return;
    this.active = slot.index;
    this.events.open(slot.row, false);
  }

  private print(on: boolean): void {
    this.printing = false;
    if (on) {
      const n = Math.min(this.order.length, mostPrinted);
      while (this.slots.length < n) this.slot(this.slots.length);
      for (const s of this.slots) s.hide();
      for (let i = 0; i < n; i++) this.slots[i]!.show(this.order[i]!, i, i * this.rowHeight, false, this.order[i] === this.opened);
      this.space.style.height = `${n * this.rowHeight}px`;
      this.space.dataset["cut"] = n < this.order.length ? `${this.order.length - n} more rows are not printed` : "";
      this.printing = true;
      return;
    }
    for (const s of this.slots.splice(100)) s.element.remove();
    for (const s of this.slots) s.hide();
    this.measure();
  }
}
