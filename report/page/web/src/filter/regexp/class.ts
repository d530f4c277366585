import { decode, type Octets } from "../octets";
import type { Class } from "./syntax";

const text = (rune: number) => String.fromCodePoint(rune);
const escaped = (rune: number) => `\\u{${rune.toString(16)}}`;

/** A class of the engine of the browser, which is asked about one character at a time. */
function one(inside: string, fold: boolean): Class {
  const re = new RegExp(`^[${inside}]$`, fold ? "iu" : "u");
  return (rune) => re.test(text(rune));
}

export function range(lo: number, hi: number, fold: boolean): Class {
  return fold ? one(`${escaped(lo)}-${escaped(hi)}`, true) : (rune) => lo <= rune && rune <= hi;
}

export const not = (c: Class): Class => (rune) => !c(rune);

export const any = (list: Class[]): Class => (rune) => list.some((c) => c(rune));

const perl: Record<string, string> = { d: "0-9", s: "\\t\\n\\f\\r ", w: "0-9A-Z_a-z" };

/** The class of \d, \s, \w or their opposites; undefined of other letters. */
export function perlClass(letter: string, fold: boolean): Class | undefined {
  const inside = perl[letter.toLowerCase()];
  if (!inside) return undefined;
  const c = one(inside, fold);
  return letter === letter.toLowerCase() ? c : not(c);
}

const posix: Record<string, string> = {
  alnum: "0-9A-Za-z", alpha: "A-Za-z", ascii: "\\0-\\x7f", blank: "\\t ", cntrl: "\\0-\\x1f\\x7f", digit: "0-9",
  graph: "!-~", lower: "a-z", print: " -~", punct: "!-\\/:-@\\[-`\\{-~", space: "\\t-\\r ", upper: "A-Z",
  word: "0-9A-Z_a-z", xdigit: "0-9A-Fa-f",
};

/** The class of [:name:] or [:^name:]. */
export function posixClass(name: string, fold: boolean): Class | undefined {
  const negated = name.startsWith("^");
  const inside = Object.hasOwn(posix, negated ? name.slice(1) : name) && posix[negated ? name.slice(1) : name];
  if (!inside) return undefined;
  const c = one(inside, fold);
  return negated ? not(c) : c;
}

const categories = "C Cc Cf Cn Co Cs L LC Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs";

const aliases = "Separator Titlecase_Letter Format Initial_Punctuation Line_Separator Modifier_Letter Modifier_Symbol digit "
  + "Decimal_Number Math_Symbol Nonspacing_Mark Other_Punctuation Punctuation Combining_Mark Letter Letter_Number "
  + "Other_Letter Symbol Unassigned Uppercase_Letter Cased_Letter Close_Punctuation Open_Punctuation Other Other_Number "
  + "Spacing_Mark punct Connector_Punctuation Control Currency_Symbol Mark Paragraph_Separator Private_Use Surrogate cntrl "
  + "Enclosing_Mark Lowercase_Letter Number Space_Separator Other_Symbol Dash_Punctuation Final_Punctuation";

/** A name without what does not count in it: its first letter large, no others, no _ - and space. */
function canonical(name: string): string {
  const s = name.replace(/[-_ ]/g, "");
  return s.slice(0, 1).replace(/[a-z]/, (c) => c.toUpperCase()) + s.slice(1).replace(/[A-Z]/g, (c) => c.toLowerCase());
}

/** The class of \p{name}: a general category or a script. */
export function unicodeClass(name: Octets, fold: boolean): Class | undefined {
  const wanted = canonical(decode(name));
  if (wanted === "Any") return () => true;
  if (wanted === "Assigned") return not(one("\\p{Cn}", false));
  if (wanted === "Ascii") return one("\\0-\\x7f", fold);
  const category = wanted === "Lc" ? "LC" : categories.split(" ").includes(wanted) ? wanted
    : aliases.split(" ").find((a) => canonical(a) === wanted);
  if (category) return one(`\\p{gc=${category}}`, fold && category !== "Cn");
  if (!/^[A-Z][a-z]+$/.test(wanted)) return undefined;
  try {
    const script = one(`\\p{Script=${wanted}}`, fold);
    return wanted.length > 4 || short.has(wanted) ? script : undefined;
  } catch {
    return undefined;
  }
}

/** Scripts whose names are as short as the codes of scripts, which Go does not take. */
const short = new Set(["Ahom", "Cham", "Han", "Kawi", "Lao", "Lisu", "Miao", "Modi", "Mro", "Newa", "Nko", "Thai", "Toto", "Vai", "Yi"]);
