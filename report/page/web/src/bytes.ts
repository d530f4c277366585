// The bytes of a frame or message beside its field tree, each tied to the
// other: what is pointed at or has the focus on one side is marked on the
// other, and a line below describes it.

import type { Exhibit } from "./model";
import { fieldAt, foldLines, linesOf, mostSpecificExhibit, narrowWidth, parseHex, pathAt, runAt, runsOf, type Line, type Path, type Run } from "./bytes-layout";
import { fillWhenOpened, make, openNow } from "./make";
import { fault, markView, signView, type Mark } from "./mark";
import { plain } from "./text";
import { treeView, type Tree } from "./tree";
import { frameName, byteCount } from "./units";

/**
 * Shows bytes and fields of the exhibits in el. Each gets an element of its own with data-frame, the
 * number of its frame (FILE.NUMBER where there are several files), so that others can find it, and
 * data-part where it is only the message that the frame completed. All but the most specific are closed, and are built when they are opened.
 */
export function showExhibits(el: HTMLElement, exhibits: Exhibit[], mark: Mark = fault): void {
  const mostSpecific = mostSpecificExhibit(exhibits);
  exhibits.forEach((e, i) => {
    const sign = e.bad.length > 0 ? markView(mark) : "";
    // Some titles include it.
    const length = e.length === 0 || /\bbytes?\b/.test(e.title) ? "" : make("span", { class: "aside" }, byteCount(e.length));
    const box = make("details", { class: "exhibit" }, make("summary", {}, plain(e.title), " ", length, " ", sign));
    if (e.f) box.dataset["frame"] = frameName(e.f, e.file);
    if (e.part) box.dataset["part"] = "";
    fillWhenOpened(box, () => bytesView(e, mark));
    el.append(box);
    if (i === mostSpecific) openNow(box);
  });
}

function bytesView(exhibit: Exhibit, mark: Mark): HTMLElement {
  const bytes = parseHex(exhibit.octets);
  const tree = treeView(exhibit.nodes, exhibit.bad, mark);
  const treeBox = make("div", { class: "tree-box" }, tree.root);
  const box = make("div", { class: "bytes" });
  if (bytes.length > 0) {
    const runs = runsOf(bytes.length, exhibit.nodes, exhibit.bad);
    const readout = make("p", { class: "said" });
    const dump = new Dump(bytes, runs, mark);
    const dumpBox = make("div", { class: "dump-box" }, dump.table);
    linkDumpAndTree(exhibit, dump, tree, readout, runs);
    box.append(dumpBox, treeBox, readout);
    requestAnimationFrame(() => {
      scrollToMiddle(dumpBox, ".bad");
      scrollToMiddle(treeBox, ".field.bad");
    });
  } else {
    box.classList.add("fields-only");
    box.append(treeBox);
  }
  const cut = exhibit.length - bytes.length;
  if (cut > 0) {
    const words = bytes.length > 0 ? `${byteCount(cut)} more are not in the page (${exhibit.length} in all).` : "The bytes are not in the page.";
    box.append(make("p", { class: "cut" }, words));
  }
  return box;
}

/** Scrolls a box, and nothing else, so that what is at fault is in the middle of it. */
function scrollToMiddle(box: HTMLElement, what: string): void {
  const e = box.querySelector(what);
  if (!e) return;
  const down = e.getBoundingClientRect().top - box.getBoundingClientRect().top;
  if (down > box.clientHeight - 40) box.scrollTop += down - box.clientHeight / 2;
}

function linkDumpAndTree(exhibit: Exhibit, dump: Dump, tree: Tree, readout: HTMLElement, runs: Run[]): void {
  const show = (path: Path | null) => {
    tree.mark(path);
    const field = path && fieldAt(exhibit.nodes, path);
    if (!field) {
      dump.mark(0, 0);
      return;
    }
    const [, value, start, end] = field;
    dump.mark(start, end);
    const names = path.map((_, i) => fieldAt(exhibit.nodes, path.slice(0, i + 1))?.[0] ?? "");
    readout.textContent = placeOf(start, end) + plain(names.join(" › ") + (value ? ": " + value : ""));
  };
  tree.onPoint = show;
  dump.onPoint = (run) => show(run < 0 ? tree.focused() : pathAt(exhibit.nodes, runs[run]!.start));
  dump.onChoose = (run) => {
    const path = pathAt(exhibit.nodes, runs[run]!.start);
    if (path) tree.focus(path);
  };
  readout.textContent = "Point at a byte or a field, or move through the tree with the arrow keys.";
}

function placeOf(start: number, end: number): string {
  if (end <= start) return "";
  return end === start + 1 ? `byte ${start}: ` : `bytes ${start} to ${end - 1}: `;
}

/** Dump is the table of bytes: offset, hexadecimal, text. */
class Dump {
  readonly table: HTMLTableElement;
  onPoint: (run: number) => void = () => {};
  onChoose: (run: number) => void = () => {};
  private spans: HTMLElement[][]; // of each run
  private marked: HTMLElement[] = [];

  constructor(
    private readonly bytes: Uint8Array,
    private readonly runs: Run[],
    private readonly sign: Mark,
  ) {
    this.spans = runs.map(() => []);
    const body = make("tbody");
    const narrow = matchMedia("screen and (max-width: 36rem)").matches;
    for (const line of foldLines(linesOf(bytes.length, runs, narrow ? narrowWidth : undefined))) {
      if (line.kind === "bytes") body.append(this.line(line));
      else body.append(this.fold(line.start, line.end, line.lines));
    }
    this.table = make("table", { class: "dump" }, body);
    this.table.append(make("caption", { class: "sr" }, "Bytes: offset, hexadecimal, text"));
    const runOf = (e: Event) => {
      const span = e.target instanceof HTMLElement ? e.target.dataset["run"] : undefined;
      return span === undefined ? -1 : Number(span);
    };
    this.table.addEventListener("mouseover", (e) => this.onPoint(runOf(e)));
    this.table.addEventListener("mouseleave", () => this.onPoint(-1));
    this.table.addEventListener("click", (e) => {
      const run = runOf(e);
      // Selecting bytes to copy them chooses no field.
      if (run >= 0 && getSelection()?.isCollapsed !== false) this.onChoose(run);
    });
  }

  private line(line: Line): HTMLElement {
    const codes = make("td", { class: "hex" });
    const text = make("td", { class: "text" });
    for (const piece of line.pieces) {
      const part = this.bytes.subarray(piece.start, piece.end);
      if (piece.start > line.start) codes.append(piece.start - line.start === 8 ? "  " : " ");
      codes.append(this.span(piece.run, hexOf(part, piece.start - line.start)));
      text.append(this.span(piece.run, textOf(part)));
    }
    const sign = make("td", { class: "sign" }, line.bad ? signView(this.sign) : "");
    const offset = line.start.toString(16).padStart(4, "0");
    return make("tr", {}, sign, make("th", { scope: "row" }, offset), codes, text);
  }

  private span(run: number, text: string): HTMLElement {
    const s = make("span", this.runs[run]!.bad ? { class: "bad" } : {}, text);
    s.dataset["run"] = String(run);
    this.spans[run]!.push(s);
    return s;
  }

  private fold(start: number, end: number, lines: Line[]): HTMLElement {
    const words = `${byteCount(end - start)} in ${lines.length} lines`;
    const button = make("button", { type: "button", class: "fold" }, "… " + words);
    const row = make("tr", { class: "fold" }, make("td"), make("td"), make("td", { colspan: 2 }, button));
    button.addEventListener("click", () => {
      row.replaceWith(...lines.map((line) => this.line(line)));
      this.onPoint(-1);
    });
    return row;
  }

  /** mark marks bytes [start, end). */
  mark(start: number, end: number): void {
    for (const s of this.marked) s.classList.remove("marked");
    this.marked = [];
    if (start >= end) return;
    let run = runAt(this.runs, start);
    for (; run >= 0 && run < this.runs.length && this.runs[run]!.start < end; run++) {
      this.marked.push(...this.spans[run]!);
    }
    for (const s of this.marked) s.classList.add("marked");
  }
}

/** hexOf writes bytes in hexadecimal; a wider space stands after the eighth
 * of a line. */
function hexOf(part: Uint8Array, column: number): string {
  let s = "";
  part.forEach((b, i) => {
    if (i > 0) s += column + i === 8 ? "  " : " ";
    s += b.toString(16).padStart(2, "0");
  });
  return s;
}

function textOf(part: Uint8Array): string {
  let s = "";
  for (const b of part) s += b >= 0x20 && b < 0x7f ? String.fromCharCode(b) : ".";
  return s;
}
