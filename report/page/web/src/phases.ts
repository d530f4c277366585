// Where the time of an RPC went: a bar, and what its parts are in a table.

import type { Phase } from "./model";
import { make } from "./make";
import { lettersOf, percent } from "./phases-share";
import { plain } from "./text";
import { duration } from "./units";

/** From which share of the latency on a part of the bar has room for its letter. */
const leastLettered = 0.04;

/** Shows where the time went in el: nothing if the latency is nothing, or is not known. */
export function showPhases(el: HTMLElement, phases: Phase[]): void {
  const latency = phases.reduce((sum, [, , ns, of]) => sum + (of && ns > 0 ? ns : 0), 0);
  if (latency === 0) return;
  const letters = lettersOf(phases);
  const bar = make("div", { class: "phase-bar", "aria-hidden": "true" });
  const body = make("tbody");
  phases.forEach(([word, name, ns], i) => {
    const letter = letters[i]!;
    if (letter) {
      const part = make("span", { class: "phase " + word }, ns >= leastLettered * latency ? make("b", {}, letter) : "");
      part.style.flexGrow = String(ns / latency);
      bar.append(part);
    }
    const key = make("span", { class: letter ? "phase key " + word : "key", "aria-hidden": "true" }, letter ? make("b", {}, letter) : "");
    body.append(make("tr", {},
      make("th", { scope: "row" }, key, plain(name)),
      make("td", { class: "number" }, ns < 0 ? "not known" : duration(ns)),
      make("td", { class: "number" }, letter ? percent(ns / latency) : "")));
  });
  const heads = ["Part", "Time", "Of the latency"].map((h, i) => make("th", i > 0 ? { scope: "col", class: "number" } : { scope: "col" }, h));
  const table = make("table", { "aria-label": "Where the time went" }, make("thead", {}, make("tr", {}, ...heads)), body);
  el.append(make("div", { class: "phases" },
    make("p", {}, make("b", {}, "Where the time went"), `: ${duration(latency)} from the end of the call to the beginning of the reply. Stretches of a kind are one part.`),
    bar, make("div", { class: "scroll" }, table)));
}
