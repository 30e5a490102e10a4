/** A page that checks receipts, in one file: it can be saved, and then works without a house and without a network. */
import { type Checked, check, NotInOrder } from "./receipt-check";

/** The texts of the page by language; the build puts them in. */
declare const TEXTS: Record<"en" | "zh", Record<string, string>>;

const language = navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
const t = (key: string) => TEXTS[language][key] ?? key;
const find = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const CENTS = new Set(["stake", "settled", "winnings", "commission", "returned"]);

/** The texts of the page by where they stand in it. */
const WORDS: Record<string, string> = {
  title: t("receipt.title"),
  how: t("receipt.how"),
  file: t("receipt.file"),
  text: t("receipt.text"),
  known: t("receipt.known"),
  cosigner: t("receipt.cosigner"),
  check: t("receipt.check"),
};
for (const each of document.querySelectorAll<HTMLElement>("[data-text]")) {
  each.textContent = WORDS[each.dataset.text!]!;
}
document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
document.title = t("receipt.title");

function shown(name: string, value: unknown): string {
  if (name === "at") return new Date(Number(value)).toISOString().replace("T", " ").slice(0, 19);
  if (CENTS.has(name)) return (Number(value) / 100).toFixed(2);
  return Array.isArray(value) ? value.join(" ") : String(value ?? "–");
}

function tell(holds: boolean, said: string, facts: [string, string][] = []): void {
  const place = find("found");
  const heading = document.createElement("h2");
  heading.textContent = said;
  place.className = holds ? "holds" : "fails";
  place.replaceChildren(heading);
  for (const [name, value] of facts) {
    const row = document.createElement("p");
    const label = document.createElement("span");
    label.textContent = name;
    row.append(label, value);
    place.append(row);
  }
}

function facts({ receipt, leaf, size, key, witnessed }: Checked): [string, string][] {
  const of = Object.entries(receipt).map(([name, value]): [string, string] => [
    t(`receipt.field.${name}`),
    shown(name, value),
  ]);
  const log: [string, string][] = [
    [t("receipt.leaf"), `${leaf} / ${size}`],
    [t("receipt.key"), key],
  ];
  return [...of, ...log, ...(witnessed ? [[t("receipt.witness"), "✓"] as [string, string]] : [])];
}

async function look(): Promise<void> {
  const [text, key, witness] = ["text", "known", "cosigner"].map((id) => find<HTMLInputElement>(id).value.trim());
  try {
    tell(true, t("receipt.holds"), facts(await check(text!, key!, witness!)));
  } catch (error) {
    const why = error instanceof NotInOrder ? error.message : "form";
    tell(false, t(`receipt.fails.${why}`));
  }
}

async function take(file: File | undefined): Promise<void> {
  if (!file) return;
  find<HTMLTextAreaElement>("text").value = await file.text();
  await look();
}

find("check").addEventListener("click", () => void look());
find("file").addEventListener("change", (event) => void take((event.target as HTMLInputElement).files?.[0]));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  void take(event.dataTransfer?.files[0]);
});
