// Build the pages into the Python package: types from the server's schema, bundles, and a manifest for pages.py.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, transformSync } from "esbuild";
import { entryOf } from "./entries.mjs";
import { writeTexts } from "./texts.mjs";
import { typesFrom } from "./types.mjs";

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(web);
const out = join(root, "src/punto/server/static");
const PAGES = [
  "lobby",
  "seat",
  "tables",
  "display",
  "dealer",
  "pit",
  "cage",
  "audit",
  "school",
  "game",
  "design",
  "history",
  "account",
  "enter",
];
const PATRON_PAGES = JSON.parse(readFileSync(join(web, "src/i18n/patron-pages.json")));
const MOST_FOR_A_TABLE = 200 * 1024;

async function writeTypes() {
  const python = process.env.PUNTO_PYTHON ?? join(root, ".venv/bin/python");
  const schema = execFileSync(python, ["-m", "punto.server.schema"], { cwd: root, maxBuffer: 1 << 26 });
  mkdirSync(join(web, "src/generated"), { recursive: true });
  writeFileSync(join(web, "src/generated/api.ts"), await typesFrom(JSON.parse(schema)));
}

/** Copy a file that is not bundled, under a name with the hash of its content. */
function place(file) {
  const content = readFileSync(join(web, file));
  const [stem, ending] = basename(file).split(".");
  return write(stem, ending, content);
}

/** Return a file as it stands in every page, so that a browser draws the page without asking for more. */
function inlined(file, loader) {
  return transformSync(readFileSync(join(web, file), "utf8"), { loader, minify: true, charset: "utf8" }).code.trim();
}

function write(stem, ending, content) {
  const name = `${stem}-${createHash("sha256").update(content).digest("hex").slice(0, 8)}.${ending}`;
  writeFileSync(join(out, name), content);
  return name;
}

/** Write what a browser needs to install Punto as an app, in one language; return its name. */
function placeManifest(language) {
  const texts = JSON.parse(readFileSync(join(root, `src/punto/texts/${language}/pages.json`)));
  const icon = (file, sizes, purpose = "any") => ({ src: place(`src/icons/${file}`), sizes, purpose });
  const content = JSON.stringify({
    id: "/",
    start_url: "/",
    scope: "/",
    name: texts["app.name"],
    short_name: "Punto",
    description: texts["app.about"],
    lang: language === "zh" ? "zh-Hans" : language,
    display: "standalone",
    background_color: "#0a1f17",
    theme_color: "#07301f",
    icons: [
      icon("icon.svg", "any"),
      icon("icon-192.png", "192x192"),
      icon("icon-512.png", "512x512"),
      icon("maskable-512.png", "512x512", "maskable"),
    ],
  });
  return write(`app-${language}`, "webmanifest", content);
}

/** Return all chunks that a script loads before it runs. */
function needed(outputs, script, seen = new Set()) {
  for (const { path, kind } of outputs[script].imports) {
    if (kind === "import-statement" && !seen.has(path)) {
      seen.add(path);
      needed(outputs, path, seen);
    }
  }
  return seen;
}

/**
 * Bundle one page apart from the others. Chunks that pages share would be dozens of small files, and each costs a
 * browser a request before it draws; code that two pages have in common is small enough to load twice.
 */
async function bundle(page) {
  const { metafile } = await build({
    entryPoints: [join(root, entryOf(page))],
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    minify: true,
    charset: "utf8",
    legalComments: "none",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    outdir: out,
    metafile: true,
    absWorkingDir: root,
    logLevel: "warning",
  });
  return metafile.outputs;
}

/** Write the page that checks receipts as one file, which works without a server and without a network. */
async function writeReceiptPage() {
  const own = (language) => {
    const texts = JSON.parse(readFileSync(join(root, `src/punto/texts/${language}/pages.json`)));
    return Object.fromEntries(Object.entries(texts).filter(([key]) => key.startsWith("receipt.")));
  };
  const { outputFiles } = await build({
    entryPoints: [join(root, entryOf("receipt"))],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    minify: true,
    charset: "utf8",
    legalComments: "none",
    define: { TEXTS: JSON.stringify({ en: own("en"), zh: own("zh") }) },
    logLevel: "warning",
  });
  const script = outputFiles[0].text.trim();
  if (script.includes("</script")) throw new Error("the script of the receipt page would end too early");
  const page = readFileSync(join(web, "src/receipt/receipt.html"), "utf8").replace("/* script */", () => script);
  writeFileSync(join(out, "receipt.html"), page);
}

/** Return the file that a source was built into. */
const fileOf = (outputs, source) => Object.keys(outputs).find((each) => outputs[each].entryPoint === source);

/** Return the name of the built catalogue of each language that a page shows. */
function catalogues(outputs, kind) {
  const built = (language) => fileOf(outputs, `web/src/generated/texts/${language}${kind}.ts`);
  return { en: basename(built("en")), zh: basename(built("zh")) };
}

async function buildPages() {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const manifest = {
    scripts: {},
    preload: {},
    style: inlined("src/page.css", "css"),
    head: inlined("src/head.js", "js"),
    icon: place("src/icons/icon.svg"),
    touch_icon: place("src/icons/maskable-512.png"),
    apps: { en: placeManifest("en"), zh: placeManifest("zh") },
    patron_pages: PATRON_PAGES,
  };
  for (const page of PAGES) {
    const outputs = await bundle(page);
    const script = fileOf(outputs, entryOf(page));
    manifest.scripts[page] = basename(script);
    manifest.preload[page] = [...needed(outputs, script)].map((each) => basename(each));
    manifest.texts = { patrons: catalogues(outputs, "-patrons"), all: catalogues(outputs, "") };
  }
  await writeReceiptPage();
  for (const file of readdirSync(out)) {
    writeFileSync(join(out, `${file}.gz`), gzipSync(readFileSync(join(out, file)), { level: 9 }));
  }
  writeFileSync(join(out, "pages.json"), JSON.stringify(manifest, null, 1));
  return manifest;
}

/** Print how much a browser fetches for each page the first time, compressed, with one catalogue of texts. */
function weigh(manifest) {
  const sizeOf = (file) => readFileSync(join(out, `${file}.gz`)).length;
  const words = (kind) => Math.max(...Object.values(manifest.texts[kind]).map(sizeOf));
  for (const page of PAGES) {
    const files = [manifest.scripts[page], ...manifest.preload[page], manifest.icon];
    const own = words(PATRON_PAGES.includes(page) ? "patrons" : "all") + manifest.style.length + manifest.head.length;
    const bytes = files.reduce((sum, each) => sum + sizeOf(each), own);
    console.log(`${page}: ${(bytes / 1024).toFixed(1)} KB gzipped`);
    if (bytes > MOST_FOR_A_TABLE) throw new Error(`${page} is heavier than ${MOST_FOR_A_TABLE} bytes`);
  }
}

await writeTypes();
await writeTexts(root, PATRON_PAGES);
weigh(await buildPages());
