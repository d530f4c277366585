// The stretch of time that all charts of a connection show together.

export type Range = [from: number, to: number];

export class Timeline {
  private shown: Range;
  private readonly listeners: (() => void)[] = [];

  /** The whole time, in seconds; no zoom shows less than least. */
  constructor(readonly whole: Range, private readonly least: number) {
    this.shown = whole;
  }

  get range(): Range {
    return this.shown;
  }

  get isWhole(): boolean {
    return this.shown[0] === this.whole[0] && this.shown[1] === this.whole[1];
  }

  /** What is shown, in words: with enough digits to distinguish its ends. */
  get words(): string {
    const [from, to] = this.shown, digits = Math.min(9, Math.max(3, 2 - Math.floor(Math.log10(to - from))));
    return `${from.toFixed(digits)} s to ${to.toFixed(digits)} s`;
  }

  /** Shows another stretch; it stays inside the whole. */
  show([from, to]: Range): void {
    const length = Math.min(Math.max(to - from, this.least), this.whole[1] - this.whole[0]);
    const middle = (from + to) / 2;
    const start = Math.min(Math.max(middle - length / 2, this.whole[0]), this.whole[1] - length);
    // Rounding is not to make the whole time a little less.
    const next: Range = length >= this.whole[1] - this.whole[0] ? this.whole : [start, Math.min(start + length, this.whole[1])];
    if (next[0] === this.shown[0] && next[1] === this.shown[1]) return;
    this.shown = next;
    for (const f of this.listeners) f();
  }

  /** Shows factor times as much, around the middle. */
  zoom(factor: number): void {
    const [from, to] = this.shown;
    const middle = (from + to) / 2;
    const half = ((to - from) / 2) * factor;
    this.show([middle - half, middle + half]);
  }

  /** Moves by a part of what is shown. */
  move(part: number): void {
    const [from, to] = this.shown;
    this.show([from + part * (to - from), to + part * (to - from)]);
  }

  onChange(f: () => void): void {
    this.listeners.push(f);
  }
}
