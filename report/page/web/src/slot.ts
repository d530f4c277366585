import type { Column } from "./columns";
import { cellOf } from "./headings";
import type { Layout } from "./layout";
import { make } from "./make";

/** A text of that many characters at most. */
function truncate(text: string, most = 12): string {
  return text.length > most ? text.slice(0, most - 1) + "…" : text;
}

/** The element of a row, which is that of another one later. */
export class Slot {
  row = -1;
  index = -1;
  private top = NaN;
  readonly element: HTMLElement;
  private readonly cells: HTMLElement[];
  private readonly columns: readonly Column[];
  private readonly most: (number | undefined)[];

  constructor({ shown, widths }: Layout<Column>, space: HTMLElement, i: number) {
    this.columns = [...shown];
    this.cells = shown.map((c) => cellOf(c, "gridcell", widths.get(c)));
    this.most = shown.map((c) => Math.max(c.most ?? 12, widths.get(c) ?? 0));
    this.element = make("div", { class: "rpc-row", role: "row", id: `rpc-row-${i}` }, ...this.cells);
    space.append(this.element);
  }

  show(row: number, index: number, top: number, active: boolean, opened: boolean): void {
    const e = this.element;
    if (this.index < 0) e.hidden = false;
    if (row !== this.row) {
      this.row = row;
      this.columns.forEach((c, i) => {
        const text = truncate(c.text(row), this.most[i]), cell = this.cells[i]!;
        if (cell.textContent !== text) cell.textContent = text;
        if (c.id === "severity") cell.dataset["severity"] = text.slice(2);
      });
    }
    if (index !== this.index) {
      this.index = index;
      e.setAttribute("aria-rowindex", String(index + 2));
      e.classList.toggle("odd", index % 2 === 1);
    }
    if (top !== this.top) {
      this.top = top;
      e.style.top = `${top}px`;
    }
    e.classList.toggle("active", active);
    e.setAttribute("aria-selected", String(opened));
  }

  hide(): void {
    if (this.index < 0) return;
    this.index = -1;
    this.element.hidden = true;
  }
}
