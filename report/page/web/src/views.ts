// What stands below findings and connections: built when it comes into sight,
// and all of it before the page is printed.

import type { Data } from "./data";
import type { Evidence } from "./model";
import { showCharts } from "./charts";
import { showEvidence } from "./evidence";
import { fault, noted } from "./mark";
import { make, openNow } from "./make";
import { lightForPaper } from "./theme";

/** What has not been built yet, in the order of the page. */
const pending = new Map<Element, () => void>();

/** Fills div.views of each finding when it comes into view, all of them before printing. */
export function showViews(data: Data): void {
  const read = new Map<number, Promise<Evidence | undefined>>();
  const ready = new Map<number, Evidence>();
  const evidence = async (id: number) => {
    let item = read.get(id);
    if (!item) {
      item = data.evidence(id);
      read.set(id, item);
      item.then((e) => e && ready.set(id, e), () => read.delete(id));
    }
    return item;
  };
  const ids: number[] = [];
  for (const finding of document.querySelectorAll<HTMLElement>("#findings .finding[data-evidence]")) {
    const of = (finding.dataset["evidence"] ?? "").split(",").filter(Boolean).map(Number);
    if (of.length === 0) continue;
    ids.push(...of);
    const el = viewsOf(finding);
    whenSeen(el, () => {
      const items = of.map((id) => ready.get(id));
      if (items.every((e) => e !== undefined)) {
        fill(el, items);
        return;
      }
      // On paper this says why nothing is there: a printer does not wait.
      el.replaceChildren(make("p", { class: "missing" }, "The packets and octets are still being read from the page."));
      void Promise.all(of.map(evidence)).then(
        (list) => fill(el, list.filter((e) => e !== undefined)),
        (error: unknown) => el.replaceChildren(make("p", { class: "missing" }, `The evidence could not be read: ${String(error)}`)),
      );
    });
  }
  readAhead(ids, evidence);
  preparePrinting();
}

/** Evidence that is read before anyone looks at it: a printer does not wait. */
const mostAhead = 200;

function readAhead(ids: number[], evidence: (id: number) => Promise<unknown>): void {
  const left = ids.slice(0, mostAhead);
  const next = () => {
    const id = left.shift();
    if (id !== undefined) void evidence(id).then(() => setTimeout(next), () => setTimeout(next));
  };
  setTimeout(next, 200);
}

function viewsOf(finding: Element): Element {
  const el = [...finding.children].find((c) => c.classList.contains("views"));
  if (el) return el;
  const made = make("div", { class: "views" });
  finding.append(made);
  return made;
}

function fill(el: Element, items: Evidence[]): void {
  el.replaceChildren();
  // A note is read by its words; what is broken is looked at.
  const note = el.closest(".finding")?.classList.contains("note") ?? false;
  items.forEach((item, i) => showEvidence(el, item, i === 0 && !note, note ? noted : fault));
}

/**
 * Fills div.charts of each connection when it comes into view. The rows have been read. There is room for
 * all of them when the promise is done.
 */
export async function showConnections(data: Data): Promise<void> {
  const boxes = new Map<number, HTMLElement>();
  for (const el of document.querySelectorAll<HTMLElement>("div.charts[data-connection]")) {
    boxes.set(Number(el.dataset["connection"]), el);
  }
  if (boxes.size === 0) return;
  for (const series of await data.series()) {
    const el = boxes.get(series.connection);
    if (!el) continue;
    el.classList.add("coming");
    whenSeen(el, () => {
      showCharts(el, series, data.rows);
      el.classList.remove("coming");
    });
  }
}

const seen = typeof IntersectionObserver === "undefined" ? null : new IntersectionObserver((entries) => {
  for (const e of entries) if (e.isIntersecting) build(e.target);
}, { rootMargin: "300px" });

function whenSeen(el: Element, make: () => void): void {
  pending.set(el, make);
  if (seen) seen.observe(el);
  else build(el);
}

function build(el: Element): void {
  seen?.unobserve(el);
  const make = pending.get(el);
  pending.delete(el);
  make?.();
}

function preparePrinting(): void {
  let restore = () => {};
  addEventListener("beforeprint", () => {
    for (const el of [...pending.keys()]) build(el);
    for (const box of document.querySelectorAll<HTMLDetailsElement>("#findings details.evidence")) openNow(box);
    for (const box of document.querySelectorAll<HTMLDetailsElement>("#findings details.explanation")) box.open = true;
    restore = lightForPaper();
  });
  addEventListener("afterprint", () => restore());
}
