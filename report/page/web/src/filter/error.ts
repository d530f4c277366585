import { decode, visible, type ByteString } from "./bytestring";

/** What is wrong with an expression, and where. */
export class FilterError extends Error {
  expr: ByteString = "";

  /**
   * The bytes at fault are length from offset on; length is 0 where something is missing. Reason says
   * what is wrong, hint what to write instead, "" if nobody can know.
   */
  constructor(readonly offset: number, readonly length: number, readonly reason: ByteString, readonly hint: ByteString) {
    super(decode(reason));
  }

  /** The expression as one line, and the columns of it at fault: as many as `rdmacap read` shows. */
  line(): { line: string; before: number; width: number } {
    const at = Math.min(this.offset, this.expr.length);
    const end = Math.min(at + this.length, this.expr.length);
    let all = visible(this.expr);
    let before = Math.min(visible(this.expr.slice(0, at)).length, all.length);
    let width = visible(this.expr.slice(at, end)).length;
    let front = "", back = "";
    if (all.length > shownColumns && before > columnsBefore) {
      all = all.slice(before - columnsBefore);
      before = columnsBefore;
      front = "…";
    }
    if (all.length > shownColumns) {
      all = all.slice(0, shownColumns);
      back = "…";
    }
    width = Math.min(width, all.length - before);
    return { line: front + all.join("") + back, before: before + front.length, width };
  }

  /** The reason, the expression with a line under it that marks the place, and the hint. */
  get text(): string {
    const { line, before, width } = this.line();
    const mark = " ".repeat(before) + "^" + "~".repeat(Math.max(0, width - 1));
    return [decode(this.reason), "  " + line, "  " + mark, ...(this.hint ? [decode(this.hint)] : [])].join("\n");
  }
}

const shownColumns = 100;
const columnsBefore = 40;

/** Why a literal is not what its field takes; without a reason it is something else altogether. */
export class LiteralError extends Error {
  constructor(readonly reason: ByteString = "", readonly hint: ByteString = "") {
    super(reason);
  }
}
