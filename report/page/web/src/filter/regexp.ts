import { RE2JS, RE2JSSyntaxException } from "re2js";
import { decode, encode, type ByteString } from "./bytestring";

/** Why an expression is none, in Go's words, and the part of it that is at fault. */
export class PatternError extends Error {
  constructor(readonly code: string, readonly part: ByteString) {
    super(code);
  }
}

/**
 * A regular expression as Go has it, by a port of RE2: the time is linear in the text, whatever the
 * expression. With the browser's own engine a page that was mailed could be made to hang.
 */
export class Regexp {
  private constructor(private readonly re: RE2JS) {}

  /** Compiles an expression of which case does not matter; throws a PatternError if it is wrong. */
  static compile(expr: ByteString): Regexp {
    const text = decode(expr);
    try {
      RE2JS.compile(text); // as it was written, so that an error names nothing else
      return new Regexp(RE2JS.compile("(?i)" + text));
    } catch (e) {
      if (e instanceof RE2JSSyntaxException) throw new PatternError(e.getDescription(), encode(e.getPattern() ?? text));
      throw e;
    }
  }

  /** Whether the expression matches somewhere in the text. */
  test(text: ByteString): boolean {
    return this.re.test(decode(text));
  }
}
