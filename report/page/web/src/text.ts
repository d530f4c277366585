/** What would not be seen, or change how the rest is seen: as the words of the page have it. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Variation_Selector}\u034f\u115f\u1160\u3164\uffa0]/gu;

/**
 * Text of a capture as it can be shown: control characters, those that change the direction of writing
 * and others that nobody sees are escapes, those of Go.
 */
export function plain(s: string): string {
  return s.replace(hidden, (c) => {
    const v = c.codePointAt(0)!;
    if (0x07 <= v && v <= 0x0d) return "\\" + "abtnvfr"[v - 0x07];
    if (v < 0x80) return "\\x" + v.toString(16).padStart(2, "0");
    return v <= 0xffff ? "\\u" + v.toString(16).padStart(4, "0") : "\\U" + v.toString(16).padStart(8, "0");
  });
}

/** A count with its noun: "1 RPC", "100,000 RPCs". */
export function count(n: number, noun: string): string {
  return `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`;
}

/** A number with a comma after each three digits, as the words of the page have it. */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}
