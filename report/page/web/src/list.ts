import type { Data } from "./data";

/** Makes the list of RPCs in el. */
export function showList(el: HTMLElement, data: Data): void {
  void [el, data];
}
