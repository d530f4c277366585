// Makes ../dist/page.js and ../dist/page.css, which Go embeds. With --check it only says whether they
// are what the sources make.
import { readFile, writeFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "../dist");

const { outputFiles } = await build({
  absWorkingDir: here,
  entryPoints: { page: "src/main.ts" },
  outdir: dist,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022", "chrome110", "firefox115", "safari16.4"],
  legalComments: "inline",
  logLevel: "warning",
  write: false,
});
const css = await build({
  absWorkingDir: here,
  entryPoints: { page: "src/page.css" },
  outdir: dist,
  bundle: true,
  minify: true,
  target: ["chrome110", "firefox115", "safari16.4"],
  legalComments: "inline",
  logLevel: "warning",
  write: false,
});

await mkdir(dist, { recursive: true });
let stale = false;
for (const f of [...outputFiles, ...css.outputFiles]) {
  if (process.argv.includes("--check")) {
    const has = await readFile(f.path, "utf8").catch(() => "");
    if (has !== f.text) {
      stale = true;
      console.error(`${f.path} is not what the sources make: run npm run build`);
    }
  } else {
    await writeFile(f.path, f.text);
    console.log(`${f.path}: ${f.contents.length} octets`);
  }
}
process.exitCode = stale ? 1 : 0;
