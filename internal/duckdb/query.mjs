// Carries out the statements that stand in a file, parted by lines with nothing but a semicolon, and
// prints what each says as JSON: one object a row, and such a line after its last. If a second file
// is named, it has the rows of the last statement, and they are not printed.
// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

const [statements, kept] = process.argv.slice(2);
const rows = kept ?? `${statements}.json`;
const connection = await (await DuckDBInstance.create(':memory:')).connect();
for (const sql of readFileSync(statements, 'utf8').split(/^;$/m)) {
  try {
    await connection.run(`COPY (${sql}) TO '${rows}' (FORMAT json)`);
  } catch (error) {
    console.error(`${sql.trim()}\n${error}`);
    process.exit(1);
  }
  if (kept === undefined && existsSync(rows)) {
    process.stdout.write(readFileSync(rows, 'utf8'));
    rmSync(rows);
  }
  process.stdout.write(';\n');
}
