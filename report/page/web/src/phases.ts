// Where the time of an RPC went: a bar, and what its parts are in a table.

import type { Phase } from "./model";
import { make, scrolled } from "./make";
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
  const body = make("tbody");
  phases.forEach(([word, name, ns], i) => {
    const letter = letters[i]!;
    body.append(make("tr", {},
      make("th", { scope: "row" }, keyOf(word, letter), plain(name)),
      make("td", { class: "number" }, ns < 0 ? "unknown" : duration(ns)),
      make("td", { class: "number" }, letter ? percent(ns / latency) : "")));
  });
  const heads = ["Part", "Time", "Of the latency"].map((h, i) => make("th", i > 0 ? { scope: "col", class: "number" } : { scope: "col" }, h));
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body);
  el.append(make("div", { class: "phases" },
    make("p", {}, make("b", {}, "Where the time went"), `: ${duration(latency)} from the end of the call to the start of the reply. Stretches of the same kind are added up.`),
    barOf(phases, letters, latency), scrolled("Where the time went", table)));
}

/** The bar of phases with these letters, which stand on what is long enough of longest, the nanoseconds for which there is room. */
export function barOf(phases: Phase[], letters: string[], longest: number): HTMLElement {
  const bar = make("div", { class: "phase-bar", "aria-hidden": "true" });
  const shown = phases.map(([word, , ns], i) => [word, ns, letters[i]!] as const).filter(([, ns, letter]) => letter && ns > 0);
  const all = shown.reduce((sum, [, ns]) => sum + ns, 0);
  for (const [word, ns, letter] of shown) {
    const part = make("span", { class: "phase " + word }, ns >= leastLettered * longest ? make("b", {}, letter) : "");
    part.style.flexGrow = String(ns / all);
    bar.append(part);
  }
  return bar;
}

/** What stands before the name of a phase, to find it in the bar. */
export function keyOf(word: string, letter: string): HTMLElement {
  return make("span", { class: letter ? "phase key " + word : "key", "aria-hidden": "true" }, letter ? make("b", {}, letter) : "");
}
