import type { Rows } from "./rows";
import { severityNumber, severityOf } from "./severity";

/** An RPC as links name it: its XID, and which of those that have it. */
export type RPCName = [xid: number, nth: number];

/** The RPCs that a link names after a word, as "compare-0x3a2b1c00-0x3a2b1c01.2": none if it is not such a link. */
export function parseRPCLink(word: "rpc" | "compare", id: string): RPCName[] {
  const [first, ...names] = id.split("-");
  const found = names.flatMap((name): RPCName[] => {
    const [, xid, nth = "1"] = /^0x([0-9a-f]{1,8})(?:\.([1-9][0-9]{0,8}))?$/i.exec(name) ?? [];
    return xid ? [[parseInt(xid, 16), Number(nth)]] : [];
  });
  return first === word && found.length === names.length && found.length === (word === "rpc" ? 1 : 2) ? found : [];
}

/** What identifies the RPC that a finding is about. */
export interface Clue {
  xid: number;
  /** 0 if there is only one. */
  connection: number;
  frame: number;
  file: number;
}

/**
 * Numbers the links to RPCs in the places of findings where several RPCs have the same XID: each
 * connection has XIDs of its own, and may reuse one. Raises the severity of each row to that of the worst finding that names it.
 */
export function numberLinks(rows: Rows, places: Iterable<Element>): void {
  const links: [Element, Clue][] = [];
  for (const place of places) {
    const link = (of: string) => place.querySelector(`a[href^="#${of}-"]`);
    const rpc = link("rpc");
    if (!rpc) continue;
    const [frame = 0, file = 0] = hrefAfter(link("frame"), "#frame-").split(".").reverse().map(Number);
    links.push([rpc, { xid: parseInt(hrefAfter(rpc, "#rpc-"), 16), connection: Number(hrefAfter(link("connection"), "#connection-")), frame, file }]);
  }
  const meant = rowsForClues(rows, links.map(([, clue]) => clue)), worst = rows.numbers("severity");
  links.forEach(([rpc], i) => {
    const { row, nth } = meant[i]!;
    if (row < 0) return;
    rpc.setAttribute("href", `#rpc-${rows.xid(row)}${nth > 1 ? `.${nth}` : ""}`);
    // What was found after the RPC had ended, its row does not know.
    const finding = rpc.closest(".finding"), severity = finding ? severityNumber(severityOf(finding)) : 0;
    worst[row] = Math.max(worst[row]!, severity);
  });
}

function hrefAfter(link: Element | null, start: string): string {
  return link?.getAttribute("href")?.slice(start.length) ?? "";
}

/** The row that each clue means, -1 for none, and how many of its XID there are up to it. It goes through the rows once. */
export function rowsForClues(rows: Rows, clues: Clue[]): { row: number; nth: number }[] {
  const same = new Map<number, number[]>(clues.map(({ xid }) => [xid, []]));
  const xids = rows.numbers("xid");
  for (let i = 0; i < rows.length; i++) same.get(xids[i]!)?.push(i);
  return clues.map((clue) => {
    const list = same.get(clue.xid)!;
    const row = rowForClue(rows, list, clue);
    return { row, nth: list.indexOf(row) + 1 };
  });
}

/**
 * Of rows with one XID that on the clue's connection whose call ends or whose reply begins with the
 * frame, else the last whose call came before it, else the first.
 */
function rowForClue(rows: Rows, list: number[], { connection, frame, file }: Clue): number {
  const [connections, calls, replies, files, replyFiles] =
    ["connection", "frame", "reply_frame", "file", "reply_file"].map((name) => rows.hasColumn(name) ? rows.numbers(name) : undefined);
  let first = -1, before = -1;
  for (const i of list) {
    if (connection > 0 && connections?.[i] !== connection) continue;
    const call = calls?.[i] ?? 0, sameFile = (files?.[i] ?? 0) === file;
    if (call === frame && sameFile || replies?.[i] === frame && (replyFiles?.[i] ?? 0) === file) return i;
    if (first < 0) first = i;
    if (call > 0 && call < frame && sameFile) before = i;
  }
  return before < 0 ? first : before;
}
