// Takes apart what DEFLATE packed (RFC 1951), at once: the browser's own DecompressionStream only does so
// later, and a printer does not wait.

const lengthBase = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const lengthExtra = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceBase = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577];
/** The order in which the lengths of the code length codes stand. */
const codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const mostBits = 15;

/** A Huffman code as a table: for the next 15 bits its symbol, and in the four lowest bits its length. */
type Code = Uint16Array;

/** The octets that were packed. It throws an Error if they are damaged. */
export function inflate(packed: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Inflater(packed).all();
}

class Inflater {
  private at = 0;
  private bits = 0;
  private count = 0;
  private out = new Uint8Array(1 << 16);
  private length = 0;

  constructor(private readonly packed: Uint8Array) {}

  all(): Uint8Array<ArrayBuffer> {
    for (let last = 0; !last;) {
      last = this.take(1);
      const kind = this.take(2);
      if (kind === 0) this.stored();
      else if (kind === 1) this.block(codeOf(fixedLengths()), codeOf(new Uint8Array(30).fill(5)));
      else if (kind === 2) this.dynamic();
      else throw new Error("a block of no known kind");
    }
    return this.out.subarray(0, this.length);
  }

  /** Has n bits at hand, or zeros behind the end. */
  private need(n: number): void {
    for (; this.count < n; this.count += 8) this.bits |= (this.packed[this.at++] ?? 0) << this.count;
  }

  private drop(n: number): void {
    this.bits >>>= n;
    this.count -= n;
    if (this.at - (this.count >> 3) > this.packed.length) throw new Error("the end is missing");
  }

  private take(n: number): number {
    this.need(n);
    const v = this.bits & ((1 << n) - 1);
    this.drop(n);
    return v;
  }

  private symbol(code: Code): number {
    this.need(mostBits);
    const entry = code[this.bits & ((1 << mostBits) - 1)]!;
    if (entry === 0) throw new Error("a code that is not in use");
    this.drop(entry & 15);
    return entry >> 4;
  }

  private stored(): void {
    this.drop(this.count & 7);
    const n = this.take(16);
    if ((n ^ this.take(16)) !== 0xffff) throw new Error("a wrong length");
    this.at -= this.count >> 3;
    this.bits = this.count = 0;
    if (this.at + n > this.packed.length) throw new Error("the end is missing");
    this.room(n);
    this.out.set(this.packed.subarray(this.at, this.at + n), this.length);
    this.at += n;
    this.length += n;
  }

  private dynamic(): void {
    const literals = this.take(5) + 257, distances = this.take(5) + 1, codes = this.take(4) + 4;
    const order = new Uint8Array(19);
    for (let i = 0; i < codes; i++) order[codeOrder[i]!] = this.take(3);
    const code = codeOf(order);
    const lengths = new Uint8Array(literals + distances);
    for (let i = 0; i < lengths.length;) {
      const s = this.symbol(code);
      if (s < 16) {
        lengths[i++] = s;
        continue;
      }
      if (s === 16 && i === 0) throw new Error("a repeated length without a first");
      const again = s === 16 ? lengths[i - 1]! : 0;
      const times = s === 16 ? 3 + this.take(2) : s === 17 ? 3 + this.take(3) : 11 + this.take(7);
      if (i + times > lengths.length) throw new Error("too many lengths");
      lengths.fill(again, i, i += times);
    }
    this.block(codeOf(lengths.subarray(0, literals)), codeOf(lengths.subarray(literals)));
  }

  private block(literals: Code, distances: Code): void {
    for (;;) {
      const s = this.symbol(literals);
      if (s === 256) return;
      this.room(258);
      if (s < 256) {
        this.out[this.length++] = s;
        continue;
      }
      const base = lengthBase[s - 257];
      if (base === undefined) throw new Error("a length of no known kind");
      const n = base + this.take(lengthExtra[s - 257]!);
      const d = this.symbol(distances);
      const far = distanceBase[d];
      if (far === undefined) throw new Error("a distance of no known kind");
      const back = far + this.take(d < 2 ? 0 : (d >> 1) - 1);
      if (back > this.length) throw new Error("a distance to before the beginning");
      for (let i = 0; i < n; i++, this.length++) this.out[this.length] = this.out[this.length - back]!;
    }
  }

  private room(n: number): void {
    if (this.length + n <= this.out.length) return;
    const more = new Uint8Array(2 * this.out.length + n);
    more.set(this.out);
    this.out = more;
  }
}

function fixedLengths(): Uint8Array {
  return new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280);
}

/** The table of a code, of the lengths of its symbols. */
function codeOf(lengths: Uint8Array): Code {
  const table = new Uint16Array(1 << mostBits);
  let code = 0;
  for (let bits = 1; bits <= mostBits; bits++, code <<= 1) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== bits) continue;
      if (code >= 1 << bits) throw new Error("too many codes");
      for (let i = reversed(code, bits); i < table.length; i += 1 << bits) table[i] = symbol << 4 | bits;
      code++;
    }
  }
  return table;
}

function reversed(code: number, bits: number): number {
  let r = 0;
  for (let i = 0; i < bits; i++) r |= (code >> i & 1) << (bits - 1 - i);
  return r;
}
