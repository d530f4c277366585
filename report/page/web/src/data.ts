import { inflateSync } from "fflate";
import type { Evidence, Meta, RowsModel, Series, CaptureSeries } from "./model";
import { Rows } from "./rows";

export type * from "./model";

/** Where the blocks are: elements of this type, with their kind in data-kind. */
const blockType = "application/x-rdmacap";

interface Block {
  kind: string;
  first: number;
  count: number;
  element: Element;
}

/** The data of the page, read when they are asked for. */
export class Data {
  /** The description of everything else in the page. */
  readonly meta: Meta;
  /** They are empty until readRows. */
  readonly rows: Rows;
  private readonly blocks: Block[];
  private readonly rowsLeft: Block[];
  private readonly evidenceBlocks: Block[];
  private readonly cache = new Map<Block, Evidence[]>();

  constructor(root: ParentNode) {
    this.blocks = [...root.querySelectorAll(`script[type="${blockType}"]`)].map(blockOf);
    const meta = this.blocks.find((b) => b.kind === "meta");
    if (!meta) throw new Error("the page has no data");
    this.meta = decode(meta) as Meta;
    this.rows = new Rows(this.meta);
    this.rowsLeft = this.blocksOfKind("rows");
    this.evidenceBlocks = this.blocksOfKind("evidence");
  }

  /** Reads some more rows; false if all have been read. */
  readRows(): boolean {
    const b = this.rowsLeft.shift();
    if (b) this.rows.addBlock(decode(b) as RowsModel, b.first, b.count);
    return this.rowsLeft.length > 0;
  }

  /** The item of evidence with that id, from 0. */
  evidence(id: number): Evidence | undefined {
    const b = this.evidenceBlocks.find((b) => b.first <= id && id < b.first + b.count);
    return b && this.evidenceOf(b)[id - b.first];
  }

  /** The number in the page of the finding that an item is of, 0 if there is none. */
  findingNumber(item: Evidence): number {
    const { findings } = this.meta;
    for (let i = 0; i + 1 < findings.length; i += 2) if (findings[i] === item.finding) return findings[i + 1]!;
    return 0;
  }

  /** Goes through all evidence, block by block. It is slow: use it only without an index. */
  async *allEvidence(): AsyncGenerator<[id: number, Evidence]> {
    for (const b of this.evidenceBlocks) {
      const items = this.evidenceOf(b);
      for (let i = 0; i < items.length; i++) yield [b.first + i, items[i]!];
      await pause();
    }
  }

  /** The series of each connection that has one. */
  series(): Series[] {
    return this.blocksOfKind("series").flatMap((b) => decode(b) as Series | Series[]);
  }

  /** What was counted of all connections together, if anything was. */
  captureSeries(): CaptureSeries | undefined {
    const [b] = this.blocksOfKind("whole");
    return b && decode(b) as CaptureSeries;
  }

  private blocksOfKind(kind: string): Block[] {
    return this.blocks.filter((b) => b.kind === kind).sort((a, b) => a.first - b.first);
  }

  private evidenceOf(b: Block): Evidence[] {
    const items = this.cache.get(b) ?? decode(b) as Evidence[];
    this.cache.delete(b); // to the end: the first is the one that is forgotten
    this.cache.set(b, items);
    if (this.cache.size > cachedBlocks) this.cache.delete(this.cache.keys().next().value!);
    return items;
  }
}

/** How many decoded blocks of evidence are cached. */
const cachedBlocks = 16;

function blockOf(element: Element): Block {
  const { kind = "", first = "0", count = "0" } = (element as HTMLElement).dataset;
  return { kind, first: Number(first), count: Number(count), element };
}

function decode(b: Block): unknown {
  return JSON.parse(new TextDecoder().decode(inflateSync(decodeBase64(b.element.textContent ?? ""))));
}

function decodeBase64(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Gives the page the time for what is waiting: scrolling, keys. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}
