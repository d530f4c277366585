import type { ByteString } from "./filter/bytestring";
import { num, type Num } from "./filter/span";
import type { ListModel, TextModel, WholeNumber } from "./model";

/** A column of lists of numbers: those of a row are values[from(row)] up to values[to(row)]. */
export class Lists {
  readonly values: Num[] = [];
  private readonly ends: Uint32Array;

  constructor(rows: number) {
    this.ends = new Uint32Array(rows);
  }

  from(row: number): number {
    return row > 0 ? this.ends[row - 1]! : 0;
  }

  to(row: number): number {
    return this.ends[row]!;
  }

  /** Takes the lists of the rows from first on; undefined if none has values. */
  addBlock(block: ListModel | undefined, first: number, count: number): void {
    let end = this.values.length;
    for (let i = 0; i < count; i++) {
      end += !block ? 0 : Array.isArray(block.n) ? block.n[i] ?? 0 : block.n;
      this.ends[first + i] = end;
    }
    for (const v of block?.v ?? []) this.values.push(toNum(v));
    let last: Num = 0;
    for (const d of block?.d ?? []) this.values.push(last = sum(last, d));
  }
}

function toNum(v: WholeNumber): Num {
  return typeof v === "number" ? v : num(BigInt(v));
}

/** The sum in 64 bits. */
function sum(a: Num, b: WholeNumber): Num {
  if (typeof a === "number" && typeof b === "number") {
    const s = a + b;
    if (s >= 0 && s <= Number.MAX_SAFE_INTEGER) return s;
  }
  return num(BigInt.asUintN(64, BigInt(a) + BigInt(b)));
}

/** The bytes of a text. */
export function textOf(t: TextModel): ByteString {
  if (typeof t === "string") return t;
  return t[0].replace(/../g, (digits) => String.fromCharCode(parseInt(digits, 16)));
}

/** The CRC-32 of bytes, as Ethernet has it. */
export function crc32(bytes: ByteString): number {
  let crc = -1;
  for (let i = 0; i < bytes.length; i++) {
    crc ^= bytes.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = crc >>> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
