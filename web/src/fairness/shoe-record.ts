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

function digest(purpose: string, ...fields: Field[]): string {
  return bytesToHex(sha256(pack(`punto-shoe-1 ${purpose}`, ...fields)));
}

/** Read hexadecimal digits; a text that has none reads as nothing, so that its check fails. */
const unhex = (text: string) => (/^([0-9a-f]{2})*$/i.test(text) ? hexToBytes(text) : new Uint8Array());

export interface Contribution {
  /** Both in hexadecimal digits. */
  words: string;
  nonce: string;
}

export const MOST_WORDS = 64;

export function commitmentTo({ words, nonce }: Contribution, anchor: string, patron: string): string {
  return digest("contribution", unhex(anchor), patron, unhex(words), unhex(nonce));
}

export type Listed = Pick<PledgeShown, "patron" | "commitment"> & Partial<PledgeShown>;

export function listOf(anchor: string, pledges: readonly Listed[]): string {
  return digest("list", unhex(anchor), ...pledges.flatMap((each) => [each.patron, unhex(each.commitment)]));
}

export function cutOf(list: string, pledges: readonly Listed[]): string {
  return digest("cut", unhex(list), ...pledges.flatMap((each) => [unhex(each.words ?? ""), unhex(each.nonce ?? "")]));
}

/** The record of a shoe that has ended, as the server publishes it. */
export interface ShoeRecord {
  kind: string;
  shoe: string;
  decks: number;
  commitment: string;
  secret: string;
  cut: string;
  cuts: { list: string; patrons: { patron: string; commitment: string; contribution?: string; nonce?: string }[] }[];
  dealt: [number, string][];
}

export type CheckName = "kind" | "commitment" | "contributions" | "list" | "ending" | "cut" | "dealt" | "noted";

export interface Check {
  name: CheckName;
  holds: boolean;
}

/** Run every check of a record; `noted` are digests that the patron kept while the shoe was in use. */
export function verify(record: ShoeRecord, noted: readonly string[]): Check[] {
  const seal = digest("commitment", unhex(record.secret), record.shoe, String(record.decks));
  const all = new Map<CheckName, boolean>([
    ["kind", record.kind === "sealed"],
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
      pledges.every((each) => !each.nonce || commitmentTo(each, anchor, each.patron) === each.commitment),
    );
    check("list", listOf(anchor, pledges) === list);
    check("ending", pledges.every((each) => each.nonce) === (index === record.cuts.length - 1));
    value = cutOf(list, pledges);
  });
  check("cut", record.cuts.length > 0 && value === record.cut);
  const order = orderOf(record.secret, value, record.decks);
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

/** Compute the order of the cards from the secret and the cut. */
function orderOf(secret: string, cut: string, decks: number): string[] {
  const deck = [..."shcd"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));
  const order = Array.from({ length: decks }, () => deck).flat();
  const words = stream(hmac(sha256, unhex(secret), pack("punto-shoe-1 key", unhex(cut))));
  for (let last = order.length - 1; last > 0; last--) {
    const fair = 65536 - (65536 % (last + 1));
    let word = words();
    while (word >= fair) word = words();
    const chosen = word % (last + 1);
    [order[last], order[chosen]] = [order[chosen]!, order[last]!];
  }
  return order;
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
