// Written by go test ./filter -run Tables -update: do not edit.

/** What is asked of each value. */
export type Operator = "equal" | "less" | "lessEqual" | "greater" | "greaterEqual" | "contains" | "matches" | "among";

/** How many of a field's values have to pass. */
export type Quantity = "some" | "every" | "none" | "someNot" | "present";

/** What the values of a field are. */
export type Kind = "uint" | "int" | "duration" | "bool" | "string" | "octets" | "address" | "enum" | "time";

/** Kinds, with their names and literals of them. */
export const kinds: readonly [key: Kind, name: string, example: string][] = [
  ["uint", "a number", "42"],
  ["int", "a number", "-1"],
  ["duration", "a duration", "10ms"],
  ["bool", "true or false", "true"],
  ["string", "text in quotes", "\"a name\""],
  ["octets", "bytes", "00:1f:ff"],
  ["address", "an address", "192.0.2.1"],
  ["enum", "a name or its number", "1"],
  ["time", "a time", "\"2026-01-31 15:04:05.25\""],
];

/** What may stand between a field and a value. */
export const operators: readonly [sign: string, op: Operator, of: Quantity][] = [
  ["!=", "equal", "none"],
  ["!==", "equal", "someNot"],
  ["<", "less", "some"],
  ["<=", "lessEqual", "some"],
  ["==", "equal", "some"],
  ["===", "equal", "every"],
  [">", "greater", "some"],
  [">=", "greaterEqual", "some"],
  ["all_eq", "equal", "every"],
  ["all_ne", "equal", "none"],
  ["any_eq", "equal", "some"],
  ["any_ne", "equal", "someNot"],
  ["contains", "contains", "some"],
  ["eq", "equal", "some"],
  ["ge", "greaterEqual", "some"],
  ["gt", "greater", "some"],
  ["in", "among", "some"],
  ["le", "lessEqual", "some"],
  ["lt", "less", "some"],
  ["matches", "matches", "some"],
  ["ne", "equal", "none"],
  ["~", "matches", "some"],
];

/** The operators that completions offer. */
export const offered: readonly [sign: string, doc: string][] = [
  ["==", "one value equals"],
  ["!=", "all values differ"],
  ["<", "less"],
  ["<=", "less or equal"],
  [">", "greater"],
  [">=", "greater or equal"],
  ["contains", "has these bytes in it"],
  ["matches", "matches a regular expression"],
  ["in", "is one of a set in braces"],
];

/** Words that join tests. */
export const keywords: readonly string[] = ["and","or","not","any","all"];

/** The characters that end a word, beside spaces. */
export const signs = "(){},\"'=!<>&|~#";

/** Operators made of signs, longer ones first. */
export const operatorSigns: readonly string[] = ["===","!==","==","!=","<=",">=","&&","||","<",">","!","~"];

/** Units of sizes. */
export const scales: readonly [unit: string, of: bigint][] = [
  ["k", 1000n],
  ["M", 1000000n],
  ["G", 1000000000n],
  ["T", 1000000000000n],
  ["kB", 1000n],
  ["MB", 1000000n],
  ["GB", 1000000000n],
  ["TB", 1000000000000n],
  ["KiB", 1024n],
  ["MiB", 1048576n],
  ["GiB", 1073741824n],
  ["TiB", 1099511627776n],
];

/** Units of durations, in nanoseconds. */
export const durations: readonly [unit: string, of: bigint][] = [
  ["ns", 1n],
  ["us", 1000n],
  ["µs", 1000n],
  ["μs", 1000n],
  ["ms", 1000000n],
  ["s", 1000000000n],
  ["m", 60000000000n],
  ["h", 3600000000000n],
];
