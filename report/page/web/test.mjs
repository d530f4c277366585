// Bundles test/*.test.ts and runs them with node --test.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const tests = readdirSync(join(here, "test")).filter((f) => f.endsWith(".test.ts"));
await build({
  absWorkingDir: here,
  entryPoints: tests.map((f) => `test/${f}`),
  outdir: "out",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  loader: { ".json": "json" },
  sourcemap: "inline",
  logLevel: "warning",
});
const { status } = spawnSync(process.execPath,
  ["--enable-source-maps", "--test", ...tests.map((f) => join(here, "out", f.replace(/\.ts$/, ".mjs")))],
  { stdio: "inherit" });
process.exitCode = status ?? 1;
