import { lower, type ByteString } from "./bytestring";

/** The longest word for which a name is suggested: comparing takes time with the product of the lengths. */
export const maxName = 64;

/** How many names a hint has at most. */
export const suggestions = 3;

export function didYouMean(names: ByteString[]): ByteString {
  const last = names.slice(-2).join(" or ");
  return "did you mean " + [...names.slice(0, -2), last].join(", ") + "?";
}

/** The names that are nearest to a word that somebody wrote, all as near as each other, each once. */
export function nearest(word: ByteString, names: Iterable<ByteString>): ByteString[] {
  if (word.length > maxName) return [];
  word = lower(word);
  let best = Infinity;
  let near: ByteString[] = [];
  const seen = new Set<ByteString>();
  for (const name of names) {
    const d = distance(word, lower(name));
    if (d === undefined || d > best || seen.has(name)) continue;
    if (d < best) {
      best = d;
      near = [];
    }
    if (near.length < suggestions) {
      seen.add(name);
      near.push(name);
    }
  }
  return near;
}

/**
 * How far a word is from a name: the letters to change, or less if one is the other's end after a dot or
 * an underscore (NOENT, NFS4ERR_NOENT) or both end in the same after different prefixes (rpc.op,
 * nfs.op); undefined if nobody would mistake them, which is so of few letters, and of no beginning.
 */
function distance(word: ByteString, name: ByteString): number | undefined {
  if (word === "" || name === "" || name.length > maxName) return undefined;
  if (endsIn(name, word) || endsIn(word, name)) return 1;
  const d = edits(word, name);
  const shorter = Math.min(word.length, name.length);
  const i = word.lastIndexOf("."), j = name.lastIndexOf(".");
  if (i > 0 && j > 0 && word.slice(i) === name.slice(j)) return Math.min(d, 3);
  if (shorter >= 4 && word.slice(0, shorter) === name.slice(0, shorter)) return d;
  return d <= Math.max(1, Math.trunc(shorter / 3)) ? d : undefined;
}

/** Whether the end of name, after a dot or underscore, is word. */
function endsIn(name: ByteString, word: ByteString): boolean {
  if (word.length < 2 || !name.endsWith(word)) return false;
  const before = name[name.length - word.length - 1];
  return before === "." || before === "_";
}

/** How many bytes of a to insert, delete, change, or exchange with the next one, to make b. */
function edits(a: ByteString, b: ByteString): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 0; i < a.length; i++) {
    const row = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const cost = a[i] === b[j] ? 0 : 1;
      let d = Math.min(above[j + 1]! + 1, row[j]! + 1, above[j]! + cost);
      if (i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j]) d = Math.min(d, before[j - 1]! + 1);
      row.push(d);
    }
    before = above;
    above = row;
  }
  return above[b.length]!;
}
