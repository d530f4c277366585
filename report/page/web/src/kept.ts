// What the page has of an RPC, or what is said where it has not.

import type { Data } from "./data";
import { make } from "./make";
import type { Evidence, Meta } from "./model";
import { plain } from "./text";

/** Says that something is not in the page, and which command shows it. */
export function elsewhere(meta: Meta, text: string, command: string): HTMLElement {
  const files = meta.command.replace(/^rdmacap read/, "");
  return make("p", { class: "missing" }, text, ...(command ? [" To see it: ", make("code", {}, command + plain(files))] : []));
}

/** What the page has of a row, or says instead; what is what is looked for: "bytes". */
export function keptOf(data: Data, row: number, what: string): Evidence | HTMLElement {
  const id = data.rows.numbers("evidence")[row]! - 1;
  if (id < 0) return elsewhere(data.meta, `The page does not have the ${what} of this RPC.`, `rdmacap read -V -x -Y 'rpc.xid == ${data.rows.xid(row)}'`);
  let item: Evidence | undefined;
  try {
    item = data.evidence(id);
  } catch {
    // It is damaged.
  }
  return item ?? make("p", { class: "missing" }, `The ${what} of this RPC could not be read.`);
}
