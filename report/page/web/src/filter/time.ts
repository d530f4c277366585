import { LiteralError } from "./error";
import type { ByteString } from "./bytestring";

/**
 * Reads an instant as RFC 3339 has it, the T of which may be a space, and of which seconds, time of day
 * and zone may be left out: the zone is UTC then. It is in nanoseconds since 1970.
 */
export function parseTime(s: ByteString): bigint {
  s = s.replace(/ UTC$/, "").replace(" ", "T");
  const m = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?(?:(Z)|([+-])(\d\d):(\d\d))?$/.exec(s);
  if (!m) throw new LiteralError();
  const n = (i: number) => Number(m[i] ?? 0);
  const [year, month, day, hour, minute, second] = [n(1), n(2), n(3), n(4), n(5), n(6)];
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  if (!days || day < 1 || day > days || hour > 23 || minute > 59 || second > 59 || n(10) > 24 || n(11) > 60) {
    throw new LiteralError();
  }
  // What lies further off is not in 64 bits of nanoseconds.
  if (year < 1678 || year > 2261) throw new LiteralError("years are 1678 to 2261");
  const offset = (n(10) * 60 + n(11)) * (m[9] === "-" ? -1 : 1);
  const seconds = Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - offset * 60;
  const nanoseconds = (m[7] ?? "").slice(0, 9).padEnd(9, "0");
  return BigInt.asIntN(64, BigInt(seconds) * 1000000000n + BigInt(nanoseconds));
}
