import { runeAt, type Octets } from "../octets";
import { parse } from "./parse";
import { compile, type Program } from "./program";
import type { Place } from "./syntax";

/** What stands before a place: nothing, the end of a line, a letter of a word, something else. */
const enum Before { Text, Line, Word, Other }

/** All steps that the text so far may have led to, and what its last character was. */
interface State {
  at: number[];
  before: Before;
  /** Where each character leads, ASCII and others; true: the expression has matched. */
  ascii: (State | true | undefined)[];
  others: Map<number, State | true>;
}

/** States that are remembered; then all are forgotten, so that no text takes more memory. */
const maxStates = 1000;

/** Stands for the character after the last. */
const end = -1;

/**
 * A regular expression of RE2 as Go has it, without lookaround and backreferences: the time is linear in
 * the text, whatever the expression. The engine of the browser is not used because that is not so there.
 */
export class Regexp {
  private states = new Map<string, State>();
  private readonly first: number[];

  private constructor(private readonly program: Program) {
    this.first = this.follow([program.start]);
  }

  /** Compiles an expression, undefined if it is too large; throws a PatternError if it is wrong. */
  static compile(expr: Octets, fold: boolean): Regexp | undefined {
    const program = compile(parse(expr, fold));
    return program && new Regexp(program);
  }

  /** Whether the expression matches somewhere in the text. */
  test(text: Octets): boolean {
    let s = this.state(this.first, Before.Text);
    for (let i = 0; i <= text.length;) {
      let rune = i < text.length ? text.charCodeAt(i) : end;
      let size = 1;
      if (rune >= 0x80) ({ rune, size } = runeAt(text, i));
      const ascii = rune >= 0 && rune < 0x80;
      let n = ascii ? s.ascii[rune] : s.others.get(rune);
      if (n === undefined) {
        n = this.step(s, rune);
        if (ascii) s.ascii[rune] = n;
        else s.others.set(rune, n);
      }
      if (n === true) return true;
      s = n;
      i += size;
    }
    return false;
  }

  private state(at: number[], before: Before): State {
    const key = `${before}:${at.join()}`;
    let s = this.states.get(key);
    if (!s) {
      if (this.states.size >= maxStates) this.states.clear();
      s = { at, before, ascii: new Array<undefined>(0x80).fill(undefined), others: new Map() };
      this.states.set(key, s);
    }
    return s;
  }

  private step(s: State, rune: number): State | true {
    const { steps } = this.program;
    const now = this.follow(s.at, (p) => isPlace(p, s.before, rune));
    const after = [...this.first];
    for (const i of now) {
      const step = steps[i]!;
      if (step.kind === "match") return true;
      if (step.kind === "class" && rune !== end && step.has(rune)) after.push(step.next);
    }
    return this.state(this.follow(after), kindOf(rune));
  }

  /**
   * The steps that can be reached from some without a character, in order: with passes also those
   * behind the places that it lets through.
   */
  private follow(from: number[], passes: (p: Place) => boolean = () => false): number[] {
    const seen = new Set<number>();
    const kept: number[] = [];
    const todo = [...from];
    while (todo.length > 0) {
      const i = todo.pop()!;
      if (seen.has(i)) continue;
      seen.add(i);
      const step = this.program.steps[i]!;
      if (step.kind === "split") todo.push(step.next, step.other);
      else kept.push(i);
      if (step.kind === "place" && passes(step.place)) todo.push(step.next);
    }
    return kept.sort((a, b) => a - b);
  }
}

const isWord = (rune: number) =>
  rune >= 0x30 && rune <= 0x39 || rune >= 0x41 && rune <= 0x5a || rune === 0x5f || rune >= 0x61 && rune <= 0x7a;

function kindOf(rune: number): Before {
  return rune === 10 ? Before.Line : isWord(rune) ? Before.Word : Before.Other;
}

function isPlace(p: Place, before: Before, rune: number): boolean {
  switch (p) {
    case "beginText": return before === Before.Text;
    case "beginLine": return before === Before.Text || before === Before.Line;
    case "endText": return rune === end;
    case "endLine": return rune === end || rune === 10;
    case "boundary": return (before === Before.Word) !== isWord(rune);
    case "noBoundary": return (before === Before.Word) === isWord(rune);
  }
}
