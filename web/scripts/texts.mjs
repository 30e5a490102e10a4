// The catalogues of the pages: all texts for staff, and for patrons only those that the sources of their pages name.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { entryOf } from "./entries.mjs";

const SUBJECTS = ["irregularities", "findings", "names", "pages"];
const WHOLE_KEY = /["'`]([\w. -]+)["'`]/g;
const PUT_TOGETHER = /`(\w+\.[\w.]*)\$\{/g;
const KIND = /\bnameOf\(\s*"([\w.]+)"/g;

/** Return all texts of a language; refusals stand under `refusal.` and their code. */
function textsOf(root, language) {
  const read = (subject) => JSON.parse(readFileSync(join(root, `src/punto/texts/${language}/${subject}.json`)));
  const refusals = Object.entries(read("refusals")).map(([code, text]) => [`refusal.${code}`, text]);
  return Object.assign(Object.fromEntries(refusals), ...SUBJECTS.map(read));
}

/** Return the sources that pages are made of, as one text. */
async function sourceOf(root, pages) {
  const { metafile } = await build({
    entryPoints: pages.map((page) => join(root, entryOf(page))),
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    outdir: "unused",
    write: false,
    metafile: true,
    external: ["../generated/texts/*"],
    absWorkingDir: root,
  });
  // What is in `access` is shown only where a page has all texts.
  const files = Object.keys(metafile.inputs).filter((each) => /^web\/src\/(?!access\/)/.test(each));
  return files.map((each) => readFileSync(join(root, each), "utf8")).join("\n");
}

/** Return a test for the keys that a source asks for: whole ones, those put together, and names of things. */
function keysIn(source, names) {
  const found = (pattern) => [...source.matchAll(pattern)].map(([, key]) => key);
  const whole = new Set(found(WHOLE_KEY));
  const starts = [...found(PUT_TOGETHER), ...found(KIND).map((kind) => `${kind}.`)];
  return (key) => whole.has(key) || key in names || starts.some((start) => key.startsWith(start));
}

export async function writeTexts(root, patronPages) {
  const out = join(root, "web/src/generated/texts");
  mkdirSync(out, { recursive: true });
  const names = JSON.parse(readFileSync(join(root, "src/punto/texts/en/names.json")));
  const isForPatrons = keysIn(await sourceOf(root, patronPages), names);
  for (const language of ["en", "zh"]) {
    const texts = textsOf(root, language);
    const forPatrons = Object.fromEntries(Object.entries(texts).filter(([key]) => isForPatrons(key)));
    const write = (name, content) =>
      writeFileSync(join(out, `${name}.ts`), `export default ${JSON.stringify(content)} as Record<string, string>;\n`);
    write(language, texts);
    write(`${language}-patrons`, forPatrons);
  }
}
