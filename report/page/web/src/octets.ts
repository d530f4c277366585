import type { Exhibit } from "./model";

/**
 * Shows octets and fields of the exhibits in el. Each gets an element of its own with data-frame, the
 * number of its frame (FILE.NUMBER where there are several files), so that others can find it.
 */
export function showExhibits(el: HTMLElement, exhibits: Exhibit[]): void {
  void [el, exhibits];
}
