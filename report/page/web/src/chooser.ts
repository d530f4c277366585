// Where the columns of the list of RPCs are chosen.

import { announce } from "./announce";
import type { Column } from "./columns";
import { moveTo } from "./headings";
import type { Layout } from "./layout";
import { fillWhenOpened, make } from "./make";

export function chooser(layout: Layout<Column>): HTMLElement {
  const box = make("details", { class: "rpc-columns" }, make("summary", {}, "Columns"));
  const list = make("ul");
  const all = make("button", { type: "button" }, "Default");
  all.addEventListener("click", () => {
    layout.restore("");
    announce("The columns were reset");
  });
  const draw = () => {
    // A column is often moved several places: the same button keeps the focus.
    const name = document.activeElement?.getAttribute("aria-label");
    const had = list.contains(document.activeElement);
    list.replaceChildren(...layout.shown.map((c) => item(layout, c)), ...layout.all.filter((c) => !layout.shown.includes(c)).map((c) => item(layout, c)));
    if (!had) return;
    const same = [...list.querySelectorAll<HTMLElement>("[aria-label]")].find((e) => e.getAttribute("aria-label") === name);
    (same?.matches(":disabled") ? same.parentElement!.querySelector<HTMLElement>("button:enabled") : same)?.focus();
  };
  fillWhenOpened(box, () => {
    draw();
    layout.onChange(draw);
    return make("div", {},
      make("p", {}, "Or use the headings: drag one to move its column, its right edge to resize it. Keys: Shift, or Alt, with ← or → on a heading. ", all),
      make("div", { class: "scroll tall" }, list));
  });
  return box;
}

function item(layout: Layout<Column>, c: Column): HTMLElement {
  const place = layout.shown.indexOf(c), shown = place >= 0;
  const check = make("input", { type: "checkbox", "aria-label": `Show ${c.title}`, disabled: shown && layout.shown.length === 1 });
  check.checked = shown;
  check.addEventListener("change", () => {
    layout.show(c, check.checked);
    announce(`${c.title} is ${check.checked ? `column ${layout.shown.indexOf(c) + 1}` : "hidden"}`);
  });
  const button = (sign: string, name: string, to: number) => {
    const b = make("button", { type: "button", "aria-label": `Move ${c.title} ${name}`, disabled: !shown || to < 0 || to >= layout.shown.length }, sign);
    b.addEventListener("click", () => moveTo(layout, c, to));
    return b;
  };
  return make("li", {}, make("label", {}, check, " ", c.title), button("▴", "up", place - 1), button("▾", "down", place + 1));
}
