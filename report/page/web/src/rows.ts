import type { ByteString } from "./filter/bytestring";
import { Lists, textOf } from "./lists";
import type { Column, ConnectionModel, Meta, RowsModel } from "./model";

/** Columns whose cells are text. All others are numbers. */
const textColumns = new Set(["detail"]);

/** Columns of small numbers. The others may have any that a double holds. */
const smallColumns = new Set([
  "connection", "reverse", "name", "status", "auth", "call_transfer", "reply_transfer", "complete", "severity",
  "evidence", "file", "reply_file",
]);

/** What the cells of columns of lists are. */
const listCells = new Set(["list", "runs", "text", "hash"]);

export type Numbers = Float64Array | Int32Array;

/** All rows of the page, column by column. */
export class Rows {
  /** Rows that were read so far. */
  length = 0;
  /** What the numbers of texts in lists mean. */
  readonly listTexts: ByteString[] = [];
  private readonly numeric = new Map<string, Numbers>();
  /** Columns that the page has; others that are asked for are 0. */
  private readonly present = new Set<string>();
  private readonly texts = new Map<string, string[]>();
  private readonly lists = new Map<string, Lists>();
  private readonly connections = new Map<number, ConnectionModel>();
  private readonly last = new Map<string, number>();

  constructor(private readonly meta: Meta) {
    for (const c of meta.connections) this.connections.set(c.id, c);
    for (const f of meta.fields) if (listCells.has(f.cell ?? "")) this.lists.set(f.column, new Lists(meta.totals.rows));
  }

  /** Takes a block of rows: those from first on. */
  addBlock(block: RowsModel, first: number, count: number): void {
    for (const [name, cells] of Object.entries(block.columns)) {
      this.present.add(name);
      if (textColumns.has(name)) {
        fillTexts(this.text(name), cells as Column<string>, first, count);
      } else {
        fill(this.numbers(name), cells as Column<number>, first, count);
      }
    }
    // Times and frames are differences to the row before, and completion is not in their order.
    for (const name of ["start", "frame"]) {
      const column = this.numbers(name);
      let last = this.last.get(name) ?? 0;
      for (let i = first; i < first + count; i++) column[i] = last += column[i]!;
      this.last.set(name, last);
    }
    const call = this.numbers("frame"), reply = this.numbers("reply_frame");
    for (let i = first; i < first + count; i++) reply[i]! += call[i]!;
    for (const [name, lists] of this.lists) lists.addBlock(block.lists?.[name], first, count);
    for (const t of block.texts ?? []) this.listTexts.push(textOf(t));
    this.length = Math.max(this.length, first + count);
  }

  /** Whether the page has a column. */
  hasColumn(name: string): boolean {
    return this.present.has(name);
  }

  /** A column of numbers; all 0 if the page does not have it. */
  numbers(name: string): Numbers {
    let column = this.numeric.get(name);
    if (!column) {
      column = new (smallColumns.has(name) ? Int32Array : Float64Array)(this.meta.totals.rows);
      this.numeric.set(name, column);
    }
    return column;
  }

  /** A column of lists of a field. */
  list(name: string): Lists | undefined {
    return this.lists.get(name);
  }

  /** A column of texts. */
  text(name: string): string[] {
    let column = this.texts.get(name);
    if (!column) {
      column = [];
      this.texts.set(name, column);
    }
    return column;
  }

  isText(name: string): boolean {
    return textColumns.has(name);
  }

  /** A string of the dictionary that a cell of the column refers to. */
  named(column: string, row: number): string {
    return this.meta.names[this.numbers(column)[row]!] ?? "";
  }

  connection(row: number): ConnectionModel | undefined {
    return this.connections.get(this.numbers("connection")[row]!);
  }

  /** The XID as it is written. */
  xid(row: number): string {
    return "0x" + this.numbers("xid")[row]!.toString(16).padStart(8, "0");
  }

  /** The row's name in links: several RPCs may have one XID, and the second is .2. */
  link(row: number): string {
    const xids = this.numbers("xid");
    let nth = 1;
    for (let i = 0; i < row; i++) if (xids[i] === xids[row]) nth++;
    return `rpc-${this.xid(row)}${nth > 1 ? `.${nth}` : ""}`;
  }

  /** The row of an XID, the nth that has it; undefined if there is none. */
  findXID(xid: number, nth: number): number | undefined {
    const xids = this.numbers("xid");
    for (let i = 0; i < this.length; i++) if (xids[i] === xid && --nth === 0) return i;
    return undefined;
  }
}

function fill(to: Numbers, cells: Column<number>, first: number, count: number): void {
  if (Array.isArray(cells)) {
    to.set(cells.slice(0, count), first);
  } else {
    to.fill(cells, first, first + count);
  }
}

function fillTexts(to: string[], cells: Column<string>, first: number, count: number): void {
  for (let i = 0; i < count; i++) to[first + i] = Array.isArray(cells) ? cells[i] ?? "" : cells;
}
