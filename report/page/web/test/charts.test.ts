import assert from "node:assert/strict";
import { test } from "node:test";
import { binTimes, chartsOf, latencyBins, PointMark, nearest, scatterOf, type Scatter } from "../src/charts-model";
import type { Meta, Series } from "../src/model";
import { Rows } from "../src/rows";
import { Timeline } from "../src/timeline";
import { duration, frameName, hex, size } from "../src/units";

const series: Series = {
  connection: 1,
  from: 1e9,
  width: 500e6,
  columns: {
    granted_min: [32, 32], granted_max: [32, 64], used_max: [1, 2], asked: [128, null],
    calls: [4, 0], replies: [4, 0], send_in: [1000, 0], send_out: [0, 0], read: [0, 0], write: [0, 0],
    retransmissions: [0, 0], errors: [0, 0],
  },
};

test("counts are drawn per second, and what never was is left out", () => {
  assert.deepEqual(binTimes(series), [1, 1.5]);
  const [credits, throughput, calls, trouble] = chartsOf(series);
  assert.deepEqual(credits!.lines.map((l) => l.label), ["granted", "least granted", "most used", "requested"]);
  assert.deepEqual(throughput!.lines.map((l) => [l.label, l.values]), [["Sends to server", [2000, 0]]]);
  assert.deepEqual(calls!.lines.map((l) => l.values[0]), [8, 8]);
  assert.deepEqual(trouble!.lines, []);
  assert.match(trouble!.instead!, /No retransmissions/);
});

function rowsWith(n: number, columns: { [name: string]: number[] }): Rows {
  const rows = new Rows({ totals: { rows: n }, connections: [], names: [], fields: [] } as unknown as Meta);
  rows.addBlock({ columns }, 0, n);
  return rows;
}

test("the scatter has the RPCs of its connection that were replied to, by time", () => {
  const rows = rowsWith(4, {
    connection: [1, 1, 2, 1],
    start: [2e9, -1e9, 0, 5e8], // 2 s, 1 s, 1 s, 1.5 s
    latency: [3e6, 1e6, 1e6, -1],
    severity: [1, 3, 0, 0],
  });
  const s = scatterOf(rows, 1, (row) => row === 0);
  assert.deepEqual(s, { rows: [1, 0], times: [1, 2], latencies: [1, 3], marks: [PointMark.Finding, PointMark.Error] });
});

test("latencies are counted bin by bin", () => {
  const s: Scatter = { rows: [0, 1, 2], times: [1, 1.2, 1.6], latencies: [5, 1, 7], marks: [0, 0, 0] };
  assert.deepEqual(latencyBins(s, series), [
    { from: 1, count: 2, least: 1, median: 1, most: 5 },
    { from: 1.5, count: 1, least: 7, median: 7, most: 7 },
  ]);
});

test("the nearest point is within reach, or there is none", () => {
  const s: Scatter = { rows: [0, 1, 2], times: [1, 2, 3], latencies: [1, 1, 1], marks: [0, 0, 0] };
  const from = (x: number) => (i: number) => Math.abs(s.times[i]! - x);
  assert.equal(nearest(s, 1.5, 3, 0.5, from(2.2)), 1);
  assert.equal(nearest(s, 1.5, 3, 0.1, from(2.5)), -1);
  assert.equal(nearest(s, 9, 10, 5, from(9)), -1);
});

test("the stretch of time stays inside the whole", () => {
  const t = new Timeline([0, 10], 1);
  let changes = 0;
  t.onChange(() => changes++);
  t.zoom(0.5);
  assert.deepEqual(t.range, [2.5, 7.5]);
  t.move(2);
  assert.deepEqual(t.range, [5, 10]);
  t.show([8, 8.1]);
  assert.deepEqual(t.range, [7.550000000000001, 8.55]);
  t.zoom(100);
  assert.ok(t.isWhole);
  t.move(-1);
  assert.equal(changes, 4, "nothing changed at last");
});

test("numbers are written as the command line does", () => {
  assert.equal(duration(43_612_345), "43.6 ms");
  assert.equal(duration(999_999), "1.00 ms");
  assert.equal(duration(2_147_483_648), "2.15 s");
  assert.equal(duration(12), "12 ns");
  assert.equal(size(999), "999");
  assert.equal(size(262_144), "262 k");
  assert.equal(hex(0x1100, 8), "0x00001100");
  assert.equal(hex("13847742422018062336", 16), "0xc02d105d457e7800");
  assert.equal(frameName(12), "12");
  assert.equal(frameName(12, 1), "1.12");
});

test("credits hold while nothing is said", () => {
  const columns = {
    ...series.columns,
    granted_min: [null, 32, null, 64, null], granted_max: [null, 32, null, 64, null], asked: [null, 128, null, null, null],
    used_max: [null, 3, null, 2, null], calls: [0, 3, 0, 0, 0], replies: [0, 1, 0, 2, 0],
  };
  const [credits] = chartsOf({ ...series, columns });
  assert.deepEqual(credits!.lines.map((l) => l.values), [
    [null, 32, 32, 64, 64], [null, 3, 2, 2, 0], [null, 128, 128, 128, 128],
  ]);
  const [without] = chartsOf({ ...series, columns: { ...columns, calls: [0, 0, 0, 0, 0] } });
  assert.deepEqual(without!.lines[1]!.values, [null, 3, null, 2, null], "replies without calls");
});
