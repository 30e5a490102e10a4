// Build the pages into the Python package: types from the server's schema, bundles, and a manifest for pages.py.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
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

async function buildPages() {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const { metafile } = await build({
    entryPoints: PAGES.map((page) => join(root, entryOf(page))),
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
  const manifest = {
    scripts: {},
    preload: {},
    style: place("src/page.css"),
    theme: place("src/theme.js"),
    icon: place("src/icons/icon.svg"),
    touch_icon: place("src/icons/maskable-512.png"),
    apps: { en: placeManifest("en"), zh: placeManifest("zh") },
  };
  for (const [file, { entryPoint }] of Object.entries(metafile.outputs)) {
    const page = PAGES.find((each) => entryPoint === entryOf(each));
    if (!page) continue;
    manifest.scripts[page] = basename(file);
    manifest.preload[page] = [...needed(metafile.outputs, file)].map((each) => basename(each));
  }
  for (const file of readdirSync(out)) {
    writeFileSync(join(out, `${file}.gz`), gzipSync(readFileSync(join(out, file)), { level: 9 }));
  }
  writeFileSync(join(out, "pages.json"), JSON.stringify(manifest, null, 1));
  return manifest;
}

/** Print how much a browser fetches for each page the first time, compressed, with one catalogue of texts. */
function weigh(manifest) {
  const sizeOf = (file) => readFileSync(join(out, `${file}.gz`)).length;
  const words = (forPatrons) =>
    Math.max(
      ...readdirSync(out)
        .filter((each) => /^(en|zh)-.*\.js$/.test(each) && each.includes("-patrons") === forPatrons)
        .map(sizeOf),
    );
  for (const page of PAGES) {
    const files = [manifest.scripts[page], ...manifest.preload[page], manifest.style, manifest.theme, manifest.icon];
    const bytes = files.reduce((sum, each) => sum + sizeOf(each), words(PATRON_PAGES.includes(page)));
    console.log(`${page}: ${(bytes / 1024).toFixed(1)} KB gzipped`);
    if (bytes > MOST_FOR_A_TABLE) throw new Error(`${page} is heavier than ${MOST_FOR_A_TABLE} bytes`);
  }
}

await writeTypes();
await writeTexts(root, PATRON_PAGES);
weigh(await buildPages());
