// All that the page has about an RPC or a finding: operations, ladder, octets.

import type { Evidence, Operation } from "./model";
import { showLadder } from "./ladder";
import { lazily, make, openNow } from "./make";
import { showExhibits } from "./octets";
import { frameName } from "./units";

/** Shows an item in el, under its title, closed if it is not to be open. */
export function showEvidence(el: Element, item: Evidence, open: boolean): void {
  const box = make("details", { class: "evidence" }, make("summary", {}, item.title || "What was captured"));
  lazily(box, () => evidenceBody(item));
  el.append(box);
  if (open) openNow(box);
}

/** The item without a title. */
export function evidenceBody(item: Evidence): HTMLElement {
  const body = make("div", { class: "evidence-body" });
  if (item.ops && item.ops.length > 0) body.append(operationsView(item.ops));
  const exhibits = make("div", { class: "exhibits" });
  if (item.ladder && item.ladder.steps.length > 0) {
    showLadder(body, item.ladder, (frame, file) => {
      const name = frameName(frame, file);
      const found = [...exhibits.children].find((e) => (e as HTMLElement).dataset["frame"] === name);
      if (found instanceof HTMLDetailsElement) {
        openNow(found);
        found.querySelector("summary")?.focus();
        found.scrollIntoView({ block: "nearest" });
      } else {
        location.hash = "frame-" + name;
      }
    });
  }
  if (item.exhibits && item.exhibits.length > 0) {
    showExhibits(exhibits, item.exhibits);
    body.append(exhibits);
  } else {
    body.append(make("p", { class: "missing" }, "The octets of this are not in the page."));
  }
  return body;
}

function operationsView(ops: Operation[]): HTMLElement {
  const body = make("tbody");
  ops.forEach((o, i) => {
    body.append(make("tr", {},
      make("td", { class: "number" }, String(i + 1)), make("td", {}, o.op), make("td", {}, o.status), make("td", {}, o.detail)));
  });
  const head = make("tr", {}, ...["No.", "Operation", "Status", "Detail"].map((h) => make("th", { scope: "col" }, h)));
  head.firstElementChild?.classList.add("number");
  return make("div", { class: "scroll" }, make("table", { class: "ops" }, make("thead", {}, head), body));
}
