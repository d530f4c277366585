// Which columns of a list are shown, in which order and how wide, as somebody chose.

/** The least and the most width of a column, in the width of a digit. */
const least = 3, most = 200;

export class Layout<C extends { id: string }> {
  shown: C[];
  /** Widths that somebody chose. */
  readonly widths = new Map<C, number>();
  private readonly listeners: (() => void)[] = [];

  constructor(readonly all: readonly C[]) {
    this.shown = [...all];
  }

  onChange(f: () => void): void {
    this.listeners.push(f);
  }

  /** The columns as an address has them, "" for the defaults: "name,latency:14". */
  get text(): string {
    if (this.widths.size === 0 && this.shown.length === this.all.length && this.shown.every((c, i) => c === this.all[i])) return "";
    return this.shown.map((c) => this.widths.has(c) ? `${c.id}:${this.widths.get(c)}` : c.id).join(",");
  }

  /** Takes the columns of an address: those that there are. Of none, all are shown as they are at first. */
  restore(text: string): void {
    if (text === this.text) return;
    const shown = new Set<C>();
    this.widths.clear();
    for (const part of text.split(",")) {
      const [, id, width] = /^([^:]+)(?::([0-9]{1,3}))?$/.exec(part) ?? [];
      const column = this.all.find((c) => c.id === id);
      if (!column || shown.has(column)) continue;
      shown.add(column);
      if (width) this.widths.set(column, within(Number(width)));
    }
    this.shown = shown.size > 0 ? [...shown] : [...this.all];
    this.changed();
  }

  /** Shows a column at its default place, after those that precede it there, or hides it, except the last one. */
  show(column: C, on: boolean): void {
    if (on === this.shown.includes(column) || !on && this.shown.length === 1) return;
    if (on) {
      const place = this.all.indexOf(column);
      this.shown.splice(this.shown.findLastIndex((c) => this.all.indexOf(c) < place) + 1, 0, column);
    } else {
      this.shown.splice(this.shown.indexOf(column), 1);
    }
    this.changed();
  }

  /** Moves a column to a place among those that are shown; whether it was elsewhere. */
  move(column: C, to: number): boolean {
    const from = this.shown.indexOf(column);
    if (from < 0 || to === from || to < 0 || to >= this.shown.length) return false;
    this.shown.splice(from, 1);
    this.shown.splice(to, 0, column);
    this.changed();
    return true;
  }

  resize(column: C, width: number): void {
    this.widths.set(column, within(width));
    this.changed();
  }

  private changed(): void {
    for (const f of this.listeners) f();
  }
}

function within(width: number): number {
  return Math.min(most, Math.max(least, Math.round(width)));
}
