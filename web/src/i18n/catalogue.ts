/** Texts in the reader's language, from the catalogues in `src/punto/texts`. */
import type findings from "../../../src/punto/texts/en/findings.json";
import type names from "../../../src/punto/texts/en/names.json";
import type pages from "../../../src/punto/texts/en/pages.json";
import { amount } from "./money";

export type Key = keyof typeof pages | keyof typeof names | keyof typeof findings;
export type Language = "en" | "zh";
export type Values = Record<string, unknown>;
type Catalogue = Record<string, string>;

export const LANGUAGES: Record<Language, string> = { en: "English", zh: "中文" };
const STORED = "punto.language";

let language: Language = "en";
let catalogue: Catalogue = {};
const subscribers = new Set<() => void>();

/** Staff's pages have all texts; patrons' pages only those that they can show, so that they load sooner. */
const load: Record<Language, (forPatrons: boolean) => Promise<{ default: Catalogue }>> = {
  en: (forPatrons) => (forPatrons ? import("../generated/texts/en-patrons") : import("../generated/texts/en")),
  zh: (forPatrons) => (forPatrons ? import("../generated/texts/zh-patrons") : import("../generated/texts/zh")),
};

export const currentLanguage = (): Language => language;

/** Call a function whenever another language has been loaded, until the returned function is called. */
export function onLanguageChange(subscriber: () => void): () => void {
  subscribers.add(subscriber);
  return () => subscribers.delete(subscriber);
}

/** Return the language that the reader chose before, or else the one that the browser prefers: `head.js` found it. */
const preferred = (): Language => (document.documentElement.lang === "zh-Hans" ? "zh" : "en");

export async function loadLanguage(wanted: Language = preferred()): Promise<void> {
  catalogue = (await load[wanted](document.body?.dataset.texts === "patrons")).default;
  language = wanted;
  document.documentElement.lang = wanted === "zh" ? "zh-Hans" : "en";
  for (const each of subscribers) each();
}

/** Load a language and remember it for the next visit. */
export async function chooseLanguage(wanted: Language): Promise<void> {
  localStorage.setItem(STORED, wanted);
  await loadLanguage(wanted);
}

/** Fill each `{name}` or `{name:kind}` of a text, as `fill` in `src/punto/texts` does. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)(?::(\w+))?\}/g, (blank, name: string, kind?: string) =>
    name in values ? inWords(kind, values[name]) : blank,
  );
}

function inWords(kind: string | undefined, value: unknown): string {
  if (Array.isArray(value)) {
    return value.map((each) => inWords(kind, each)).join(catalogue["list.separator"]) || (catalogue["list.none"] ?? "");
  }
  if (kind === "quoted") return `'${value}'`;
  if (kind === "money" && typeof value === "number") return amount(value);
  if (kind === "nth" && typeof value === "number") return String(value + 1);
  if (kind === "place" && typeof value === "number") {
    return catalogue[`place.${value}`] ?? fill(catalogue["place.later"] ?? "", { number: value + 1 });
  }
  return (kind && catalogue[`${kind}.${value}`]) || String(value);
}

/** Return the text under a key, with its values. A key that was left out of a page's catalogue is reported. */
export function t(key: Key, values: Values = {}): string {
  if (!(key in catalogue) && "list.none" in catalogue) console.error(`no text for ${key}`);
  return fill(catalogue[key] ?? key, values);
}

/** Return the text under a key that is put together, or undefined if there is none. */
export const textOf = (key: string): string | undefined => catalogue[key];

/** Kinds of things that the server calls by an English name or a code. */
export const KINDS = [
  "wager",
  "game",
  "outcome",
  "phase",
  "winner",
  "provision",
  "act",
  "layout",
  "duty",
  "step",
  "check",
  "finding",
  "stream",
  "shoe",
  "money.account",
  "significant",
  "value",
] as const;
export type Kind = (typeof KINDS)[number];

/** Return the phase of a table as patrons are told. */
export const phaseForPatrons = (phase: string): string => (phase === "idle" ? t("seat.idle") : nameOf("phase", phase));

/** Return what something is called in the reader's language; the server's own name where there is no text for it. */
export function nameOf(kind: Kind, name: string): string {
  return catalogue[`${kind}.${name}`] ?? name;
}
