import { make } from "./make";
import type { Timeline } from "./timeline";

/** Buttons that change the stretch of time that is shown, and a text that describes it; hint follows the whole time. */
export function timeTools(timeline: Timeline, name: string, hint: string): HTMLElement {
  const shown = make("span", { class: "aside", "aria-live": "polite" });
  const bar = make("div", { class: "chart-tools", role: "group", "aria-label": name });
  const buttons: [string, string, () => void][] = [
    ["+", "Zoom in", () => timeline.zoom(0.5)],
    ["−", "Zoom out", () => timeline.zoom(2)],
    ["◂", "Earlier", () => timeline.move(-0.5)],
    ["▸", "Later", () => timeline.move(0.5)],
    ["Whole time", "Whole time", () => timeline.show(timeline.whole)],
  ];
  for (const [sign, name, act] of buttons) {
    const b = make("button", { type: "button", "aria-label": name, title: name }, sign);
    b.addEventListener("click", act);
    bar.append(b);
  }
  const say = () => {
    shown.textContent = timeline.words + (timeline.isWhole ? `; ${hint}` : "");
  };
  say();
  timeline.onChange(say);
  bar.append(shown);
  return bar;
}
