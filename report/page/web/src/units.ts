// Numbers as the command line writes them.

/** seconds writes nanoseconds as seconds, to the microsecond. */
export function seconds(ns: number): string {
  return (ns / 1e9).toFixed(6);
}

/** duration writes nanoseconds with three digits that count and a unit. */
export function duration(ns: number): string {
  if (ns < 1000) return `${ns} ns`;
  for (const [unit, name] of [[1e3, "µs"], [1e6, "ms"]] as const) {
    const text = three(ns / unit);
    if (Number(text) < 1000) return `${text} ${name}`;
  }
  return `${three(ns / 1e9)} s`;
}

function three(n: number): string {
  if (n >= 100) return n.toFixed(0);
  return n >= 10 ? n.toFixed(1) : n.toFixed(2);
}

/** byteCount writes a count of bytes with its unit. */
export function byteCount(n: number): string {
  return n === 1 ? "1 byte" : `${n} bytes`;
}

/** size writes bytes per second, or bytes, briefly, in powers of ten. */
export function size(n: number): string {
  const units = ["", "k", "M", "G", "T"];
  let i = 0;
  while (Math.abs(n) >= 1000 && i < units.length - 1) {
    n /= 1000;
    i++;
  }
  return i === 0 ? String(Number(n.toPrecision(3))) : three(n) + " " + units[i];
}

/** rate writes bytes per second, briefly. */
export function rate(n: number): string {
  const text = size(n);
  return text.includes(" ") ? `${text}B/s` : `${text} B/s`;
}

/** hex writes a number, or decimal digits, in hexadecimal with all its digits. */
export function hex(n: number | string, digits: number): string {
  return "0x" + BigInt(n).toString(16).padStart(digits, "0");
}

/** The name of a frame in links: its number, after that of its file if there are several. */
export function frameName(frame: number, file?: number): string {
  return file === undefined ? String(frame) : `${file}.${frame}`;
}
