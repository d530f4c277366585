import type { Evidence, Meta, RowsModel, Series } from "./model";
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
  private readonly evidenceBlocks: Block[];
  private readonly cache = new Map<Block, Promise<Evidence[]>>();

  private constructor(readonly meta: Meta, readonly rows: Rows, private readonly blocks: Block[]) {
    this.evidenceBlocks = blocks.filter((b) => b.kind === "evidence").sort((a, b) => a.first - b.first);
  }

  /** Reads what says what else there is. The rows are empty until readRows. */
  static async open(root: ParentNode): Promise<Data> {
    const blocks = [...root.querySelectorAll(`script[type="${blockType}"]`)].map(blockOf);
    const meta = blocks.find((b) => b.kind === "meta");
    if (!meta) throw new Error("the page has no data");
    const m = await decode(meta) as Meta;
    return new Data(m, new Rows(m), blocks);
  }

  /** Reads all rows, and lets the page live between two blocks. */
  async readRows(progress: (read: number) => void): Promise<void> {
    for (const b of this.blocks.filter((b) => b.kind === "rows").sort((a, b) => a.first - b.first)) {
      this.rows.add(await decode(b) as RowsModel, b.first, b.count);
      progress(this.rows.length);
      await pause();
    }
  }

  /** How many items of evidence there are. */
  get evidenceCount(): number {
    const last = this.evidenceBlocks.at(-1);
    return last ? last.first + last.count : 0;
  }

  /** The item of evidence with that id, from 0. */
  async evidence(id: number): Promise<Evidence | undefined> {
    const b = this.evidenceBlocks.find((b) => b.first <= id && id < b.first + b.count);
    return b && (await this.evidenceOf(b))[id - b.first];
  }

  /** Goes through all evidence, block by block. It is for who has nothing better. */
  async *allEvidence(): AsyncGenerator<[id: number, Evidence]> {
    for (const b of this.evidenceBlocks) {
      const items = await this.evidenceOf(b);
      for (let i = 0; i < items.length; i++) yield [b.first + i, items[i]!];
      await pause();
    }
  }

  /** The series of each connection that has one. */
  async series(): Promise<Series[]> {
    const all: Series[] = [];
    for (const b of this.blocks.filter((b) => b.kind === "series")) {
      const v = await decode(b) as Series | Series[];
      all.push(...(Array.isArray(v) ? v : [v]));
    }
    return all;
  }

  private evidenceOf(b: Block): Promise<Evidence[]> {
    let items = this.cache.get(b);
    if (items) {
      this.cache.delete(b); // to the end: the first is the one that is forgotten
    } else {
      items = decode(b) as Promise<Evidence[]>;
    }
    this.cache.set(b, items);
    if (this.cache.size > cachedBlocks) this.cache.delete(this.cache.keys().next().value!);
    return items;
  }
}

/** Blocks of evidence that are kept decoded. */
const cachedBlocks = 16;

function blockOf(element: Element): Block {
  const { kind = "", first = "0", count = "0" } = (element as HTMLElement).dataset;
  return { kind, first: Number(first), count: Number(count), element };
}

async function decode(b: Block): Promise<unknown> {
  const packed = octetsOf(b.element.textContent ?? "");
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

function octetsOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const octets = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) octets[i] = text.charCodeAt(i);
  return octets;
}

/** Gives the page the time for what is waiting: scrolling, keys. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}
