/**
 * What Go writes into the page, block by block. Times are nanoseconds since the start of the capture,
 * frames are numbers as `rdmacap read` counts them, strings may hold anything that a capture can.
 */

import type { Kind } from "./filter/tables";

export type { Kind };

/** A whole number; one that a double does not hold exactly is a string of decimal digits. */
export type WholeNumber = number | string;

/** A field that the filter of the page knows. */
export interface FieldModel {
  name: string;
  kind: Kind;
  /** Says what the field means, in a few words. */
  doc?: string;
  /** The names of an enum's values, in the order in which they are offered. */
  values?: [name: string, value: WholeNumber][];
  /**
   * The column that has its values. Two are those of the connection:
   * "connection.addresses" (client and server) and "connection.ports".
   */
  column: string;
  /** Stands above a column of it in the list of RPCs, which has none without. "[B]" in it: of bytes. */
  title?: string;
  /**
   * What a cell of the column is: "value" (or nothing) the value itself, "name" an index of meta.names,
   * "set" an index of meta.sets, whose values the field has all. Of a column of lists it is "list" for
   * numbers, "runs" for pairs of the first and the last of numbers that follow one another, "text" for
   * numbers of texts, "hash" for the CRC-32 of these.
   */
  cell?: "value" | "name" | "set" | "list" | "runs" | "text" | "hash";
  /** A cell with this number means that the RPC does not have the field. */
  none?: number;
}

export interface ConnectionModel {
  id: number;
  transport: string;
  client: string;
  server: string;
  client_port: number;
  server_port: number;
  service?: string;
  rpcrdma_version?: number;
  /** Times of its first and last frame. */
  first: number;
  last: number;
  /** How it began and ended, in the words of the JSON contract. */
  setup: "cm" | "mpa" | "inferred";
  closing: "open" | "disconnect" | "reset" | "terminate";
}

/** Fields, or beginnings of them that end in a dot, of a level: "" are RPCs, else it is the word after --level. */
export interface Elsewhere {
  level: string;
  names: string[];
}

export interface Meta {
  title: string;
  version: string;
  /** When the page was made, RFC 3339. */
  made: string;
  /** By turns the key of a finding, as evidence has it, and its number in the page. */
  findings: number[];
  files: string[];
  /** Start of the capture, nanoseconds since 1970, decimal. */
  start: string;
  /** Strings that rows refer to by index. */
  names: string[];
  /** Lists of values that rows refer to by index: the operations of a COMPOUND, its statuses. */
  sets?: WholeNumber[][];
  fields: FieldModel[];
  /** What `rdmacap read -Y` knows and the page does not. */
  elsewhere?: Elsewhere[];
  connections: ConnectionModel[];
  totals: {
    /** RPCs in the capture. */
    rpcs: number;
    /** Those of them that are rows of the page. */
    rows: number;
    /** Those whose bytes are in the page. */
    evidence: number;
    /** Frames and connections of the capture. */
    frames: number;
    connections: number;
  };
  max_size: number;
  /** The command line that shows more, `rdmacap read ...`. */
  command: string;
}

/** A column of a block of rows: a value each, or the one value that all have. */
export type Column<T> = T[] | T;

/** A column of lists: how many values each row has, and all values, or what each has more than the one before. */
export interface ListModel {
  n: Column<number>;
  v?: WholeNumber[];
  d?: WholeNumber[];
}

/** Bytes: as text if all are printable ASCII, else in hexadecimal. */
export type TextModel = string | [hex: string];

export interface RowsModel {
  columns: { [name: string]: Column<number> | Column<string> };
  lists?: { [name: string]: ListModel };
  /** Texts that lists of this block are the first to have; their numbers go on from block to block. */
  texts?: TextModel[];
}

/** What a step of a ladder is. */
export type StepKind =
  | "send" | "send-inv" | "read-request" | "read-data" | "write" | "atomic" | "ack" | "nak" | "rnr"
  | "cm" | "mpa" | "terminate" | "tcp" | "other";

/** One frame of a ladder, or several that follow each other and do the same. */
export interface Step {
  /** Nanoseconds since the ladder's start. */
  t: number;
  /** Nanoseconds from the first frame of the step to its last. */
  lasted?: number;
  /** Frames before it that the ladder does not show. */
  hidden?: number;
  /** Frame, the first of n. */
  f: number;
  /** Index of its file, if there are several. */
  file?: number;
  /** How many frames are folded into this step, if several are. */
  n?: number;
  /** 1 from server to client; from client to server without. */
  d?: 1;
  k: StepKind;
  /** What it is in words: "Send, call 0x… RDMA_MSG 188 bytes". */
  x: string;
  /** Index of the chunk that it moves. */
  c?: number;
  m?: "call" | "reply";
  /** What is abnormal about it: "retransmission", "lost". */
  o?: string;
  /** The rules whose findings are about this frame: "HDR-003b, HDR-014". */
  bad?: string;
  /** The XID of the RPC that it is known to be of, if that is not the ladder's. */
  of?: number;
}

export interface Chunk {
  kind: "read" | "write" | "reply";
  label: string;
  /** Index of the step whose message advertised it, -1 if that is not in the ladder. */
  step: number;
  segments: { handle: number; offset: WholeNumber; length: number; moved: number }[];
}

export interface Ladder {
  client: string;
  server: string;
  /** Nanoseconds since the start of the capture. */
  start: number;
  steps: Step[];
  chunks: Chunk[];
  /** Steps that are not in the page. */
  left_out: number;
}

/** A field of a header: bytes [start, end) of its exhibit. */
export type Node = [
  name: string, value: string, start: number, end: number, key: string, fault: string, children: Node[] | 0,
];

/** Bytes with what they mean. */
export interface Exhibit {
  title: string;
  /** Frame, 0 if the bytes are reassembled from several frames. */
  f: number;
  file?: number;
  /** 1 if the bytes are those of the message that the frame completed, not the whole frame. */
  part?: number;
  /** Hexadecimal; may be fewer than length bytes. */
  octets: string;
  length: number;
  nodes: Node[];
  /** Ranges of bytes at fault, [start, end). */
  bad: [start: number, end: number][];
}

export interface Operation {
  op: string;
  status: string;
  detail: string;
}

/** What the time of an RPC went to, of nanoseconds (-1: not known), and 1 if it is a part of the latency. */
export type Phase = [word: string, name: string, ns: number, of: 0 | 1];

/** All that the page has about an RPC, or about a finding that is of no RPC. */
export interface Evidence {
  /** Row of the RPC, -1 if it is of none. */
  row: number;
  /** Key of the finding in meta.findings, 0 if it is of none. */
  finding: number;
  title: string;
  ops: Operation[] | null;
  /** Where the time of the RPC went, if that is known. */
  phases?: Phase[];
  ladder: Ladder | null;
  exhibits: Exhibit[] | null;
}

/** What was counted of one connection, bin by bin; null where nobody knows. */
export interface Series {
  connection: number;
  /** Start of the first bin, and the width of each, in nanoseconds. */
  from: number;
  width: number;
  columns: {
    granted_min: (number | null)[];
    granted_max: (number | null)[];
    /** Most calls that were without a reply at once. */
    used_max: (number | null)[];
    asked: (number | null)[];
    calls: number[];
    replies: number[];
    /** Bytes of Sends to the server, and to the client. */
    send_in: number[];
    send_out: number[];
    /** Bytes that RDMA Reads, and RDMA Writes, moved. */
    read: number[];
    write: number[];
    retransmissions: number[];
    errors: number[];
  };
}

/** What was counted of all connections together, bin by bin. */
export interface CaptureSeries {
  from: number;
  width: number;
  columns: {
    /** Bytes of Sends, RDMA Reads and RDMA Writes. */
    to_server: number[];
    to_client: number[];
    /** Frames that were sent before, and of those that the capture has the second time only. */
    retransmissions: number[];
    lost: number[];
    naks: number[];
    rnr_naks: number[];
    cnps: number[];
    /** Frames of PFC and PAUSE. */
    pauses: number[];
    /** RPCs whose reply says that they failed. */
    errors: number[];
  };
}
