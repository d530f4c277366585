import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const tokens = readFileSync("src/tokens.css", "utf8");

/** What a block of tokens.css sets that begins with a selector. */
function set(selector: string, text = tokens): Map<string, string> {
  const from = text.indexOf(selector + " {");
  assert.ok(from >= 0, `${selector} is not in tokens.css`);
  return new Map([...text.slice(from, text.indexOf("}", from)).matchAll(/(--[a-z0-9-]+): ([^;]+);/g)].map((m) => [m[1]!, m[2]!]));
}

const light = set(":root"), chosen = set(':root[data-theme="dark"]'), bySystem = set(':root:not([data-theme="light"])');

test("the dark colours are the same, chosen or by the system, and none is forgotten", () => {
  assert.deepEqual([...chosen], [...bySystem]);
  assert.deepEqual([...chosen.keys()], [...light].filter(([, value]) => /^(#|rgb)/.test(value)).map(([name]) => name));
});

/** How bright a colour is, as WCAG 2.2 defines its relative luminance. */
function luminance(hex: string): number {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((d) => d + d) : hex.slice(1).match(/../g)!;
  const [r, g, b] = digits.map((d) => {
    const c = parseInt(d, 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [dark, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (bright + 0.05) / (dark + 0.05);
}

test("contrast is what WCAG 2.2 asks: 4.5 of text, 3 of what is drawn", () => {
  assert.equal(contrast("#000", "#ffffff"), 21);
  const text = ["ink", "dim", "link", "bad", "warning", "note", "good", "ink-1", "ink-2", "ink-3", "ink-4"].flatMap((c) => [[c, "paper", 4.5], [c, "shade", 4.5]] as const);
  for (const theme of [light, chosen]) {
    for (const [over, under, least] of [...text, ["ink", "bad-shade", 4.5], ["bad", "bad-shade", 4.5], ["ink", "marked", 4.5], ["strong-line", "paper", 3], ["strong-line", "shade", 3]] as const) {
      const is = contrast(theme.get("--" + over)!, theme.get("--" + under)!);
      assert.ok(is >= least, `${theme === light ? "light" : "dark"}: ${over} on ${under} has ${is.toFixed(2)}, less than ${least}`);
    }
  }
});

test("what is on the screen takes its colours, sizes of type and space from the tokens", () => {
  // Points are of paper.
  const others = readdirSync("src").filter((f) => f.endsWith(".css") && !["tokens.css", "page.css", "print.css"].includes(f));
  assert.ok(others.length > 5);
  // Geometry: the ladder's lines, the list that is wider than the text, the menu above what a link leads to.
  const geometry = /calc\(|min\(0px|^scroll-padding/;
  const odd: string[] = [];
  for (const name of others) {
    const text = readFileSync(`src/${name}`, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    for (const [, property, value] of text.matchAll(/^\s*([a-z-]+): ([^;]+);/gm)) {
      const is = `${property}: ${value}`;
      if (geometry.test(is)) continue;
      if (/#[0-9a-f]{3}|\brgb|\bhsl/.test(value!)) odd.push(`${name}: ${is}`);
      if (property === "font-size" && !/^(var\(--[a-z]+\)|1rem|inherit)$/.test(value!)) odd.push(`${name}: ${is}`);
      if (property === "font" && !/^(inherit$|[0-9]* ?var\(--[a-z]+\)|0\.875rem\/1\.45 )/.test(value!)) odd.push(`${name}: ${is}`);
      if (/^(margin|padding|gap)|-gap$/.test(property!) && /\drem/.test(value!)) odd.push(`${name}: ${is}`);
    }
  }
  assert.deepEqual(odd.filter((o) => !o.endsWith("font-size: 6pt")), []);
});
