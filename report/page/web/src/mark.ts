// How what a finding is about is marked: always by a sign and a word, too.

import { make } from "./make";

export interface Mark {
  sign: string;
  words: string;
}

/** For errors and warnings. */
export const fault: Mark = { sign: "✗", words: "at fault" };
/** A note is about something that breaks no rule. */
export const noted: Mark = { sign: "●", words: "noted here" };

/** The sign with its words. */
export function markView(mark: Mark): HTMLElement {
  return make("b", { class: "at-fault" }, `${mark.sign} ${mark.words}`);
}

/** The sign alone, with words for a screen reader. */
export function signView(mark: Mark): HTMLElement {
  return make("b", { class: "at-fault" },
    make("span", { "aria-hidden": "true" }, mark.sign), make("span", { class: "sr" }, mark.words));
}
