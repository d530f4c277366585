// Makes what Go embeds: ../dist/page.css, page.js.deflate (the script, compressed), and loader.js, which unpacks it. With
// --check it only says whether they are what the sources make.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateRawSync } from "node:zlib";
import zopfli from "@gfx/zopfli";
import { build } from "esbuild";
import { minify } from "terser";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "../dist");

/** The licence of a package that is bundled: minifying must not lose it. */
async function licence(name) {
  const dir = join(here, "node_modules", name);
  const { version } = JSON.parse(await readFile(join(dir, "package.json"), "utf8"));
  const text = await readFile(join(dir, "LICENSE"), "utf8");
  return `/*! ${name} ${version}\n\n${text.trim().replaceAll("*/", "* /")} */`;
}

/** What esbuild makes of a source. */
async function made(source, banner = {}) {
  const { outputFiles } = await build({
    absWorkingDir: here,
    entryPoints: [source],
    outdir: dist,
    bundle: true,
    minify: true,
    format: "iife",
    target: ["es2022", "chrome110", "firefox115", "safari16.4"],
    banner,
    legalComments: "none",
    logLevel: "warning",
    write: false,
  });
  return Buffer.from(outputFiles[0].contents);
}

/** A script made smaller than esbuild makes it: 4 kB of the page that every report carries. */
async function smaller(script) {
  const { code } = await minify(script.toString(), { ecma: 2020, compress: { passes: 3, keep_fargs: false } });
  return Buffer.from(code);
}

// Where they can be read: the script is compressed.
const bundled = (await Promise.all(["uplot", "fflate", "re2js"].map(licence))).join("\n");
const files = [
  { name: "page.css", contents: await made("src/page.css", { css: bundled }) },
  { name: "loader.js", contents: await made("src/loader.ts") },
  { name: "page.js.deflate", contents: await smaller(await made("src/main.ts")), packed: true },
];

await mkdir(dist, { recursive: true });
for (const { name, contents, packed } of files) {
  const path = join(dist, name);
  if (!process.argv.includes("--check")) {
    // Zopfli makes the same of the same, whatever the version of node, and 5 % less than zlib.
    const written = packed ? await zopfli.deflateAsync(contents, { numiterations: 15 }) : contents;
    await writeFile(path, written);
    console.log(`${path}: ${written.length} bytes`);
    continue;
  }
  const is = await readFile(path).then((b) => (packed ? inflateRawSync(b) : b), () => Buffer.alloc(0));
  if (!is.equals(contents)) {
    console.error(`${path} is not what the sources make: run npm run build`);
    process.exitCode = 1;
  }
}
