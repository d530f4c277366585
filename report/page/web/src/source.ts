import { parseAddress } from "./filter/address";
import { Field, FieldSet } from "./filter/field";
import type { Source, Values } from "./filter/match";
import { decode, encode } from "./filter/bytestring";
import { num } from "./filter/span";
import type { Elsewhere, FieldModel, Meta } from "./model";
import { crc32, type Lists } from "./lists";
import type { Rows } from "./rows";

/** The fields that the rows of the page have. */
export function fieldsOf(meta: Meta): FieldSet {
  return new FieldSet(meta.fields.map((m) => new Field(m)), (encoded, expr) => {
    const name = decode(encoded);
    const known = meta.elsewhere?.find((e) => e.names.some((n) => n === name || n.endsWith(".") && name.startsWith(n)));
    if (!known) return "";
    const quoted = "'" + expr.trim().replaceAll("'", "'\\''") + "'";
    return encode(`not in this page; to see it: ${meta.command}${levelOf(known)} -Y `) + quoted;
  });
}

/** The option of read that selects a level. */
export function levelOf({ level }: Elsewhere): string {
  return level ? " --level " + level : "";
}

type ValueReader = (row: number, to: Values) => void;

/** Gives the values of the rows to filters. */
export class RowSource implements Source {
  private readonly readers: ValueReader[];

  constructor(meta: Meta, rows: Rows) {
    this.readers = meta.fields.map((f) => readerOf(f, meta, rows));
  }

  values(field: number, row: number, to: Values): void {
    this.readers[field]!(row, to);
  }
}

function readerOf(f: FieldModel, meta: Meta, rows: Rows): ValueReader {
  if (f.column.startsWith("connection.")) return connectionReader(f.column, meta, rows);
  if (rows.isText(f.column)) {
    const texts = rows.text(f.column), encoded: string[] = [];
    return (row, to) => to.text(encoded[row] ??= encode(texts[row] ?? ""));
  }
  const lists = rows.list(f.column);
  if (lists) return listReader(f, lists, rows);
  const cells = rows.numbers(f.column);
  if (f.cell === "set") {
    const sets = (meta.sets ?? []).map((s) => s.map((v) => num(BigInt(v))));
    return (row, to) => {
      for (const v of sets[cells[row]!] ?? []) to.number(v);
    };
  }
  if (f.cell === "name") {
    const names = meta.names.map(encode);
    return (row, to) => {
      if (cells[row] !== f.none) to.text(names[cells[row]!] ?? "");
    };
  }
  if (f.kind === "time") {
    const start = BigInt(meta.start);
    return (row, to) => {
      if (cells[row] !== f.none) to.number(start + BigInt(cells[row]!));
    };
  }
  return (row, to) => {
    if (cells[row] !== f.none) to.number(cells[row]!);
  };
}

/** Reads the values of a column of lists. */
function listReader(f: FieldModel, lists: Lists, { listTexts }: Rows): ValueReader {
  const { values } = lists;
  const each = (give: (at: number, to: Values) => void, step = 1): ValueReader => (row, to) => {
    for (let i = lists.from(row); i < lists.to(row); i += step) give(i, to);
  };
  if (f.cell === "runs") return each((i, to) => to.numbers(Number(values[i]), Number(values[i + 1])), 2);
  if (f.cell === "list") return each((i, to) => to.number(values[i]!));
  const text = (i: number) => listTexts[Number(values[i])] ?? "";
  if (f.cell === "text") return each((i, to) => to.text(text(i)));
  const hashes: number[] = [];
  return each((i, to) => to.number(hashes[Number(values[i])] ??= crc32(text(i))));
}

/** Reads the addresses or ports of a row's connection. */
function connectionReader(column: string, meta: Meta, rows: Rows): ValueReader {
  const connections = rows.numbers("connection");
  if (column === "connection.ports") {
    const ports = new Map(meta.connections.map((c) => [c.id, [c.client_port, c.server_port]] as const));
    return (row, to) => ports.get(connections[row]!)?.forEach((p) => to.number(p));
  }
  const keys = new Map(meta.connections.map((c) => [
    c.id, [c.client, c.server].map((a) => parseAddress(encode(a))).filter((k) => k !== undefined),
  ] as const));
  return (row, to) => keys.get(connections[row]!)?.forEach((k) => to.address(k));
}
