/** A game's file as a form: every change is one value in the text, and the rest stays as it was typed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  formOf,
  shown,
  withLine,
  withoutItem,
  withoutValue,
  withValue,
  withWager,
  written,
} from "../src/design/form-edits";
import { lineOf, quoted, readToml } from "../src/design/toml-places";

const FILE = `# my game
key = "mine" # the key
decks = { min = 6, max = 8 }

[clauses]
"2.1" = { provision = "wager", by = "data", text = "A \\"wager\\" # no comment" }

[[wager]]
name = "One"
clause = "2.1"
lines = [ # the lines
  { when = { winner = "player" }, pays = "1 to 1", clause = "2.1" }, # first
  { outcome = "even", when = { any = [{ cards = 4 }, { cards = [5, 6] }] }, pays = "push", clause = "2.1" },
]
`;

const wager = (text: string, at = 0) => formOf(text)!.wagers[at]!;

test("a form shows wagers, lines, what they pay and what they ask", () => {
  const { name, lines } = wager(FILE);
  assert.equal(name, "One");
  assert.deepEqual(
    lines.map((each) => [each.outcome, each.pays]),
    [
      ["win", "1 to 1"],
      ["even", "push"],
    ],
  );
  assert.equal(shown(lines[0]!.when!.entries.get("winner")!), "player");
  assert.equal(shown(lines[1]!.when!.entries.get("any")!), null);
});

test("a value that is changed changes nothing else", () => {
  const changed = withValue(FILE, wager(FILE).lines[0]!.at, "pays", quoted("2 to 1"));
  assert.equal(changed, FILE.replace("1 to 1", "2 to 1"));
  const named = withValue(FILE, wager(FILE).lines[0]!.at, "outcome", quoted("first"));
  assert.equal(wager(named).lines[0]!.outcome, "first");
  const asked = withValue(FILE, wager(FILE).lines[0]!.when!, "cards", written("4, 5"));
  assert.equal(asked, FILE.replace('winner = "player"', 'winner = "player", cards = [4, 5]'));
  assert.equal(withoutValue(asked, wager(asked).lines[0]!.when!, "cards"), FILE);
  const versioned = withValue(FILE, formOf(FILE)!.top, "version", quoted("2"));
  assert.equal(versioned, `version = "2"\n${FILE}`);
});

test("lines and wagers are added and removed again", () => {
  const longer = withLine(FILE, wager(FILE), "3 to 1", "cards = 4");
  assert.deepEqual(
    wager(longer).lines.map((each) => each.outcome),
    ["win", "even", "line 3"],
  );
  assert.equal(withoutItem(longer, wager(longer).lines[2]!.at), FILE);
  const wider = withWager(FILE, "Two", "5 to 1", "cards = 4");
  assert.equal(wager(wider, 1).name, "Two");
  assert.deepEqual([...readTable(wider).keys()], ["2.1", "2.2", "3.1"]);
  const alone = withoutItem(wider, wager(wider, 0).at);
  assert.deepEqual(
    formOf(alone)!.wagers.map((each) => each.name),
    ["Two"],
  );
});

function readTable(text: string) {
  const clauses = readToml(text).entries.get("clauses");
  assert.equal(clauses?.kind, "table");
  return clauses.kind === "table" ? clauses.entries : new Map();
}

test("the line of a key is found, or of what it is missing from", () => {
  const at = (key: string) => FILE.split("\n")[lineOf(FILE, key)! - 1];
  assert.match(at("wager[1].lines[2].pays")!, /push/);
  assert.match(at("wager[1].lines[1].when.winner")!, /first/);
  assert.match(at("wager[1].area")!, /\[\[wager\]\]/);
  assert.match(at('clauses."2.1".text')!, /provision/);
  assert.equal(lineOf('key = "x"\ntitle = \n', "title"), 2);
});
