// Two RPCs beside each other: what they are, where their time went, their ladders.

import { announce } from "./announce";
import { factsOfTwo, differenceWords, partsOf, phasesOf, ratioOf } from "./compare-model";
import { latencyOf } from "./columns";
import type { Data } from "./data";
import { evidenceOrNote } from "./row-evidence";
import { showLadder } from "./ladder";
import { make, scrolled } from "./make";
import { fault, noted } from "./mark";
import type { Evidence } from "./model";
import { barOf, keyOf } from "./phases";
import { lettersOf } from "./phases-share";
import { count, plain } from "./text";
import { othersWords, typicalOf, typicalWords } from "./typical";
import { duration } from "./units";

type Both = [number, number];

/** Compares the RPC that is open with another one. */
export class Comparison {
  /** What starts it. */
  readonly tools = make("p", { class: "rpc-compare-tools" });
  /** The comparison itself. */
  readonly root = make("section", { class: "rpc-compare", "aria-labelledby": "rpc-compare-title", hidden: true });
  private open = -1;
  /** The RPC that others are to be compared with, -1 if none is. */
  private marked = -1;

  /** setAnchor is called with the target that the address should have. */
  constructor(private readonly data: Data, private readonly setAnchor: (anchor: string) => void) {
    this.root.addEventListener("keydown", (e) => {
      if (e.key !== "Escape") return;
      e.stopPropagation(); // it closes the RPC, too
      this.close();
    });
  }

  /** Closes the comparison and removes its buttons. */
  clear(): void {
    this.open = -1;
    this.root.hidden = true;
    this.root.replaceChildren();
    this.tools.replaceChildren();
  }

  /** Offers to compare an RPC. */
  offer(row: number): void {
    this.open = row;
    const { tools, marked } = this, said = make("span", { class: "aside" });
    const say = (text: string) => announce(said.textContent = text);
    const mark = (to: number, text: string) => {
      this.marked = to;
      this.offer(row);
      tools.querySelector<HTMLElement>(".mark")?.focus();
      tools.lastElementChild!.textContent = text;
      announce(text);
    };
    tools.replaceChildren(
      button("Compare with a typical RPC", () => {
        const typical = typicalOf(this.data, row);
        if (typical) this.show(row, typical.row);
        else say(`There is no typical RPC: this page has no ${othersWords(this.kind(row))}.`);
      }), " ",
      ...(marked >= 0 && marked !== row ? [button(`Compare with ${this.name(marked)}`, () => this.show(row, marked)), " "] : []),
      marked === row
        ? button("Cancel", () => mark(-1, "The comparison was cancelled."), "mark")
        : button(marked < 0 ? "Compare with …" : "Compare others with this one", () => mark(row, "Open the RPC to compare it with."), "mark"),
      " ", said);
    if (marked === row) said.textContent = "Open the RPC to compare it with.";
  }

  /** Shows two RPCs, the first of which is open. */
  show(first: number, second: number): void {
    const { rows } = this.data, two: Both = [first, second];
    const names = two.map((row) => this.name(row)) as [string, string];
    const title = make("h4", { id: "rpc-compare-title", tabindex: -1 }, `${names[0]} beside ${names[1]}`);
    const found = two.map((row) => evidenceOrNote(this.data, row, "ladder and bytes"));
    const items = found.map((f) => (f instanceof HTMLElement ? undefined : f));
    this.root.replaceChildren(
      make("div", { class: "rpc-panel-head" }, title, make("span", { class: "rpc-panel-tools" }, button("Close the comparison", () => this.close()))),
      make("p", {}, this.inWords(two, names)),
      this.facts(two, names),
      timeOf(items, names),
      make("div", { class: "pair" }, ...two.map((row, i) => {
        const side = make("div", {}, make("h5", {}, `Ladder of ${names[i]!}`)), item = items[i];
        if (item?.ladder?.steps.length) showLadder(side, item.ladder, names[i]!, undefined, rows.numbers("severity")[row] === 1 ? noted : fault);
        else side.append(item ? make("p", { class: "missing" }, "The page has no ladder of this RPC.") : (found[i] as HTMLElement));
        return side;
      })));
    this.root.hidden = false;
    this.setAnchor(`compare-${two.map((row) => rows.link(row).slice("rpc-".length)).join("-")}`);
    title.focus({ preventScroll: true });
    title.scrollIntoView({ block: "start" });
  }

  /** Goes back to the RPC. */
  private close(): void {
    const row = this.open;
    this.clear();
    this.offer(row);
    this.setAnchor(this.data.rows.link(row));
    this.tools.querySelector("button")?.focus();
    this.tools.scrollIntoView({ block: "nearest" });
  }

  private kind(row: number): string {
    return plain(this.data.rows.named("name", row));
  }

  private name(row: number): string {
    return `${this.kind(row)} ${this.data.rows.link(row).slice("rpc-".length)}`;
  }

  private inWords([first, second]: Both, names: [string, string]): string {
    const { rows } = this.data, of = (row: number) => rows.numbers("latency")[row]!;
    const { longer, words } = ratioOf(of(first), of(second));
    const [long, short] = longer === 1 ? [1, 0] as const : [0, 1] as const, two = [first, second] as const;
    const ratio = words
      ? `${names[long]} took ${latencyOf(rows, two[long])}, ${words} as ${names[short]} with ${latencyOf(rows, two[short])}. `
      : "The latency of one of them is unknown or 0. ";
    const typical = typicalOf(this.data, first);
    return ratio + (typical?.row === second ? typicalWords(typical, names[1], this.kind(first)) : "");
  }

  private facts(two: Both, names: [string, string]): HTMLElement {
    const facts = factsOfTwo(this.data.rows, two), body = make("tbody");
    for (const { title, values, differs } of facts) {
      body.append(make("tr", {},
        make("th", { scope: "row" }, title, differs ? make("span", { class: "differs" }, ` ≠ ${differs}`) : ""), ...values.map((v) => make("td", {}, v))));
    }
    const links = two.map((row, i) => make("th", { scope: "col" }, make("a", { href: "#" + this.data.rows.link(row) }, names[i]!)));
    const differing = facts.filter((f) => f.differs).length;
    return scrolled("Properties of both", make("table", { class: "two" },
      make("caption", {}, `${count(differing, "line")} of ${facts.length} differ${differing === 1 ? "s" : ""}, marked with ≠.`),
      make("thead", {}, make("tr", {}, make("td", {}), ...links)), body));
  }
}

function button(text: string, act: () => void, as = ""): HTMLElement {
  const b = make("button", { type: "button", class: as }, text);
  b.addEventListener("click", act);
  return b;
}

/** Where the time of both went: bars on one scale, and a table. */
function timeOf(items: (Evidence | undefined)[], names: [string, string]): HTMLElement {
  const box = make("div", { class: "phases" }, make("h5", {}, "Where the time went"));
  const parts = partsOf(items[0]?.phases, items[1]?.phases);
  items.forEach((item, i) => {
    if (!item?.phases) box.append(make("p", { class: "missing" }, `The page does not have the time breakdown of ${names[i]!}.`));
  });
  if (parts.length === 0) return box;
  const letters = lettersOf(phasesOf(parts, (ns) => Math.max(...ns)));
  const each = ([0, 1] as const).map((i) => phasesOf(parts, (ns) => ns[i]));
  const lasted = each.map((phases) => phases.reduce((sum, [, , ns, of]) => sum + (of && ns > 0 ? ns : 0), 0)), longest = Math.max(...lasted);
  if (longest > 0) {
    box.append(make("p", {}, `From the end of the call to the start of the reply, on a common scale of ${duration(longest)}.`));
    each.forEach((phases, i) => {
      if (!items[i]?.phases) return;
      const bar = barOf(phases, letters, longest);
      bar.style.width = `${(100 * lasted[i]!) / longest}%`;
      box.append(make("p", { class: "bar-of", "aria-hidden": "true" }, `${names[i]!}, ${duration(lasted[i]!)}`), bar);
    });
  }
  const time = (ns: number) => make("td", { class: "number" }, ns < 0 ? "unknown" : duration(ns));
  const body = make("tbody");
  parts.forEach(({ word, name, ns }, i) => {
    body.append(make("tr", {}, make("th", { scope: "row" }, keyOf(word, letters[i]!), plain(name)), ...ns.map(time), make("td", { class: "number" }, differenceWords(ns))));
  });
  const heads = ["Part", ...names, "In the first"].map((h, i) => make("th", i > 0 ? { scope: "col", class: "number" } : { scope: "col" }, h));
  box.append(scrolled("Where the time of both went", make("table", { class: "two" }, make("thead", {}, make("tr", {}, ...heads)), body)));
  return box;
}
