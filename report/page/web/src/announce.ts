import { make } from "./make";

let region: HTMLElement | undefined;

/** Says something to who does not see the page. */
export function announce(text: string): void {
  if (!region) {
    region = make("div", { class: "sr", role: "status", "aria-live": "polite" });
    document.body.append(region);
  }
  // The same text twice is said twice only if it is another one.
  region.textContent = region.textContent === text ? text + "\u00a0" : text;
}
