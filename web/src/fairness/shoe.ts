/**
 * A sealed shoe as anybody can check it: what docs/fairness.md says, worked out here and not by the house.
 *
 * The page does not take the server's word: it makes the patron's commitment, checks the list before it reveals, and
 * computes the order of the cards anew from what is published.
 */
import type { PledgeShown } from "../generated/api";
import { hex, hmac, joined, sha256, unhex } from "./sha256";

type Field = string | Uint8Array;

const bytesOf = (field: Field) => (typeof field === "string" ? new TextEncoder().encode(field) : field);

function pack(...fields: Field[]): Uint8Array {
  return joined(...fields.flatMap((each) => {
    const bytes = bytesOf(each);
    const length = new DataView(new ArrayBuffer(4));
    length.setUint32(0, bytes.length);
    return [new Uint8Array(length.buffer), bytes];
  }));
}

function digest(purpose: string, ...fields: Field[]): string {
  return hex(sha256(pack(`punto-shoe-1 ${purpose}`, ...fields)));
}

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

/** Every check of a record; `noted` are digests that one wrote down while the shoe was in use. */
export function verify(record: ShoeRecord, noted: readonly string[]): Check[] {
  const seal = digest("commitment", unhex(record.secret), record.shoe, String(record.decks));
  const all = new Map<CheckName, boolean>([["kind", record.kind === "sealed"], ["commitment", seal === record.commitment]]);
  const check = (name: CheckName, holds: boolean) => all.set(name, holds && (all.get(name) ?? true));
  const known = new Set([record.commitment, record.cut]);
  let value = record.commitment;
  record.cuts.forEach(({ patrons, list }, index) => {
    const anchor = value;
    const pledges = patrons.map(({ contribution, ...each }) => ({ ...each, words: contribution ?? "", nonce: each.nonce ?? "" }));
    for (const each of pledges) known.add(each.commitment);
    known.add(list);
    check("contributions", pledges.every((each) => !each.nonce || commitmentTo(each, anchor, each.patron) === each.commitment));
    check("list", listOf(anchor, pledges) === list);
    check("ending", pledges.every((each) => each.nonce) === (index === record.cuts.length - 1));
    value = cutOf(list, pledges);
  });
  check("cut", record.cuts.length > 0 && value === record.cut);
  const order = orderOf(record.secret, value, record.decks);
  check("dealt", record.dealt.every(([position, card]) => order[position] === card));
  if (noted.length) check("noted", noted.every((each) => known.has(each)));
  return [...all].map(([name, holds]) => ({ name, holds }));
}

/** The order of the cards, from the secret and the cut. */
function orderOf(secret: string, cut: string, decks: number): string[] {
  const deck = [..."shcd"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));
  const order = Array.from({ length: decks }, () => deck).flat();
  const words = stream(hmac(unhex(secret), pack("punto-shoe-1 key", unhex(cut))));
  for (let last = order.length - 1; last > 0; last--) {
    const fair = 65536 - (65536 % (last + 1));
    let word = words();
    while (word >= fair) word = words();
    const chosen = word % (last + 1);
    [order[last], order[chosen]] = [order[chosen]!, order[last]!];
  }
  return order;
}

/** Numbers of 16 bits, as many as are asked for. */
function stream(key: Uint8Array): () => number {
  let counter = 0;
  let block: number[] = [];
  return () => {
    if (!block.length) {
      const number = new DataView(new ArrayBuffer(8));
      number.setUint32(4, counter++);
      const made = hmac(key, new Uint8Array(number.buffer));
      block = Array.from({ length: 16 }, (_, each) => 256 * made[2 * each]! + made[2 * each + 1]!);
    }
    return block.shift()!;
  };
}
