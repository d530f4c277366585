import type { Ladder } from "./model";

/**
 * Draws the ladder into el. onFrame is called when somebody chooses a step: it shows the octets of
 * that frame.
 */
export function showLadder(el: HTMLElement, ladder: Ladder, onFrame: (frame: number, file?: number) => void): void {
  void [el, ladder, onFrame];
}
