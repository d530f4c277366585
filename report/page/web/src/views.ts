import type { Data } from "./data";

/** Fills div.views of each finding when it comes into view, all of them before printing. */
export function showViews(data: Data): void {
  void data;
}

/** Fills div.charts of each connection when it comes into view. The rows have been read. */
export function showConnections(data: Data): void {
  void data;
}
