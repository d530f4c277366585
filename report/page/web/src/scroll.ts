/** Browsers draw nothing below some height, of which this is well within each. */
const mostHeight = 8e6;

/**
 * Computes which of n rows of equal height are visible. If their total height exceeds what a browser can
 * show, the scrolled height is less, and the rows move faster than the scroll bar.
 */
export class Scroll {
  /** Height of what scrolls. */
  readonly height: number;
  private readonly whole: number;

  constructor(readonly n: number, readonly row: number, readonly view: number) {
    this.whole = n * row;
    this.height = Math.min(this.whole, mostHeight);
  }

  private get speed(): number {
    return this.height < this.whole ? (this.whole - this.view) / (this.height - this.view) : 1;
  }

  /** The first visible row, and how many are visible, including partly visible ones. */
  inSight(top: number): { first: number; count: number } {
    const first = Math.max(0, Math.floor(top * this.speed / this.row));
    return { first, count: Math.min(this.n - first, Math.ceil(this.view / this.row) + 1) };
  }

  /** Where a row is in what scrolls, while that is at top. */
  place(index: number, top: number): number {
    return index * this.row + top - top * this.speed;
  }

  /** The scroll position at which a row is the first visible one. */
  top(index: number): number {
    return Math.ceil(Math.min(index, this.n) * this.row / this.speed);
  }

  /** The scroll position at which a row is visible: top itself, if it is visible there. */
  reveal(index: number, top: number): number {
    const at = index * this.row, now = top * this.speed;
    if (at < now) return at / this.speed;
    if (at + this.row > now + this.view) return (at + this.row - this.view) / this.speed;
    return top;
  }
}
