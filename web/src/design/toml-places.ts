/**
 * A game's file read in the browser with the place of every value, so that a form can change one value in the text and
 * leave the rest, comments included, as it was typed. Whether the file holds is for the server to say.
 */

export interface Place {
  /** From where to where in the text. */
  from: number;
  to: number;
}

export type Value =
  | (Place & { kind: "text"; text: string })
  | (Place & { kind: "other"; text: string })
  | (Place & { kind: "list"; items: Value[] })
  | Table;

export interface Table extends Place {
  kind: "table";
  entries: Map<string, Value>;
  /** Where each key stands. */
  keys: Map<string, Place>;
}

export class BadToml extends Error {
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

const BARE = /[A-Za-z0-9_-]/;
const ESCAPES: Record<string, string> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", '"': '"', "\\": "\\" };

class Reader {
  at = 0;

  constructor(readonly text: string) {}

  peek(): string {
    return this.text[this.at] ?? "";
  }

  fail(message: string): never {
    throw new BadToml(this.at, message);
  }

  expect(sign: string): void {
    if (!this.text.startsWith(sign, this.at)) this.fail(`expected ${sign}`);
    this.at += sign.length;
  }

  /** Pass over spaces and, where the grammar allows them, ends of lines and comments. */
  blank(lines: boolean): void {
    for (;;) {
      const sign = this.peek();
      if (sign === " " || sign === "\t" || (lines && (sign === "\n" || sign === "\r"))) this.at++;
      else if (lines && sign === "#") this.comment();
      else return;
    }
  }

  comment(): void {
    while (this.at < this.text.length && this.peek() !== "\n") this.at++;
  }

  /** Pass over the rest of a line, in which nothing may stand but a comment. */
  lineEnd(): void {
    this.blank(false);
    if (this.peek() === "#") this.comment();
    if (this.peek() === "\r") this.at++;
    if (this.at < this.text.length) this.expect("\n");
  }

  key(): [string[], Place] {
    const path: string[] = [];
    const from = this.at;
    for (;;) {
      this.blank(false);
      path.push(this.simpleKey());
      const to = this.at;
      this.blank(false);
      if (this.peek() !== ".") return [path, { from, to }];
      this.at++;
    }
  }

  private simpleKey(): string {
    if (this.peek() === '"' || this.peek() === "'") return this.string().text;
    const from = this.at;
    while (BARE.test(this.peek())) this.at++;
    if (from === this.at) this.fail("expected a key");
    return this.text.slice(from, this.at);
  }

  string(): Place & { kind: "text"; text: string } {
    const from = this.at;
    const sign = this.peek();
    const long = this.text.startsWith(sign.repeat(3), from);
    const end = long ? sign.repeat(3) : sign;
    this.at += end.length;
    let text = "";
    while (!this.text.startsWith(end, this.at)) {
      const each = this.peek();
      if (!each || (!long && each === "\n")) this.fail("the text has no end");
      this.at++;
      text += each === "\\" && sign === '"' ? this.escape() : each;
    }
    this.at += end.length;
    return { kind: "text", text, from, to: this.at };
  }

  private escape(): string {
    const letter = this.peek();
    this.at++;
    if (letter === "u" || letter === "U") {
      const digits = this.text.slice(this.at, this.at + (letter === "u" ? 4 : 8));
      this.at += digits.length;
      const code = Number.parseInt(digits, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : this.fail("no such character");
    }
    return ESCAPES[letter] ?? "";
  }

  value(): Value {
    const sign = this.peek();
    if (sign === '"' || sign === "'") return this.string();
    if (sign === "[") return this.list();
    if (sign === "{") return this.inlineTable();
    const from = this.at;
    while (this.peek() && !/[\s,\]}#]/.test(this.peek())) this.at++;
    if (from === this.at) this.fail("expected a value");
    return { kind: "other", text: this.text.slice(from, this.at), from, to: this.at };
  }

  private list(): Value {
    const from = this.at++;
    const items: Value[] = [];
    for (;;) {
      this.blank(true);
      if (this.peek() === "]") break;
      items.push(this.value());
      this.blank(true);
      if (this.peek() === ",") this.at++;
      else if (this.peek() !== "]") this.fail("expected , or ]");
    }
    this.at++;
    return { kind: "list", items, from, to: this.at };
  }

  private inlineTable(): Table {
    const made = tableAt(this.at++);
    this.blank(true);
    while (this.peek() !== "}") {
      this.pair(made);
      this.blank(true);
      if (this.peek() === ",") this.at++;
      else if (this.peek() !== "}") this.fail("expected , or }");
      this.blank(true);
    }
    this.at++;
    made.to = this.at;
    return made;
  }

  /** Read a key and its value into a table. */
  pair(table: Table): void {
    const [path, place] = this.key();
    this.expect("=");
    this.blank(false);
    const value = this.value();
    const name = path.pop()!;
    const owner = path.reduce((inner, each) => within(inner, each, place.from), table);
    if (owner.entries.has(name)) this.fail(`${name} is there twice`);
    owner.entries.set(name, value);
    owner.keys.set(name, place);
  }
}

const tableAt = (from: number): Table => ({ kind: "table", entries: new Map(), keys: new Map(), from, to: from });

/** Return the table of that name within another, the last one of a list of tables; one is made if there is none. */
function within(table: Table, name: string, from: number): Table {
  const known = table.entries.get(name);
  const last = known?.kind === "list" ? known.items.at(-1) : known;
  if (last?.kind === "table") return last;
  if (known) throw new BadToml(from, `${name} is no table`);
  const made = tableAt(from);
  table.entries.set(name, made);
  table.keys.set(name, { from, to: from });
  return made;
}

/** Read a file; throw `BadToml` where it is none. */
export function readToml(text: string): Table {
  const reader = new Reader(text);
  const top = tableAt(0);
  let current = top;
  for (;;) {
    reader.blank(true);
    if (reader.at >= text.length) break;
    if (reader.peek() === "[") current = header(reader, top);
    else {
      reader.pair(current);
      current.to = reader.at;
      reader.lineEnd();
    }
  }
  top.to = 0; // what is added to the file itself stands before its tables
  return top;
}

function header(reader: Reader, top: Table): Table {
  const from = reader.at;
  const several = reader.text.startsWith("[[", from);
  reader.expect(several ? "[[" : "[");
  const [path] = reader.key();
  reader.expect(several ? "]]" : "]");
  const to = reader.at;
  reader.lineEnd();
  const name = path.pop()!;
  const owner = path.reduce((inner, each) => within(inner, each, from), top);
  if (!several) return Object.assign(within(owner, name, from), { from, to });
  const made = Object.assign(tableAt(from), { to });
  const list = owner.entries.get(name);
  if (list && list.kind !== "list") throw new BadToml(from, `${name} is no list of tables`);
  if (list) list.items.push(made);
  else {
    owner.entries.set(name, { kind: "list", items: [made], from, to });
    owner.keys.set(name, { from, to });
  }
  return made;
}

/** Return the line, counted from 1, of a place. */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/**
 * Return the line of a key as the server names it, such as wager[3].lines[2].pays; if it is missing there, that of what
 * it belongs to.
 */
export function lineOf(text: string, key: string): number | null {
  let found: Value;
  try {
    found = readToml(text);
  } catch (error) {
    return error instanceof BadToml ? lineAt(text, error.at) : null;
  }
  let at = found.from;
  for (const [, quoted, bare, index] of key.matchAll(/"([^"]*)"|([^.[\]"]+)|\[(\d+)\]/g)) {
    const next: Value | undefined = index
      ? found.kind === "list"
        ? found.items[Number(index) - 1]
        : undefined
      : found.kind === "table"
        ? found.entries.get(quoted ?? bare!)
        : undefined;
    if (!next) break;
    at = index || found.kind !== "table" ? next.from : found.keys.get(quoted ?? bare!)!.from;
    found = next;
  }
  return lineAt(text, at);
}

/** Return the text with what stands at a place replaced. */
export const replaced = (text: string, place: Place, by: string): string =>
  text.slice(0, place.from) + by + text.slice(place.to);

/** Return a string as the file writes it. */
export const quoted = (text: string): string => JSON.stringify(text);
