import { completions, type Completion } from "./filter/complete";
import type { FieldSet } from "./filter/field";
import { make } from "./make";
import { plain } from "./text";

/** How many are shown. */
const most = 12;

/** What can follow in the filter: a list below the input, which has the keys. */
export class Suggestions {
  readonly root = make("ul", { class: "rpc-suggestions", id: "rpc-suggestions", role: "listbox", "aria-label": "Suggestions" });
  private list: Completion[] = [];
  private active = -1;

  constructor(private readonly set: FieldSet, private readonly input: HTMLInputElement, private readonly onAccept: () => void) {
    this.root.hidden = true;
    for (const [name, value] of Object.entries({
      role: "combobox", "aria-autocomplete": "list", "aria-controls": this.root.id, "aria-expanded": "false",
    })) input.setAttribute(name, value);
    input.addEventListener("input", () => this.open());
    input.addEventListener("keydown", (e) => this.key(e));
    input.addEventListener("blur", () => this.close());
    // The input keeps the focus, or there would be nothing left to choose from.
    this.root.addEventListener("mousedown", (e) => e.preventDefault());
    this.root.addEventListener("click", (e) => {
      const i = [...this.root.children].indexOf((e.target as Element).closest("li")!);
      if (i >= 0) this.accept(i);
    });
  }

  close(): void {
    this.root.hidden = true;
    this.active = -1;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  private open(): void {
    const { value, selectionEnd } = this.input;
    this.list = selectionEnd === value.length ? completions(this.set, value) : [];
    // A word that is complete needs no suggestion.
    if (this.list.length === 1 && this.list[0]!.text === value) this.list = [];
    this.list.length = Math.min(this.list.length, most);
    this.close();
    if (this.list.length === 0) return;
    this.root.replaceChildren(...this.list.map((c, i) => make("li", { role: "option", id: `rpc-suggestion-${i}`, "aria-selected": "false" },
      make("span", { class: "word" }, plain(c.word)), " ", make("span", { class: "aside" }, plain(c.doc)))));
    this.root.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
  }

  private key(e: KeyboardEvent): void {
    if (e.key === "ArrowDown" && this.root.hidden && e.target === this.input) this.open();
    if (this.root.hidden || e.ctrlKey || e.altKey || e.metaKey) return;
    const n = this.list.length;
    if (e.key === "ArrowDown") this.activate((this.active + 1) % n);
    else if (e.key === "ArrowUp") this.activate(this.active <= 0 ? n - 1 : this.active - 1);
    else if (e.key === "Escape") this.close();
    else if (e.key === "Enter" && this.active >= 0) this.accept(this.active);
    else if (e.key === "Tab" && !e.shiftKey && this.active >= 0) this.accept(this.active);
    else return;
    e.preventDefault();
  }

  private activate(i: number): void {
    this.active = i;
    [...this.root.children].forEach((li, k) => li.setAttribute("aria-selected", String(k === i)));
    const li = this.root.children[i];
    if (li) this.input.setAttribute("aria-activedescendant", li.id);
    li?.scrollIntoView({ block: "nearest" });
  }

  private accept(i: number): void {
    this.input.value = this.list[i]!.text + " ";
    this.close();
    this.input.focus();
    this.onAccept();
    this.open();
  }
}
