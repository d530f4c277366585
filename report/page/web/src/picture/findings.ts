// Findings in the picture: flags where they were found, bars where they lasted. Both are links.

import { make } from "../make";
import { severityOf, severitySign } from "../severity";
import { plain } from "../text";
import { duration } from "../units";
import { sideMargin, xOf, type Scene } from "./draw";
import { groupsOf, type Band, type Group } from "./flags";
import type { Found } from "./model";
import { bandHeight, flagHeight } from "./picture";

/** The findings of the page that have a time, with their repetitions. */
export function foundOnPage(root: ParentNode): Found[] {
  return [...root.querySelectorAll<HTMLElement>("#findings .finding")].flatMap((e) => {
    const what = {
      number: Number(e.id.replace("finding-", "")), rule: e.dataset["rule"] ?? "", title: (e.querySelector(".title")?.textContent ?? "") + (e.querySelector(":scope > .doubt") ? " (likely)" : ""),
      severity: severityOf(e),
    };
    return [e, ...e.querySelectorAll<HTMLElement>(":scope > .same .at")].filter((x) => x.dataset["first"]).map((x): Found => ({ ...what, ...whenOf(x) }));
  });
}

/** The times of a finding, from the attributes of its element. */
export function whenOf({ dataset }: HTMLElement): Pick<Found, "first" | "last" | "stretches"> {
  return {
    first: Number(dataset["first"]), last: Number(dataset["last"]),
    stretches: (dataset["stretches"] ?? "").split(" ").filter(Boolean).map((s) => s.split("-").map(Number) as [number, number]),
  };
}

/** Throughput collapse: its stretch is the time from the first call that waits to the last, not how long any waited. */
const throughputCollapse = "SYM-007";

/** Makes the flags and bars of a scene in el; showText shows the findings of a flag. */
export function flagsOf(el: HTMLElement, s: Scene, top: number, showText: (words: Node[]) => void): void {
  const x = xOf(s), inSight = (at: number) => s.range[0] <= at && at <= s.range[1];
  el.replaceChildren(
    ...groupsOf(s.model.findings.filter((f) => inSight(f.first)), x, 20).map((g) => flag(g, s, showText)),
    ...s.bands.filter((b) => b.to > s.range[0] && b.from < s.range[1]).map((b) => bar(b, s, x)),
  );
  el.style.height = `${top}px`;
}

/** Pixels as a part of the picture's width: paper is not as wide as the screen. */
function share(px: number, s: Scene): string {
  return `${(100 * px) / s.width}%`;
}

function flag(g: Group, s: Scene, showText: (words: Node[]) => void): HTMLElement {
  const worst = g.found[0]!, n = g.found.length;
  const what = n === 1 ? `${worst.severity} ${worst.rule} ${plain(worst.title)}` : `${n} findings, first ${worst.severity} ${worst.rule} ${plain(worst.title)}`;
  const el = make("a", { class: `flag severity ${worst.severity}`, href: `#finding-${worst.number}`, title: what, "aria-label": what },
    make("span", { "aria-hidden": "true" }, severitySign(worst.severity), n > 1 ? make("sup", {}, String(n)) : ""));
  el.style.left = share(g.x, s);
  el.style.height = `${flagHeight}px`;
  const showLinks = () => showText(g.found.flatMap((f, i) => [...(i ? [document.createTextNode(", ")] : []), link(f)]));
  el.addEventListener("pointerenter", showLinks);
  el.addEventListener("focus", showLinks);
  // The reader selects one of several by the links below.
  if (n > 1) el.addEventListener("click", (e) => {
    e.preventDefault();
    showLinks();
  });
  return el;
}

function link(f: Found): HTMLElement {
  return make("a", { href: `#finding-${f.number}` }, `${(f.first / 1e9).toFixed(3)} s ${severitySign(f.severity)} ${f.rule} ${plain(f.title)}`);
}

function bar(b: Band, s: Scene, x: (at: number) => number): HTMLElement {
  const from = Math.max(sideMargin, x(b.from)), to = Math.min(s.width - sideMargin, x(b.to));
  const words = b.found.rule === throughputCollapse ? plain(b.found.title) : `${plain(b.found.title)}, ${duration(b.to - b.from)}`;
  const el = make("a", { class: `band ${b.found.severity}`, href: `#finding-${b.found.number}`, title: `${words}, from ${(b.from / 1e9).toFixed(6)} s to ${(b.to / 1e9).toFixed(6)} s` }, words);
  el.style.left = share(from, s);
  el.style.width = share(Math.max(6, to - from), s);
  el.style.top = `${flagHeight + b.row * bandHeight}px`;
  el.style.height = `${bandHeight - 3}px`;
  return el;
}
