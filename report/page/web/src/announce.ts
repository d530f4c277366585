import { make } from "./make";

let region: HTMLElement | undefined;

/** Announces text to screen readers. */
export function announce(text: string): void {
  if (!region) {
    region = make("div", { class: "sr", role: "status", "aria-live": "polite" });
    document.body.append(region);
  }
  // Screen readers announce the same text a second time only if it differs.
  region.textContent = region.textContent === text ? text + "\u00a0" : text;
}
