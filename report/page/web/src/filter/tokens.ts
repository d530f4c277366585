import type { FieldSet } from "./field";
import type { ByteString } from "./bytestring";
import { nextToken, type Token } from "./token";

/** The tokens of an expression, one after the other; token is the next one. */
export class Tokens {
  token: Token;

  constructor(readonly set: FieldSet, readonly expr: ByteString) {
    this.token = nextToken(expr, 0);
  }

  next(): void {
    this.token = nextToken(this.expr, this.token.end);
  }
}
