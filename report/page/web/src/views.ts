// What stands below findings and connections: built when it comes into sight,
// and all of it before the page is printed.

import type { Data } from "./data";
import type { Evidence } from "./model";
import { showCharts } from "./charts";
import { showEvidence } from "./evidence";
import { fault, noted } from "./mark";
import { make, openNow } from "./make";
import { lightForPaper } from "./theme";
import type { Timeline } from "./timeline";

/** What has not been built yet, in the order of the page. */
const pending = new Map<Element, () => void>();

/** Fills div.views of each finding when it comes into view, all of them before printing. */
export function showViews(data: Data): void {
  for (const finding of document.querySelectorAll<HTMLElement>("#findings .finding[data-evidence]")) {
    const ids = (finding.dataset["evidence"] ?? "").split(",").filter(Boolean).map(Number);
    if (ids.length === 0) continue;
    const el = viewsOf(finding);
    whenSeen(el, () => {
      try {
        fill(el, ids.map((id) => data.evidence(id)).filter((e) => e !== undefined));
      } catch (e) {
        el.replaceChildren(make("p", { class: "missing" }, `The evidence could not be read: ${String(e)}`));
      }
    });
  }
  preparePrinting();
}

function viewsOf(finding: Element): Element {
  const el = finding.querySelector(":scope > .views, :scope > .more > .views");
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

/** Makes room for div.charts of each connection, and fills it when it comes into view.
 * The rows have been read. The charts follow the timeline of the page. */
export function showConnections(data: Data, timeline?: Timeline): void {
  const boxes = new Map<number, HTMLElement>();
  for (const el of document.querySelectorAll<HTMLElement>("div.charts[data-connection]")) {
    boxes.set(Number(el.dataset["connection"]), el);
  }
  if (boxes.size === 0) return;
  for (const series of data.series()) {
    const el = boxes.get(series.connection);
    if (!el) continue;
    el.classList.add("coming");
    whenSeen(el, () => {
      showCharts(el, series, data.rows, timeline);
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
    for (const box of document.querySelectorAll<HTMLDetailsElement>("#findings details.explanation, #findings details.more")) box.open = true;
    restore = lightForPaper();
  });
  addEventListener("afterprint", () => restore());
}
