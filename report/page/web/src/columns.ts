import type { Data } from "./data";
import type { Lists } from "./lists";
import { ranksOf, type SortKey } from "./order";
import type { Numbers, Rows } from "./rows";
import type { FieldModel } from "./model";
import { severityLabel } from "./severity";
import { plain } from "./text";
import { duration, seconds } from "./units";

/** A column of the list of RPCs. */
export interface Column {
  /** What it is called in the page's style sheet. */
  id: string;
  title: string;
  /** What the title means, if it does not explain itself. */
  doc?: string;
  number?: boolean;
  /** The most characters that are shown, 12 by default. */
  most?: number;
  /** How wide it is, in the width of a digit, if that follows from what is in it. */
  wide?: number;
  text(row: number): string;
  /** What rows are sorted by, undefined: their own order. */
  key(): SortKey | undefined;
}

/** How much wider than a digit the capitals are of which names consist. */
const capitals = 1.1;

const transfers = ["–", "inline", "chunked", "long"];

export function columnsOf({ rows, meta }: Data): Column[] {
  const named = (id: string, title: string, most: number): Column => ({
    id, title, most, wide: Math.max(title.length + 2, Math.min(most, longest(rows.numbers(id), meta.names))) * capitals + 2,
    text: (row) => plain(rows.named(id, row)),
    key: () => {
      const ranks = ranksOf(meta.names);
      return rows.numbers(id).map((name) => ranks[name] ?? 0);
    },
  });
  const several = meta.connections.length > 1;
  // The most important columns are visible in a window of 400 pixels.
  return [
    named("name", "Procedure", 24),
    named("status", "Status", 22),
    {
      id: "latency", title: "Latency", doc: "from the last frame of the call to the first frame of the reply", number: true,
      text: (row) => latencyOf(rows, row), key: () => rows.numbers("latency"),
    },
    {
      id: "severity", title: "Finding", doc: "the worst finding about it; a note only if it is the first of its kind on the connection",
      text: (row) => severityLabel(rows.numbers("severity")[row]!), key: () => rows.numbers("severity"),
    },
    ...(several ? [numberColumn("connection", "Conn.", "number of its connection", rows.numbers("connection"))] : []),
    { id: "no", title: "No.", doc: "in order of completion", number: true, wide: Math.max(7, String(rows.length).length + 2), text: (row) => String(row + 1), key: () => undefined },
    {
      id: "start", title: "Time [s]", doc: "when its first frame was captured, since the start of the capture", number: true,
      text: (row) => seconds(rows.numbers("start")[row]!), key: () => rows.numbers("start"),
    },
    { id: "xid", title: "XID", text: (row) => rows.xid(row), key: () => rows.numbers("xid") },
    {
      id: "travelled", title: "Call, reply", most: 18, doc: "how they were sent",
      text: (row) => `${transferOf(rows, "call", row)}, ${transferOf(rows, "reply", row)}`,
      key: () => {
        const reply = rows.numbers("reply_transfer");
        return rows.numbers("call_transfer").map((call, row) => call * transfers.length + reply[row]!);
      },
    },
    {
      id: "detail", title: "Operations", most: 110,
      text: (row) => plain((rows.text("detail")[row] ?? "").slice(0, 110 + 1)), key: () => rows.text("detail"),
    },
    ...meta.fields.filter((f) => f.title).map((f) => fieldColumn(f, { rows, meta })),
    {
      id: "peers", title: "Requester → responder", most: 34,
      text: (row) => peers(rows, row),
      key: () => Array.from({ length: rows.length }, (_, row) => peers(rows, row)),
    },
    {
      id: "evidence", title: "Bytes", doc: "whether its bytes and ladder are in the page",
      text: (row) => rows.numbers("evidence")[row]! > 0 ? "kept" : "", key: () => rows.numbers("evidence").map((e) => e > 0 ? 1 : 0),
    },
  ];
}

type Source = Pick<Data, "rows" | "meta">;

function numberColumn(id: string, title: string, doc: string, numbers: Numbers, none?: number): Column {
  return {
    id, title, doc, number: true,
    text: (row) => numbers[row] === none || numbers[row] === 0 && title.includes("[B]") ? "–" : String(numbers[row]),
    key: () => numbers,
  };
}

/** The column of a field of filters that has a title. */
function fieldColumn(f: FieldModel, { rows, meta }: Source): Column {
  const list = rows.list(f.column);
  if (list) return listColumn(f, rows.length, list);
  const numbers = rows.numbers(f.column);
  if (f.cell !== "set") return numberColumn(f.column, f.title!, f.doc ?? "", numbers, f.none);
  const sets = meta.sets ?? [], names = new Map((f.values ?? []).map(([name, value]) => [String(value), name]));
  const texts = sets.map((s) => s.map((v) => names.get(String(v)) ?? String(v)).join(", "));
  return {
    id: f.column.replaceAll(".", "_"), title: f.title!, doc: f.doc ?? "", number: f.kind !== "enum",
    text: (row) => plain(texts[numbers[row]!] || "–"),
    key: () => numbers.map((set) => Number(sets[set]?.[0] ?? -1)),
  };
}

/** The column of a field that has few numbers in a row, sorted by the first. */
function listColumn(f: FieldModel, rows: number, list: Lists): Column {
  return {
    id: f.column.replaceAll(".", "_"), title: f.title!, doc: f.doc ?? "", number: true, wide: f.title!.length + 4,
    text: (row) => list.values.slice(list.from(row), list.to(row)).join(", ") || "–",
    key: () => Array.from({ length: rows }, (_, row) => list.from(row) < list.to(row) ? Number(list.values[list.from(row)]) : -1),
  };
}

/** The values of a row for fields with a title, except those that are columns of every page. */
export function factsOf(row: number, data: Source): [title: string, text: string][] {
  return data.meta.fields.filter((f) => f.title && f.cell === "set")
    .map((f): [string, string] => [f.title!, fieldColumn(f, data).text(row)])
    .filter(([, text]) => text !== "–");
}

/** How many characters the longest of the names has that are used. */
function longest(numbers: Numbers, names: string[]): number {
  let most = 0;
  for (const n of new Set(numbers)) most = Math.max(most, plain(names[n] ?? "").length);
  return most;
}

export function latencyOf(rows: Rows, row: number): string {
  const ns = rows.numbers("latency")[row]!;
  return ns < 0 ? "–" : duration(ns);
}

export function transferOf(rows: Rows, half: "call" | "reply", row: number): string {
  return transfers[rows.numbers(`${half}_transfer`)[row]!] ?? "";
}

/** Who called whom. */
export function peers(rows: Rows, row: number): string {
  const c = rows.connection(row);
  if (!c) return "";
  const [from, to] = rows.numbers("reverse")[row] ? [c.server, c.client] : [c.client, c.server];
  return plain(`${from} → ${to}`);
}
