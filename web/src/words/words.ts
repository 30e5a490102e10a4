/** Words in the reader's language, from catalogues that are data. */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { RefusedMessage } from "../generated/api";
import type english from "./en.json";
import { amount } from "./money";

export type Key = keyof typeof english;
export type Language = "en" | "zh";
type Values = Record<string, unknown>;
type Catalogue = Record<string, string>;

export const LANGUAGES: Record<Language, string> = { en: "English", zh: "中文" };
const STORED = "punto.language";

let language: Language = "en";
let catalogue: Catalogue = {};
const readers = new Set<() => void>();

const load: Record<Language, () => Promise<Catalogue>> = {
  en: async () => (await import("./en.json")).default,
  // The server says in English why it refuses; in another language it is said here, by its code.
  zh: async () => (await import("./zh")).default,
};

export const spoken = (): Language => language;

/** What the reader chose before, or else what his browser prefers. */
function preferred(): Language {
  const chosen = localStorage.getItem(STORED);
  if (chosen === "en" || chosen === "zh") return chosen;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export async function speak(wanted: Language = preferred()): Promise<void> {
  catalogue = await load[wanted]();
  language = wanted;
  document.documentElement.lang = wanted === "zh" ? "zh-Hans" : "en";
  for (const read of readers) read();
}

export async function choose(wanted: Language): Promise<void> {
  localStorage.setItem(STORED, wanted);
  await speak(wanted);
}

export function fill(sentence: string, values: Values): string {
  return sentence.replace(/\{(\w+)\}/g, (blank, name: string) => (name in values ? String(values[name]) : blank));
}

export function t(key: Key, values: Values = {}): string {
  return fill(catalogue[key] ?? key, values);
}

/** Whether there is a word under this key. */
export const known = (key: string): boolean => key in catalogue;

type Kind = "wager" | "game" | "outcome" | "phase" | "winner" | "hold" | "duty" | "step" | "check" | "finding" | "stream" | "shoe" | "money.account";

/** What the server calls by its English name, in the reader's language; the name itself where there is no word for it. */
export function named(kind: Kind, name: string): string {
  return catalogue[`${kind}.${name}`] ?? name;
}

const AMOUNTS = new Set(["amount", "minimum", "maximum", "chips", "float_", "step"]);
const NAMED = { wager: "wager", phase: "phase", hand: "winner", duty: "duty", lower: "wager", higher: "wager" } as const;

/** A reason that the server gives in words: found by them, with what stands in their blanks. As it is, if nothing fits. */
function reason(why: string): string {
  for (const [key, sentence] of Object.entries(catalogue)) {
    if (!key.startsWith("why.")) continue;
    const parts = key.slice(4).split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const found = new RegExp(`^${parts.join("(.+)")}$`).exec(why);
    if (found) return fill(sentence, Object.fromEntries(found.slice(1).map((each, at) => [at, named("wager", each)])));
  }
  return why;
}

/** Why something was not done. In English the server's own sentence; otherwise by its code, with its values filled in. */
export function because(refused: RefusedMessage): string {
  const sentence = language === "en" ? undefined : catalogue[`refusal.${refused.code}`];
  if (!sentence) return refused.sentence.charAt(0).toUpperCase() + refused.sentence.slice(1);
  const values: Values = { clause: refused.clause ?? "", subject: named("hold", refused.provision ?? "") };
  for (const [name, value] of Object.entries(refused.values ?? {})) {
    if (AMOUNTS.has(name) && typeof value === "number") values[name] = amount(value);
    else if (name in NAMED && typeof value === "string") values[name] = named(NAMED[name as keyof typeof NAMED], value);
    else values[name] = name === "why" ? reason(String(value)) : value;
  }
  const said = fill(sentence, values);
  return refused.clause && !sentence.includes("{clause}") ? `${said}（${refused.clause}）` : said;
}

/** Renders an element anew when the language changes. */
export class Reads implements ReactiveController {
  private readonly read: () => void;
  constructor(host: ReactiveControllerHost) {
    this.read = () => host.requestUpdate();
    host.addController(this);
  }
  hostConnected(): void {
    readers.add(this.read);
  }
  hostDisconnected(): void {
    readers.delete(this.read);
  }
}

/** A time as people of this language write it, by the reader's own clock. */
export function moment(at: number): string {
  return new Date(at).toLocaleString(language === "zh" ? "zh-CN" : "en-GB", { dateStyle: "short", timeStyle: "medium" });
}
