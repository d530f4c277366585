// The octets of a frame or message beside its field tree, each tied to the
// other: what is pointed at or has the focus on one side is marked on the
// other, and a line below says it in words.

import type { Exhibit, Node as Field } from "./model";
import { foldLines, linesOf, octetsOf, pathAt, runAt, runsOf, type Line, type Path, type Run } from "./octets-layout";
import { lazily, make, openNow } from "./make";
import { treeView, type Tree } from "./tree";
import { frameName, octets } from "./units";

/**
 * Shows octets and fields of the exhibits in el. Each gets an element of its own with data-frame, the
 * number of its frame (FILE.NUMBER where there are several files), so that others can find it. All but
 * the one at fault, or the first, are closed, and are built when they are opened.
 */
export function showExhibits(el: HTMLElement, exhibits: Exhibit[]): void {
  const first = Math.max(0, exhibits.findIndex((e) => e.bad.length > 0));
  exhibits.forEach((e, i) => {
    const sign = e.bad.length > 0 ? make("b", { class: "at-fault" }, " ✗ octets at fault") : "";
    const length = make("span", { class: "aside" }, octets(e.length));
    const box = make("details", { class: "exhibit" }, make("summary", {}, e.title, " ", length, sign));
    box.dataset["frame"] = frameName(e.f, e.file);
    lazily(box, () => octetsView(e));
    el.append(box);
    if (i === first) openNow(box);
  });
}

function octetsView(exhibit: Exhibit): HTMLElement {
  const bytes = octetsOf(exhibit.octets);
  const runs = runsOf(bytes.length, exhibit.nodes, exhibit.bad);
  const said = make("p", { class: "said", "aria-live": "polite" });
  const tree = treeView(exhibit.nodes, exhibit.bad);
  const box = make("div", { class: "octets" });
  if (bytes.length > 0) {
    const dump = new Dump(bytes, runs);
    tie(exhibit, dump, tree, said, runs);
    box.append(make("div", { class: "dump-box" }, dump.table));
  } else {
    said.textContent = "The octets are not in the page.";
  }
  box.append(make("div", { class: "tree-box" }, tree.root), said);
  const cut = exhibit.length - bytes.length;
  if (cut > 0 && bytes.length > 0) {
    box.append(make("p", { class: "cut" }, `${octets(cut)} more are not in the page (${exhibit.length} in all).`));
  }
  return box;
}

function tie(exhibit: Exhibit, dump: Dump, tree: Tree, said: HTMLElement, runs: Run[]): void {
  const show = (path: Path | null) => {
    tree.mark(path);
    if (!path) {
      dump.mark(0, 0);
      return;
    }
    const names: string[] = [];
    let list: Field[] | 0 = exhibit.nodes;
    let field: Field | undefined;
    for (const i of path) {
      field = (list || [])[i];
      if (!field) return;
      names.push(field[0]);
      list = field[6];
    }
    if (!field) return;
    const [, value, start, end] = field;
    dump.mark(start, end);
    const where = end > start ? `octets ${start} to ${end - 1}: ` : "";
    said.textContent = where + names.join(" › ") + (value ? ": " + value : "");
  };
  tree.onPoint = show;
  dump.onPoint = (run) => show(run < 0 ? tree.focused() : pathAt(exhibit.nodes, runs[run]!.start));
  dump.onChoose = (run) => {
    const path = pathAt(exhibit.nodes, runs[run]!.start);
    if (path) tree.focus(path);
  };
  said.textContent = "Point at an octet or a field, or move in the tree with the arrow keys.";
}

/** Dump is the table of octets: offset, hexadecimal, text. */
class Dump {
  readonly table: HTMLTableElement;
  onPoint: (run: number) => void = () => {};
  onChoose: (run: number) => void = () => {};
  private spans: HTMLElement[][]; // of each run
  private marked: HTMLElement[] = [];

  constructor(
    private readonly bytes: Uint8Array,
    private readonly runs: Run[],
  ) {
    this.spans = runs.map(() => []);
    const body = make("tbody");
    for (const line of foldLines(linesOf(bytes.length, runs))) {
      if (line.kind === "octets") body.append(this.line(line));
      else body.append(this.fold(line.start, line.end, line.lines));
    }
    this.table = make("table", { class: "dump" }, body);
    this.table.append(make("caption", { class: "sr" }, "Octets: offset, hexadecimal, text"));
    const runOf = (e: Event) => {
      const span = e.target instanceof HTMLElement ? e.target.dataset["run"] : undefined;
      return span === undefined ? -1 : Number(span);
    };
    this.table.addEventListener("mouseover", (e) => this.onPoint(runOf(e)));
    this.table.addEventListener("mouseleave", () => this.onPoint(-1));
    this.table.addEventListener("click", (e) => {
      const run = runOf(e);
      // Selecting octets to copy them chooses no field.
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
    const sign = make("td", { class: "sign" }, line.bad ? "✗" : "");
    if (line.bad) sign.append(make("span", { class: "sr" }, "at fault"));
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
    const words = `${octets(end - start)} in ${lines.length} lines`;
    const button = make("button", { type: "button", class: "fold" }, "… " + words);
    const row = make("tr", { class: "fold" }, make("td"), make("td"), make("td", { colspan: 2 }, button));
    button.addEventListener("click", () => {
      row.replaceWith(...lines.map((line) => this.line(line)));
      this.onPoint(-1);
    });
    return row;
  }

  /** mark marks octets [start, end). */
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

/** hexOf writes octets in hexadecimal; a wider space stands after the eighth
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
