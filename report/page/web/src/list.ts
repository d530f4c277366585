import { absentFrame, absentRPC, type Absent } from "./absent";
import type { Address } from "./address";
import { announce } from "./announce";
import { chooser } from "./chooser";
import { columnsOf, type Column } from "./columns";
import type { Data } from "./data";
import type { Filter } from "./filter/match";
import { FilterBox } from "./filterbox";
import { Grid } from "./grid";
import { Layout } from "./layout";
import { make } from "./make";
import type { Evidence } from "./model";
import { filterRows, sortRows } from "./order";
import { Panel } from "./panel";
import { wholeTimeButton } from "./narrow";
import type { RPCName } from "./rpclinks";
import { fieldsOf, RowSource } from "./source";
import { count, grouped } from "./text";
import type { Timeline } from "./timeline";

/** The list of all RPCs: a filter, the rows, and below them the one that is open. */
export class List {
  private readonly columns: Column[];
  private readonly layout: Layout<Column>;
  private readonly grid: Grid;
  private readonly panel: Panel;
  private readonly box: FilterBox;
  private readonly shown = make("p", { class: "rpc-shown" });
  private readonly source: RowSource;
  private filter: Filter | undefined;
  private sortedRows: Uint32Array = new Uint32Array();
  private opened = -1;
  /** By what the rows are sorted. */
  private sortedBy: Column;
  private timeline: Timeline | undefined;

  constructor(el: HTMLElement, private readonly data: Data, private readonly address: Address) {
    this.columns = columnsOf(data);
    this.sortedBy = this.defaultOrder;
    this.source = new RowSource(data.meta, data.rows);
    this.layout = new Layout(this.columns);
    this.grid = new Grid(this.layout, {
      open: (row, byKey) => {
        this.open(row);
        if (byKey) this.panel.focus();
      },
      sort: (column, descending) => this.sort(column, descending),
      scrolled: (index) => this.address.set("at", index > 0 ? String(index) : ""),
    });
    this.panel = new Panel(data, () => this.close(), (n) => {
      const row = this.grid.neighbour(this.opened, n);
      if (row !== undefined) this.open(row);
      else this.panel.showNote(this.grid.hasRow(this.opened) ? `The list has no ${n > 0 ? "further" : "earlier"} RPC.` : "The filtered list does not have this RPC.");
    }, (anchor) => address.setAnchor(anchor));
    this.box = new FilterBox(fieldsOf(data.meta), data.meta.elsewhere ?? [], (filter) => {
      this.filter = filter;
      this.address.set("y", filter.expr.trim());
      this.show();
      announce(this.shown.textContent ?? "");
    });
    el.replaceChildren(this.box.root, this.shown, chooser(this.layout), this.grid.root, this.panel.root);
    this.restore();
    this.layout.onChange(() => {
      address.set("cols", this.layout.text);
      this.show();
    });
    address.onChange(() => this.restore());
  }

  /** The column of the order in which rows are. */
  private get defaultOrder(): Column {
    return this.columns.find((c) => c.id === "no")!;
  }

  /** Restores what the address records: the columns, the filter, the order, and the first visible row. */
  restore(): void {
    const at = Number(this.address.get("at")), sort = this.address.get("sort"), column = this.columns.find((c) => c.id === sort.replace(/^-/, ""));
    this.layout.restore(this.address.get("cols"));
    this.box.set(this.address.get("y"));
    this.sort(column ?? this.defaultOrder, column !== undefined && sort.startsWith("-"));
    if (at > 0) this.grid.scrollTo(at);
  }

  /** Shows the RPCs of the time that the timeline shows. */
  followTimeline(timeline: Timeline): void {
    this.timeline = timeline;
    timeline.onChange(() => this.show());
  }

  /** Opens a row in the panel, and shows it in the list; the filter goes if it hides the row, unless the address has both. */
  open(row: number, keepFilter = false): void {
    if (!keepFilter && !this.grid.hasRow(row)) {
      this.box.set("");
      this.timeline?.show(this.timeline.whole);
    }
    this.opened = row;
    this.grid.markOpened(row);
    this.address.setAnchor(this.data.rows.link(row));
    this.panel.showRow(row);
  }

  /** Opens the RPC of an XID, the nth that has it. */
  openXID(xid: number, nth: number, keepFilter: boolean): void {
    const row = this.data.rows.findXID(xid, nth);
    if (row !== undefined) {
      this.open(row, keepFilter);
    } else {
      let has = 0;
      while (this.data.rows.findXID(xid, has + 1) !== undefined) has++;
      this.showMissing(absentRPC(this.data.meta, xid, nth, has));
    }
    this.panel.focus();
  }

  /** Opens an RPC beside another. */
  compare([first, second]: [RPCName, RPCName], keepFilter: boolean): void {
    const row = this.data.rows.findXID(...first), other = this.data.rows.findXID(...second);
    if (row === undefined || other === undefined || row === other) {
      this.openXID(...(row === undefined ? first : second), keepFilter);
    } else {
      this.open(row, keepFilter);
      this.panel.compare(row, other);
    }
  }

  /** Opens what shows a frame: the RPC that it is of, else any evidence. */
  async openFrame(name: string, keepFilter: boolean): Promise<void> {
    const [number, file] = name.split(".").map(Number).reverse();
    const is = (f: number, of?: number) => f === number && (file === undefined || (of ?? 0) === file);
    const absent = absentFrame(this.data.meta, name, number!, file);
    const found = this.rowOf(is) ?? await this.itemOf(is, name);
    if (found === undefined) {
      this.showMissing(absent);
    } else if (typeof found === "number") {
      this.open(found, keepFilter);
    } else {
      this.opened = -1;
      this.grid.markOpened(-1);
      this.panel.showEvidence(found);
    }
    if (found === undefined || !this.panel.reveal(name, absent.command)) this.panel.focus();
  }

  /** The first evidence that has a frame, or its RPC. */
  private async itemOf(is: (frame: number, file?: number) => boolean, name: string): Promise<Evidence | number | undefined> {
    announce(`Looking for frame ${name}`);
    let drawn: Evidence | undefined; // a ladder has it, but not its bytes
    let part: Evidence | undefined; // its message is there
    for await (const [, item] of this.data.allEvidence()) {
      if (item.exhibits?.some((e) => is(e.f, e.file) && !e.part)) return item.row >= 0 ? item.row : item;
      if (item.exhibits?.some((e) => is(e.f, e.file))) part ??= item;
      if (item.ladder?.steps.some((s) => is(s.f, s.file))) drawn ??= item;
    }
    const found = part ?? drawn;
    return found && found.row >= 0 ? found.row : found;
  }

  /** The row whose call ends, or whose reply begins, with a frame. */
  private rowOf(is: (frame: number, file: number) => boolean): number | undefined {
    const { rows } = this.data;
    const [call, reply, file, replyFile] = ["frame", "reply_frame", "file", "reply_file"].map((c) => rows.hasColumn(c) ? rows.numbers(c) : undefined);
    for (let i = 0; i < rows.length; i++) {
      if (is(call?.[i] ?? 0, file?.[i] ?? 0) || is(reply?.[i] ?? 0, replyFile?.[i] ?? 0)) return i;
    }
    return undefined;
  }

  /** Goes to what is shown below the list. */
  focus(): void {
    this.panel.focus();
  }

  /** Shows that the target of a link is not in the page, and where it is. */
  showMissing({ title, text, command }: Absent): void {
    this.opened = -1;
    this.grid.markOpened(-1);
    this.panel.showMissing(title, text, command);
    announce(`${title}: ${text}`);
  }

  private close(): void {
    this.opened = -1;
    this.panel.hide();
    this.grid.markOpened(-1);
    this.address.setAnchor("rpcs");
    this.grid.root.focus();
  }

  private sort(column: Column, descending: boolean): void {
    this.sortedRows = sortRows(this.data.rows.length, column.key(), descending);
    this.sortedBy = column;
    this.grid.markSorted(column, descending);
    this.address.set("sort", column === this.defaultOrder && !descending ? "" : (descending ? "-" : "") + column.id);
    this.show();
    if (this.shown.isConnected && column !== this.defaultOrder) announce(`sorted by ${column.title}, ${descending ? "descending" : "ascending"}`);
  }

  private show(): void {
    const { filter, source } = this;
    const inTime = this.inTime();
    const timed = inTime ? filterRows(this.sortedRows, inTime) : this.sortedRows;
    const order = filter ? filterRows(timed, (row) => filter.match(source, row)) : timed;
    this.grid.show(order);
    const { rows, rpcs } = this.data.meta.totals;
    const whole = `${count(rows, "RPC")}${rows < rpcs ? ` in this page, of ${grouped(rpcs)} in the capture` : ""}`;
    this.shown.textContent = order.length < rows ? `${grouped(order.length)} of ${whole}` : whole;
    if (this.sortedBy !== this.defaultOrder && !this.layout.shown.includes(this.sortedBy)) this.shown.append(`, sorted by ${this.sortedBy.title}`);
    if (inTime && this.timeline) this.shown.append(`, of ${this.timeline.words} `, wholeTimeButton(this.timeline));
  }

  /** Whether a row was open in the time that is shown; undefined if that is the whole time. */
  private inTime(): ((row: number) => boolean) | undefined {
    if (!this.timeline || this.timeline.isWhole) return undefined;
    const [from, to] = this.timeline.range.map((s) => s * 1e9) as [number, number];
    const [start, latency] = ["start", "latency"].map((c) => this.data.rows.numbers(c));
    return (row) => start![row]! <= to && start![row]! + Math.max(0, latency![row]!) >= from;
  }
}
