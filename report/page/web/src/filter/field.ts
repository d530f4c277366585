import type { FieldModel, Kind, WholeNumber } from "../model";
import { encode, foldEqual, lower, quote, runes, type ByteString } from "./bytestring";
import { inWord } from "./token";
import { didYouMean, nearest, suggestions } from "./suggest";
import { kinds } from "./tables";

/** For each kind its name with its article, and a literal of it. */
const words = new Map(kinds.map(([key, name, example]) => [key, { name, example }]));

/** Something that can be asked about. */
export class Field {
  readonly name: ByteString;
  readonly kind: Kind;
  readonly doc: string;
  /** The names of an enum's values, in the order in which they are offered. */
  readonly names: readonly (readonly [name: ByteString, value: bigint])[];

  constructor(m: Pick<FieldModel, "name" | "kind" | "doc" | "values">) {
    this.name = encode(m.name);
    this.kind = m.kind;
    this.doc = m.doc ?? "";
    this.names = (m.values ?? []).map(([name, value]: [string, WholeNumber]) => [encode(name), BigInt(value)] as const);
  }

  /** The kind in words, as in "a duration". */
  get takes(): string {
    return words.get(this.kind)!.name;
  }

  /** A literal that the field takes. */
  get example(): ByteString {
    const first = this.kind === "enum" ? this.names[0] : undefined;
    return first ? enumLiteral(first[0]) : words.get(this.kind)!.example;
  }

  /** A test of the field, for hints. */
  get sample(): ByteString {
    if (this.kind === "duration") return `${this.name} > ${this.example}`;
    const test = `${this.name} == ${this.example}`;
    return this.kind === "address" ? `${test} or ${this.name} == 2001:db8::/32` : test;
  }

  /** A test whether the field is in a set, for hints. */
  get sampleSet(): ByteString {
    return `${this.name} in {${this.example}}`;
  }

  /**
   * The values of an enum that have the name; case matters only if there are names that differ in
   * nothing else. undefined if there are none.
   */
  named(name: ByteString): bigint[] | undefined {
    let list = this.names.filter(([n]) => n === name);
    if (list.length === 0) list = this.names.filter(([n]) => foldEqual(n, name));
    return list.length > 0 ? list.map(([, value]) => value) : undefined;
  }

  /** The hint for a name that no value of an enum has. */
  suggestName(word: ByteString): ByteString {
    const near = nearest(word, this.names.map(([n]) => n));
    return near.length > 0 ? didYouMean(near.map(enumLiteral)) : "for example " + this.sample;
  }
}

/** Writes the name of a value so that it is one word. */
export function enumLiteral(name: ByteString): ByteString {
  return name === "" || name.includes("..") || [...runes(name)].some((r) => !inWord(r.rune)) ? quote(name) : name;
}

/** The fields that there are. */
export class FieldSet {
  private readonly index = new Map<ByteString, number>();

  /** elsewhere returns a hint about where an unknown name of an expression belongs, "" if nowhere. */
  constructor(readonly fields: readonly Field[], readonly elsewhere: (name: ByteString, expr: ByteString) => ByteString = () => "") {
    fields.forEach((f, i) => this.index.set(f.name, i));
  }

  /** The index of the field of that name. Case does not matter. */
  lookup(name: ByteString): number | undefined {
    return this.index.get(name) ?? this.index.get(lower(name));
  }

  /** A test of some field, for hints. */
  get sample(): ByteString {
    const first = this.fields[0];
    return first ? "for example " + first.sample : "";
  }

  /** The hint for a name that no field has. */
  suggestField(word: ByteString): ByteString {
    const names = this.fields.map((f) => f.name);
    const near = nearest(word, names);
    if (near.length > 0) return didYouMean(near);
    // A protocol by itself, or a name that nothing is near to.
    const prefix = lower(word).split(".")[0]!;
    let list = names.filter((n) => n.startsWith(prefix + "."));
    if (list.length === 0) return "";
    if (list.length > 2 * suggestions) list = [...list.slice(0, 2 * suggestions), "..."];
    return `fields of ${prefix}: ${list.join(", ")}`;
  }
}
