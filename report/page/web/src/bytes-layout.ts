// How bytes are laid out: the runs between the borders of fields, the lines of
// sixteen or eight bytes, and what of long data is folded. It needs no document.

import type { Exhibit, Node } from "./model";

/** Bytes per line, and bytes per line where the window is too narrow for the text beside them. */
const lineWidth = 16;
export const narrowWidth = 8;
/** Lines of a folded run that are shown at its beginning and its end. */
const shownFirst = 2;
const shownLast = 1;
/** A run is folded if it hides at least this many lines. */
const leastFolded = 6;

/** Bytes [start, end) that no field's border divides. */
export interface Run {
  start: number;
  end: number;
  bad: boolean;
}

/** A part of a run that stands on one line. */
export interface Piece {
  run: number;
  start: number;
  end: number;
}

export type Line = { kind: "bytes"; start: number; pieces: Piece[]; bad: boolean };
export type Fold = { kind: "fold"; start: number; end: number; lines: Line[] };

/** parseHex reads hexadecimal digits. */
export function parseHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length >> 1);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(hex.substr(2 * i, 2), 16);
  return bytes;
}

/** runsOf cuts length bytes at every border of a node and of what is bad. */
export function runsOf(length: number, nodes: Node[], bad: [number, number][]): Run[] {
  const cuts = new Set<number>([0, length]);
  const cut = (at: number) => {
    if (at > 0 && at < length) cuts.add(at);
  };
  const walk = (list: Node[]) => {
    for (const [, , start, end, , , children] of list) {
      cut(start);
      cut(end);
      if (children) walk(children);
    }
  };
  walk(nodes);
  for (const [start, end] of bad) {
    cut(start);
    cut(end);
  }
  const at = [...cuts].sort((a, b) => a - b);
  const runs: Run[] = [];
  for (let i = 0; i + 1 < at.length; i++) {
    const start = at[i]!;
    runs.push({ start, end: at[i + 1]!, bad: bad.some(([b, e]) => b <= start && start < e) });
  }
  return runs;
}

/** runAt is the index of the run that byte at is in, -1 if none. */
export function runAt(runs: Run[], at: number): number {
  let low = 0;
  let high = runs.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const run = runs[middle]!;
    if (at < run.start) high = middle - 1;
    else if (at >= run.end) low = middle + 1;
    else return middle;
  }
  return -1;
}

/** linesOf divides runs into lines of so many bytes. */
export function linesOf(length: number, runs: Run[], width: number = lineWidth): Line[] {
  const lines: Line[] = [];
  let run = 0;
  for (let start = 0; start < length; start += width) {
    const end = Math.min(length, start + width);
    const line: Line = { kind: "bytes", start, pieces: [], bad: false };
    let at = start;
    while (at < end) {
      while (runs[run]!.end <= at) run++;
      const next = Math.min(end, runs[run]!.end);
      line.pieces.push({ run, start: at, end: next });
      line.bad ||= runs[run]!.bad;
      at = next;
    }
    lines.push(line);
  }
  return lines;
}

/** foldLines hides the middle of a run that fills many lines; what is at fault
 * is never hidden. */
export function foldLines(lines: Line[]): (Line | Fold)[] {
  const out: (Line | Fold)[] = [];
  for (let i = 0; i < lines.length; ) {
    let next = i + 1;
    const run = lines[i]!.pieces[0]!.run;
    if (lines[i]!.pieces.length === 1 && !lines[i]!.bad) {
      while (next < lines.length && lines[next]!.pieces[0]!.run === run && lines[next]!.pieces.length === 1) next++;
    }
    const hidden = lines.slice(i + shownFirst, next - shownLast);
    if (hidden.length < leastFolded) {
      out.push(...lines.slice(i, next));
    } else {
      out.push(...lines.slice(i, i + shownFirst));
      const end = hidden[hidden.length - 1]!.pieces[0]!.end;
      out.push({ kind: "fold", start: hidden[0]!.start, end, lines: hidden });
      out.push(...lines.slice(next - shownLast, next));
    }
    i = next;
  }
  return out;
}

/** A place in the field tree: the index at each depth. */
export type Path = number[];

/** pathAt is the way to the deepest node that byte at belongs to, the first of
 * several in the same bytes; null if no field has it. */
export function pathAt(nodes: Node[], at: number): Path | null {
  let best: Path | null = null;
  let width = Infinity;
  const walk = (list: Node[], path: Path) => {
    list.forEach(([, , start, end, , , children], i) => {
      const here = [...path, i];
      if (start <= at && at < end) {
        // A node that stands alone, such as a message put together, may lie
        // over others: the narrowest one is the most specific.
        const deeper = best !== null && here.length > best.length;
        if (end - start < width || (end - start === width && deeper && isBelow(best!, here))) {
          best = here;
          width = end - start;
        }
      }
      if (children) walk(children, here);
    });
  };
  walk(nodes, []);
  return best;
}

function isBelow(above: Path, below: Path): boolean {
  return above.every((n, i) => below[i] === n);
}

/** isBad reports whether a node is at fault itself: it has a fault, or it has no
 * children and bytes of it are marked. */
export function isBad([, , start, end, , fault, children]: Node, bad: [number, number][]): boolean {
  if (fault) return true;
  return !children && start < end && bad.some(([b, e]) => b < end && start < e);
}

/** mostSpecificExhibit is the index of the exhibit that identifies the fault most precisely: a message with its
 * fields is more precise than the frame's payload; -1 if nothing is at fault. */
export function mostSpecificExhibit(exhibits: Exhibit[]): number {
  let best = -1;
  let width = Infinity;
  exhibits.forEach((e, i) => {
    if (e.bad.length === 0) return;
    const path = pathAt(e.nodes, e.bad[0]![0]);
    const field = path && fieldAt(e.nodes, path);
    const wide = field ? field[3] - field[2] : e.length + 1;
    if (wide >= width) return;
    best = i;
    width = wide;
  });
  return best;
}

/** fieldAt follows a path. */
export function fieldAt(nodes: Node[], path: Path): Node | undefined {
  let list: Node[] | 0 = nodes;
  let field: Node | undefined;
  for (const i of path) {
    field = (list || [])[i];
    list = field?.[6] ?? 0;
  }
  return field;
}
