/**
 * The check of a sealed shoe as docs/fairness.md describes it, computed here and not asked of the house.
 *
 * The page does not take the server's word: it makes the patron's commitment, checks the list before it reveals, and
 * computes the order of the cards from what is published.
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { PledgeShown } from "../api/types";

/** How a shoe's secret gives its order. In the second format the secret holds every word of the shuffle. */
export type ShoeFormat = "punto-shoe-1" | "punto-shoe-2";

type Field = string | Uint8Array;

/** Join fields, each after its length, so that no two lists of fields give the same bytes. */
function pack(...fields: Field[]): Uint8Array {
  const parts = fields.map((each) => (typeof each === "string" ? utf8ToBytes(each) : each));
  return concatBytes(...parts.flatMap((each) => [bigEndian(each.length, 4), each]));
}

function bigEndian(number: number, bytes: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytes));
  view.setUint32(bytes - 4, number);
  return new Uint8Array(view.buffer);
}

function digest(format: ShoeFormat, purpose: string, ...fields: Field[]): string {
  return bytesToHex(sha256(pack(`${format} ${purpose}`, ...fields)));
}

/** Read hexadecimal digits; a text that has none reads as nothing, so that its check fails. */
const unhex = (text: string) => (/^([0-9a-f]{2})*$/i.test(text) ? hexToBytes(text) : new Uint8Array());

export interface Contribution {
  /** Both in hexadecimal digits. */
  words: string;
  nonce: string;
}

export const MOST_WORDS = 64;

export function commitmentTo(
  format: ShoeFormat,
  { words, nonce }: Contribution,
  anchor: string,
  patron: string,
): string {
  return digest(format, "contribution", unhex(anchor), patron, unhex(words), unhex(nonce));
}

export type Listed = Pick<PledgeShown, "patron" | "commitment"> & Partial<PledgeShown>;

export function listOf(format: ShoeFormat, anchor: string, pledges: readonly Listed[]): string {
  return digest(format, "list", unhex(anchor), ...pledges.flatMap((each) => [each.patron, unhex(each.commitment)]));
}

export function cutOf(format: ShoeFormat, list: string, pledges: readonly Listed[]): string {
  const revealed = pledges.flatMap((each) => [unhex(each.words ?? ""), unhex(each.nonce ?? "")]);
  return digest(format, "cut", unhex(list), ...revealed);
}

/** The record of a shoe that has ended, as the server publishes it. */
export interface ShoeRecord {
  format: ShoeFormat;
  kind: string;
  shoe: string;
  decks: number;
  /** Whether the house calls it a shoe without a cut; the first format does not say. */
  without_cut?: boolean;
  commitment: string;
  secret: string;
  cut: string;
  cuts: { list: string; patrons: { patron: string; commitment: string; contribution?: string; nonce?: string }[] }[];
  dealt: [number, string][];
}

export type CheckName =
  | "kind"
  | "commitment"
  | "contributions"
  | "list"
  | "ending"
  | "cut"
  | "cutters"
  | "dealt"
  | "noted";

export interface Check {
  name: CheckName;
  holds: boolean;
}

/** Run every check of a record; `noted` are digests that the patron kept while the shoe was in use. */
export function verify(record: ShoeRecord, noted: readonly string[]): Check[] {
  const { format } = record;
  const seal = digest(format, "commitment", unhex(record.secret), record.shoe, String(record.decks));
  const all = new Map<CheckName, boolean>([
    ["kind", record.kind === "sealed" && (format === "punto-shoe-1" || format === "punto-shoe-2")],
    ["commitment", seal === record.commitment],
  ]);
  const check = (name: CheckName, holds: boolean) => all.set(name, holds && (all.get(name) ?? true));
  const known = new Set([record.commitment, record.cut]);
  let value = record.commitment;
  record.cuts.forEach(({ patrons, list }, index) => {
    const anchor = value;
    const pledges = patrons.map(({ contribution, ...each }) => ({
      ...each,
      words: contribution ?? "",
      nonce: each.nonce ?? "",
    }));
    for (const each of pledges) known.add(each.commitment);
    known.add(list);
    check(
      "contributions",
      pledges.every((each) => !each.nonce || commitmentTo(format, each, anchor, each.patron) === each.commitment),
    );
    check("list", listOf(format, anchor, pledges) === list);
    check("ending", pledges.every((each) => each.nonce) === (index === record.cuts.length - 1));
    value = cutOf(format, list, pledges);
  });
  check("cut", record.cuts.length > 0 && value === record.cut);
  if (format === "punto-shoe-2") {
    const cutters = record.cuts.at(-1)?.patrons.length ?? 0;
    check("cutters", record.without_cut === (cutters === 0));
  }
  const order = orderOf(record, value);
  check(
    "dealt",
    record.dealt.every(([position, card]) => order[position] === card),
  );
  if (noted.length)
    check(
      "noted",
      noted.every((each) => known.has(each)),
    );
  return [...all].map(([name, holds]) => ({ name, holds }));
}

/** Compute the order of the cards from the secret and the cut; of a shoe whose words ran out there is none. */
function orderOf({ format, secret, decks }: ShoeRecord, cut: string): string[] {
  const deck = [..."shcd"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));
  const order = Array.from({ length: decks }, () => deck).flat();
  const words =
    format === "punto-shoe-1"
      ? stream(hmac(sha256, unhex(secret), pack("punto-shoe-1 key", unhex(cut))))
      : covered(unhex(secret), stream(unhex(cut)), 2 * (order.length - 1));
  return shuffled(order, words) ?? [];
}

/** Shuffle cards by words of 16 bits, from a source that returns null when it has no more; null if they ran out. */
export function shuffled(cards: readonly string[], words: () => number | null): string[] | null {
  const order = [...cards];
  for (let last = order.length - 1; last > 0; last--) {
    const fair = 65536 - (65536 % (last + 1));
    let word = words();
    while (word !== null && word >= fair) word = words();
    if (word === null) return null;
    const chosen = word % (last + 1);
    [order[last], order[chosen]] = [order[chosen]!, order[last]!];
  }
  return order;
}

/** Return a source of the secret's own words, each combined with a word of the cut; none if it has another number. */
function covered(secret: Uint8Array, mask: () => number, count: number): () => number | null {
  let at = 0;
  return () => {
    if (secret.length !== 2 * count || at === count) return null;
    const own = 256 * secret[2 * at]! + secret[2 * at + 1]!;
    at += 1;
    return own ^ mask();
  };
}

/** Return a source of 16-bit numbers that are derived from a key. */
function stream(key: Uint8Array): () => number {
  let counter = 0;
  let block: number[] = [];
  return () => {
    if (!block.length) {
      const made = hmac(sha256, key, bigEndian(counter++, 8));
      block = Array.from({ length: 16 }, (_, each) => 256 * made[2 * each]! + made[2 * each + 1]!);
    }
    return block.shift()!;
  };
}
