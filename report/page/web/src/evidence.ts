// All that the page has about an RPC or a finding: operations, ladder, bytes.

import type { Evidence, Operation } from "./model";
import { showLadder } from "./ladder";
import { fillWhenOpened, make, openNow, scrolled } from "./make";
import { showExhibits } from "./bytes";
import { fault, type Mark } from "./mark";
import { showPhases } from "./phases";
import { plain } from "./text";
import { frameName } from "./units";

/** Shows an item of a finding in el, under its title, closed if it is not to be open. */
export function showEvidence(el: Element, item: Evidence, open: boolean, mark: Mark): void {
  // The title of an RPC identifies it; that of the finding itself would repeat the heading above.
  const title = item.row >= 0 ? make("span", { class: "aside" }, plain(item.title)) : "";
  const box = make("details", { class: "evidence" }, make("summary", {}, "Packets and bytes ", title));
  fillWhenOpened(box, () => evidenceBody(item, mark));
  el.append(box);
  if (open) openNow(box);
}

/** The item without a title. */
export function evidenceBody(item: Evidence, mark: Mark = fault): HTMLElement {
  const body = make("div", { class: mark === fault ? "evidence-body" : "evidence-body mild" });
  if (item.ops && item.ops.length > 0) body.append(operationsView(item.ops));
  if (item.phases) showPhases(body, item.phases);
  const exhibits = make("div", { class: "exhibits" });
  if (item.ladder && item.ladder.steps.length > 0) {
    showLadder(body, item.ladder, plain(item.title), (frame, file) => {
      const name = frameName(frame, file);
      const found = [...exhibits.children].find((e) => (e as HTMLElement).dataset["frame"] === name);
      if (found instanceof HTMLDetailsElement) {
        openNow(found);
        found.querySelector("summary")?.focus();
        found.scrollIntoView({ block: "nearest" });
      } else {
        location.hash = "frame-" + name;
      }
    }, mark);
  }
  if (item.exhibits && item.exhibits.length > 0) {
    showExhibits(exhibits, item.exhibits, mark);
    body.append(exhibits);
  } else {
    body.append(make("p", { class: "missing" }, "The page does not have the bytes."));
  }
  return body;
}

function operationsView(ops: Operation[]): HTMLElement {
  const body = make("tbody");
  ops.forEach((o, i) => {
    body.append(make("tr", {},
      make("td", { class: "number" }, String(i + 1)), ...[o.op, o.status, o.detail].map((s) => make("td", {}, plain(s)))));
  });
  const head = make("tr", {}, ...["No.", "Operation", "Status", "Detail"].map((h) => make("th", { scope: "col" }, h)));
  head.firstElementChild?.classList.add("number");
  return scrolled("Operations", make("table", { class: "ops" }, make("thead", {}, head), body));
}
