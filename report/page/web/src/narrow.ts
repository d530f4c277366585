// What the page shows while it shows a part of the time only: findings and connections of other times are hidden.

import { anchorOf, type Address } from "./address";
import { make } from "./make";
import type { Data } from "./data";
import { whenOf } from "./picture/findings";
import { count } from "./text";
import type { Timeline } from "./timeline";

/** Something with an element that is there for a stretch of time, in nanoseconds since the start of the capture. */
interface Timed {
  element: HTMLElement;
  from: number;
  to: number;
}

/** Hides findings and connections outside the timeline's range; a link to a hidden one shows the whole time again. */
export function hideOtherTimes(timeline: Timeline, data: Data): void {
  const groups = ([["findings", "finding", findings()], ["connections", "connection", connections(data)]] as const).map(([id, noun, list]) => {
    const section = document.getElementById(id), said = make("p", { class: "narrowed", hidden: true });
    section?.querySelector("h2")?.after(said);
    return { noun, list, said };
  });
  const show = () => {
    const [from, to] = timeline.range.map((s) => s * 1e9) as [number, number];
    for (const { noun, list, said } of groups) {
      let hidden = 0;
      for (const t of list) {
        t.element.hidden = !timeline.isWhole && (t.to < from || t.from > to);
        if (t.element.hidden) hidden++;
      }
      said.hidden = hidden === 0;
      if (hidden > 0) said.replaceChildren(`${count(hidden, noun)} of other times ${hidden === 1 ? "is" : "are"} hidden. `, wholeTimeButton(timeline));
    }
  };
  timeline.onChange(show);
  const reveal = () => {
    const named = document.getElementById(anchorOf(location.hash));
    if (!named?.closest("[hidden]") || timeline.isWhole) return;
    timeline.show(timeline.whole);
    named.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
}

/** A button that shows the whole time again. */
export function wholeTimeButton(timeline: Timeline): HTMLElement {
  const button = make("button", { type: "button" }, "Whole time");
  button.addEventListener("click", () => timeline.show(timeline.whole));
  return button;
}

/** A finding stays visible if it, one that it explains, or a repetition of it was found in the range shown. */
function findings(): Timed[] {
  return [...document.querySelectorAll<HTMLElement>("#findings > .finding")].flatMap((element) => {
    const times = [element, ...element.querySelectorAll<HTMLElement>("[data-first]")].filter((e) => e.dataset["first"]).map(whenOf)
      .flatMap((w) => [w.first, w.last, ...w.stretches.flat()]);
    return times.length > 0 ? [{ element, from: Math.min(...times), to: Math.max(...times) }] : [];
  });
}

function connections({ meta }: Data): Timed[] {
  return meta.connections.flatMap((c) => {
    const element = document.getElementById(`connection-${c.id}`);
    return element ? [{ element, from: c.first, to: c.last }] : [];
  });
}

/** Keeps the time range in the address and that of the timeline the same. */
export function linkTimeToAddress(timeline: Timeline, address: Address): void {
  const readAddress = () => {
    const [, from, to] = /^([0-9.e-]{1,24})\.\.([0-9.e-]{1,24})$/.exec(address.get("t")) ?? [];
    const range = [Number(from), Number(to)] as const;
    timeline.show(range[0] < range[1] ? [...range] : timeline.whole);
  };
  readAddress();
  address.onChange(readAddress);
  timeline.onChange(() => address.set("t", timeline.isWhole ? "" : timeline.range.map((s) => Number(s.toFixed(9))).join("..")));
}
