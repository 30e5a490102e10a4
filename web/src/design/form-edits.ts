/** What a form shows of a game's file, and changes of one value in its text. */
import { quoted, readToml, replaced, type Table, type Value } from "./toml-places";

export interface FormLine {
  outcome: string;
  pays: string;
  when: Table | null;
  /** What a line without a name is called: a push or a win. */
  named: boolean;
  at: Table;
}

export interface FormWager {
  name: string;
  at: Table;
  lines: FormLine[];
}

export interface Form {
  top: Table;
  wagers: FormWager[];
}

const PUSH = "push";

const textIn = (table: Table, key: string): string => {
  const value = table.entries.get(key);
  return value?.kind === "text" || value?.kind === "other" ? value.text : "";
};

const tablesIn = (table: Table, key: string): Table[] => {
  const value = table.entries.get(key);
  return value?.kind === "list" ? value.items.filter((each) => each.kind === "table") : [];
};

/** Return what a form shows of a file, or null where the file is no TOML. */
export function formOf(text: string): Form | null {
  try {
    const top = readToml(text);
    return { top, wagers: tablesIn(top, "wager").map(wagerOf) };
  } catch {
    return null;
  }
}

function wagerOf(at: Table): FormWager {
  return { name: textIn(at, "name"), at, lines: tablesIn(at, "lines").map(lineOfForm) };
}

function lineOfForm(at: Table): FormLine {
  const [pays, outcome, when] = [textIn(at, "pays"), textIn(at, "outcome"), at.entries.get("when")];
  return {
    outcome: outcome || (pays === PUSH ? PUSH : "win"),
    pays,
    when: when?.kind === "table" ? when : null,
    named: at.entries.has("outcome"),
    at,
  };
}

export const valueText = (text: string, value: Value): string => text.slice(value.from, value.to);

/** Return the text with a key of a table set to what the file shall write there. */
export function withValue(text: string, table: Table, key: string, written: string): string {
  const value = table.entries.get(key);
  if (value) return replaced(text, value, written);
  if (text[table.from] === "{") {
    const last = Math.max(...[...table.entries.values()].map((each) => each.to));
    const empty = table.entries.size === 0;
    const at = empty ? table.from + 1 : last;
    return replaced(text, { from: at, to: at }, empty ? ` ${key} = ${written} ` : `, ${key} = ${written}`);
  }
  const at = table.to;
  return replaced(text, { from: at, to: at }, `${at ? "\n" : ""}${key} = ${written}${at ? "" : "\n"}`);
}

/** Return the text without a key of a table that stands in one line. */
export function withoutValue(text: string, table: Table, key: string): string {
  const value = table.entries.get(key)!;
  let { from } = table.keys.get(key)!;
  let { to } = value;
  const after = /^\s*,[ \t]*/.exec(text.slice(to));
  const before = /,\s*$/.exec(text.slice(0, from));
  if (after) to += after[0].length;
  else if (before) from -= before[0].length;
  return replaced(text, { from, to }, "");
}

/** Return what a typed value is in the file: a number, yes or no, a text, or a list of them. */
export function written(typed: string): string {
  const each = typed
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean)
    .map((one) => (/^(\d+|true|false)$/.test(one) ? one : quoted(one)));
  return each.length === 1 ? each[0]! : `[${each.join(", ")}]`;
}

/** Return how a form shows a value that `written` can write, or null for one that only the text can hold. */
export function shown(value: Value): string | null {
  if (value.kind === "table") return null;
  if (value.kind !== "list") return value.text;
  const each = value.items.map(shown);
  return each.includes(null) || value.items.some((one) => one.kind === "list") ? null : each.join(", ");
}

/** Return the text without an item of a list, and the comma and the line that were its own. */
export function withoutItem(text: string, item: Table): string {
  const inline = text[item.from] === "{";
  let { from, to } = item;
  if (inline) {
    const after = /^[ \t]*,/.exec(text.slice(to));
    if (after) to += after[0].length;
    const line = /\n[ \t]*$/.exec(text.slice(0, from));
    if (line && /^[ \t]*\n/.test(text.slice(to))) from -= line[0].length;
    return replaced(text, { from, to }, "");
  }
  const end = /^[ \t]*(#[^\n]*)?\n?/.exec(text.slice(to));
  return replaced(text, { from, to: to + (end?.[0].length ?? 0) }, "");
}

/** Return the text with another line at the end of a wager's. */
export function withLine(text: string, wager: FormWager, pays: string, when: string): string {
  const lines = wager.at.entries.get("lines");
  const clause = wager.lines.at(-1)?.at.entries.get("clause") ?? wager.at.entries.get("clause");
  const cited = clause?.kind === "text" ? quoted(clause.text) : '""';
  const names = new Set(wager.lines.map((each) => each.outcome));
  let number = wager.lines.length + 1;
  while (names.has(`line ${number}`)) number++;
  const outcome = quoted(`line ${number}`);
  const made = `{ outcome = ${outcome}, when = { ${when} }, pays = ${quoted(pays)}, clause = ${cited} }`;
  if (lines?.kind !== "list") return withValue(text, wager.at, "lines", `[\n  ${made},\n]`);
  const last = lines.items.at(-1);
  if (!last) return replaced(text, lines, `[\n  ${made},\n]`);
  const comma = /^[ \t]*,/.exec(text.slice(last.to));
  const at = last.to + (comma?.[0].length ?? 0);
  return replaced(text, { from: at, to: at }, `${comma ? "" : ","}\n  ${made},`);
}

/** Return the number after the last clause of a chapter, such as the second. */
function nextClause(top: Table, chapter: number): string {
  const clauses = top.entries.get("clauses");
  const known = clauses?.kind === "table" ? [...clauses.entries.keys()] : [];
  const last = Math.max(
    0,
    ...known.map((each) => each.split(".").map(Number)).map(([a, b]) => (a === chapter ? b! : 0)),
  );
  return `${chapter}.${last + 1}`;
}

/** Return the text with another wager at its end, and with the two clauses that it cites. */
export function withWager(text: string, name: string, pays: string, when: string): string {
  const { top } = formOf(text)!;
  const [made, paid] = [nextClause(top, 2), nextClause(top, 3)];
  const clauses = top.entries.get("clauses");
  const said = quoted(`${name} is paid as its lines say.`);
  const rows = [
    `${quoted(made)} = { provision = "wager", by = "data", text = ${quoted(`${name} is a wager.`)} }`,
    `${quoted(paid)} = { provision = "settlement", by = "data", text = ${said} }`,
  ].join("\n");
  const block = [
    "",
    "[[wager]]",
    `name = ${quoted(name)}`,
    `clause = ${quoted(made)}`,
    "lines = [",
    `  { when = { ${when} }, pays = ${quoted(pays)}, clause = ${quoted(paid)} },`,
    "]",
    "",
  ].join("\n");
  const grown = text.endsWith("\n") ? text + block : `${text}\n${block}`;
  if (clauses?.kind !== "table") return `${grown}\n[clauses]\n${rows}\n`;
  const at = clauseEnd(clauses);
  return replaced(grown, { from: at, to: at }, `\n${rows}`);
}

/** Return where the last clause ends, whether clauses are lines or tables of their own. */
function clauseEnd(clauses: Table): number {
  return Math.max(clauses.to, ...[...clauses.entries.values()].map((each) => each.to));
}
