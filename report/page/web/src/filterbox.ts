import { announce } from "./announce";
import { FilterError } from "./filter/error";
import type { FieldSet } from "./filter/field";
import type { Filter } from "./filter/match";
import { compile } from "./filter/parse";
import { fillWhenOpened, make } from "./make";
import type { Elsewhere } from "./model";
import { levelOf } from "./source";
import { plain } from "./text";
import { Suggestions } from "./suggestions";

/** How long nothing is typed before the rows are filtered, and before an error is shown, in milliseconds. */
const pause = 200, errorPause = 900;

/** Where the filter is written, with what is wrong with it. */
export class FilterBox {
  readonly root: HTMLElement;
  readonly input: HTMLInputElement;
  private readonly error = make("pre", { class: "rpc-error", id: "rpc-filter-error" });
  private readonly suggestions: Suggestions;
  private timer = 0;
  private applied = "";

  constructor(set: FieldSet, elsewhere: Elsewhere[], private readonly change: (filter: Filter) => void) {
    this.input = make("input", {
      id: "rpc-filter", type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
      placeholder: "nfs.op == READ and rpc.latency > 10ms",
    });
    this.compile = () => compile(set, this.input.value);
    this.suggestions = new Suggestions(set, this.input, () => this.applyLater());
    const clear = make("button", { type: "button" }, "Clear");
    clear.addEventListener("click", () => {
      this.set("");
      this.input.focus();
    });
    const box = make("div", { class: "rpc-filter" },
      make("label", { for: "rpc-filter" }, "Filter"), make("div", { class: "rpc-input" }, this.input, this.suggestions.root),
      make("button", {}, "Apply"), clear);
    const form = make("form", { role: "search" }, box, this.error, fieldsView(set, elsewhere));
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      this.suggestions.close();
      this.apply(true);
    });
    this.input.addEventListener("input", () => this.applyLater());
    this.error.hidden = true;
    this.root = form;
  }

  private readonly compile: () => Filter;

  /** Writes a filter and applies it. */
  set(expr: string): void {
    this.input.value = expr;
    this.suggestions.close();
    this.apply(true);
  }

  private applyLater(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.apply(false);
      this.timer = window.setTimeout(() => this.apply(true), errorPause - pause);
    }, pause);
  }

  /** Applies the filter if it is valid; otherwise shows the error if showError: while typing, an expression is incomplete. */
  private apply(showError: boolean): void {
    if (showError) clearTimeout(this.timer);
    try {
      const filter = this.compile();
      this.show(undefined);
      if (filter.expr.trim() === this.applied) return;
      this.applied = filter.expr.trim();
      this.change(filter);
    } catch (e) {
      if (!(e instanceof FilterError)) throw e;
      this.show(showError ? e : undefined);
    }
  }

  private show(e: FilterError | undefined): void {
    const text = e ? e.text.split("\n").map(plain).join("\n") : "";
    if (this.error.textContent === text) return;
    this.error.textContent = text;
    this.error.hidden = !e;
    if (!e) {
      this.input.removeAttribute("aria-invalid");
      this.input.removeAttribute("aria-describedby");
      return;
    }
    this.input.setAttribute("aria-invalid", "true");
    this.input.setAttribute("aria-describedby", this.error.id);
    announce("The filter is invalid: " + text.split("\n").filter((_, i) => i !== 1 && i !== 2).join(", "));
  }
}

/** The fields that there are, and how they are asked about. */
function fieldsView(set: FieldSet, elsewhere: Elsewhere[]): HTMLElement {
  const box = make("details", { class: "rpc-fields" }, make("summary", {}, "Fields and operators"));
  const heads = ["field", "takes", "meaning"].map((h) => make("th", { scope: "col" }, h));
  fillWhenOpened(box, () => make("div", {},
    make("p", {}, "The language of rdmacap read -Y, a subset of Wireshark's: ", make("code", {}, "== != < <= > >= contains matches in {…}"),
      ", joined by ", make("code", {}, "and or not"), " and parentheses. With several values one has to pass; ",
      make("code", {}, "all"), " before the field asks for each, ", make("code", {}, "!="), " that all differ."),
    make("div", { class: "scroll tall" }, make("table", {}, make("thead", {}, make("tr", {}, ...heads)),
      make("tbody", {}, ...set.fields.map((f) => make("tr", {},
        make("th", { scope: "row" }, make("code", {}, f.name)), make("td", {}, f.takes), make("td", {}, f.doc)))))),
    ...elsewhere.map((e) => make("p", {}, "Not in this page, but fields of ", make("code", {}, `rdmacap read${levelOf(e)} -Y`), ": ",
      make("code", {}, e.names.map((n) => n.endsWith(".") ? n + "…" : n).join(" "))))));
  return box;
}
