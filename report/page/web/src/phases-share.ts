// The letters and percentages of the time breakdown: the part of it that needs no document.

import type { Phase } from "./model";

/** lettersOf are the letters of the parts of the latency that took any time, "" of what is no part of the bar. */
export function lettersOf(phases: Phase[]): string[] {
  let next = 0;
  return phases.map(([, , ns, of]) => (of && ns > 0 ? String.fromCharCode(65 + next++) : ""));
}

/** percent writes a share. */
export function percent(share: number): string {
  if (share < 0.0005) return "under 0.1 %";
  if (share > 0.9995 && share < 1) return "over 99.9 %";
  return `${(100 * share).toFixed(share === 1 ? 0 : 1)} %`;
}
