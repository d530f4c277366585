// The message for a link whose target is not in the page: whether the capture lacks it, or only the page. It needs no document.

import type { Meta } from "./model";
import { count, grouped } from "./text";

/** The target of a link, the message about it, and the command that shows it, "" if there is none. */
export interface Absent {
  title: string;
  text: string;
  command: string;
}

/** The nth RPC with an XID, of which the page has so many. */
export function absentRPC({ totals }: Meta, xid: number, nth: number, has: number): Absent {
  const hex = "0x" + xid.toString(16).padStart(8, "0"), title = `RPC with XID ${hex}${nth > 1 ? `, number ${nth}` : ""}`;
  const found = has === 0 ? "no RPC" : `only ${count(has, "RPC")}`;
  if (totals.rows >= totals.rpcs) return { title, text: `The capture has ${found} with this XID.`, command: "" };
  return {
    title, text: `The page has ${found} with this XID. It lists ${grouped(totals.rows)} of the ${count(totals.rpcs, "RPC")} of the capture, which may have it.`,
    command: `rdmacap read -V -x -Y 'rpc.xid == ${hex}'`,
  };
}

/** A frame of a file, by its number from 0. */
export function absentFrame({ totals, files }: Meta, name: string, number: number, file: number | undefined): Absent {
  const title = `Frame ${name}`;
  if (files.length === 1 && number > totals.frames) return { title, text: `The capture has ${count(totals.frames, "frame")} only.`, command: "" };
  if (file !== undefined && file >= files.length) return { title, text: `The page covers ${count(files.length, "file")}, numbered from 0.`, command: "" };
  const where = `frame.number == ${number}${file === undefined ? "" : ` and frame.file == ${file}`}`;
  return { title, text: "The page does not have its bytes.", command: `rdmacap read --level frame -V -x -Y '${where}'` };
}

export function absentConnection({ totals }: Meta, number: number): Absent {
  const title = `Connection ${number}`;
  if (number > totals.connections) return { title, text: `The capture has ${count(totals.connections, "connection")}.`, command: "" };
  return { title, text: "The capture has it, but it did not fit in the page.", command: `rdmacap stats --connection ${number}` };
}

/** A finding by its number in the page, of which this page has so many. */
export function absentFinding(number: number, has: number): Absent {
  return { title: `Finding ${number}`, text: `The page has ${count(has, "finding")}. Numbers differ from page to page, even for the same capture.`, command: "" };
}
