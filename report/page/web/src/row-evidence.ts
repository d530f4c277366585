// The evidence that the page has for an RPC, or a note that it has none.

import type { Data } from "./data";
import { make } from "./make";
import type { Evidence, Meta } from "./model";
import { plain } from "./text";

/** A note that something is not in the page, with the command that shows it. */
export function missingNote(meta: Meta, text: string, command: string): HTMLElement {
  const files = meta.command.replace(/^rdmacap read/, "");
  return make("p", { class: "missing" }, text, ...(command ? [" To see it: ", make("code", {}, command + plain(files))] : []));
}

/** The evidence for a row, or a note that it is missing; what names the evidence in that note: "bytes". */
export function evidenceOrNote(data: Data, row: number, what: string): Evidence | HTMLElement {
  const id = data.rows.numbers("evidence")[row]! - 1;
  if (id < 0) return missingNote(data.meta, `The page does not have the ${what} of this RPC.`, `rdmacap read -V -x -Y 'rpc.xid == ${data.rows.xid(row)}'`);
  let item: Evidence | undefined;
  try {
    item = data.evidence(id);
  } catch {
    // It is damaged.
  }
  return item ?? make("p", { class: "missing" }, `The ${what} of this RPC could not be read.`);
}
