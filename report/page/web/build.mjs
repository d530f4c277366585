// Makes ../dist/page.js and ../dist/page.css, which Go embeds. With --check it only says whether they
// are what the sources make.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "../dist");

/** The licence of a package that is bundled: minifying must not lose it. */
async function licence(name) {
  const dir = join(here, "node_modules", name);
  const { version } = JSON.parse(await readFile(join(dir, "package.json"), "utf8"));
  const text = await readFile(join(dir, "LICENSE"), "utf8");
  return `/*! ${name} ${version}\n\n${text.trim().replaceAll("*/", "* /")} */`;
}

const script = (await Promise.all(["uplot", "fflate", "re2js"].map(licence))).join("\n"), style = await licence("uplot");

const { outputFiles } = await build({
  absWorkingDir: here,
  entryPoints: ["src/main.ts", "src/page.css"],
  entryNames: "page",
  outdir: dist,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022", "chrome110", "firefox115", "safari16.4"],
  banner: { js: script, css: style },
  legalComments: "none",
  logLevel: "warning",
  write: false,
});

await mkdir(dist, { recursive: true });
for (const f of outputFiles) {
  if (!process.argv.includes("--check")) {
    await writeFile(f.path, f.contents);
    console.log(`${f.path}: ${f.contents.length} octets`);
  } else if (await readFile(f.path, "utf8").catch(() => "") !== f.text) {
    console.error(`${f.path} is not what the sources make: run npm run build`);
    process.exitCode = 1;
  }
}
