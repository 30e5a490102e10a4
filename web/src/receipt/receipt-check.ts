/**
 * The check of a receipt as docs/receipts.md describes it, computed here and not asked of the house.
 *
 * It needs no network: everything is in the receipt, except the keys that the reader knows from elsewhere.
 */
import { hashes, verify } from "@noble/ed25519";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

hashes.sha512 = sha512;

export interface ReceiptFile {
  format: string;
  key: string;
  salt: string;
  receipt: string;
  proof: string;
}

/** A receipt that is in order. */
export interface Checked {
  receipt: Record<string, string | number | null | string[]>;
  leaf: number;
  size: number;
  key: string;
  /** Whether a witness was asked for; it has cosigned then. */
  witnessed: boolean;
}

export class NotInOrder extends Error {}

const BASE45 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
const PREFIX = "PUNTO1:";
const LOG_KEY = 1;
const WITNESS_KEY = 4;

function need(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new NotInOrder(otherwise);
}

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
const same = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((each, at) => each === other[at]);

/** Read a receipt's file, or the text of its QR code. */
export async function read(text: string): Promise<ReceiptFile> {
  const written = text.startsWith(PREFIX) ? await unpacked(text.slice(PREFIX.length).replace(/[\r\n]+$/, "")) : text;
  const file = JSON.parse(written) as ReceiptFile;
  const fields = [file?.format, file?.key, file?.salt, file?.receipt, file?.proof];
  need(fields.every((each) => typeof each === "string") && file.format === "punto-receipt-1", "form");
  return file;
}

async function unpacked(text: string): Promise<string> {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 3) {
    const digits = [...text.slice(at, at + 3)].map((each) => BASE45.indexOf(each));
    need(digits.length > 1 && digits.every((each) => each >= 0), "form");
    const value = digits.reduceRight((sum, digit) => 45 * sum + digit, 0);
    need(value < 256 ** (digits.length - 1), "form");
    if (digits.length === 3) bytes.push(value >> 8);
    bytes.push(value & 255);
  }
  const packed = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(packed).text();
}

/** Check a receipt; throws `NotInOrder`, or another error of what cannot be read. Empty keys are not asked for. */
export async function check(text: string, key: string, witness: string): Promise<Checked> {
  const file = await read(text);
  need(!key || key === file.key, "key");
  const end = file.proof.indexOf("\n\n");
  const [heading, place = "", ...path] = file.proof.slice(0, end).split("\n");
  const note = file.proof.slice(end + 2);
  need(end > 0 && heading === "c2sp.org/tlog-proof@v1" && /^index \d+$/.test(place), "form");
  checkSigned(file.key, note, LOG_KEY);
  if (witness) checkSigned(witness, note, WITNESS_KEY);
  const [origin, written = "", root = ""] = note.split("\n");
  const [leaf, size] = [Number(place.slice(6)), Number(written)];
  need(origin === file.key.split("+")[0] && Number.isSafeInteger(size) && leaf < size, "log");
  const entry = concatBytes(Uint8Array.of(0), fromBase64(file.salt), Uint8Array.of(2), utf8ToBytes(file.receipt));
  need(same(rootWith(sha256(entry), leaf, size - 1, path.map(fromBase64)), fromBase64(root)), "leaf");
  return { receipt: JSON.parse(file.receipt), leaf, size, key: file.key, witnessed: Boolean(witness) };
}

/** Check that the owner of a key has signed a note: its text, or as a witness its text with a time. */
function checkSigned(key: string, note: string, kind: number): void {
  const [name = "", , ...rest] = key.trim().split("+");
  const content = fromBase64(rest.join("+"));
  const id = sha256(concatBytes(utf8ToBytes(`${name}\n`), content)).slice(0, 4);
  const end = note.lastIndexOf("\n\n") + 1;
  const text = note.slice(0, end);
  const own = note
    .slice(end + 1)
    .split("\n")
    .map((line) => line.split(" "))
    .filter(([dash, signer]) => dash === "—" && signer === name)
    .map(([, , encoded = ""]) => fromBase64(encoded))
    .filter((signed) => same(signed.slice(0, 4), id));
  need(end > 1 && content[0] === kind && own.length > 0, kind === LOG_KEY ? "signature" : "witness");
  for (const signed of own) {
    const time = new DataView(signed.buffer, 4).getBigUint64(0);
    const message = kind === WITNESS_KEY ? `cosignature/v1\ntime ${time}\n${text}` : text;
    need(verify(signed.slice(-64), utf8ToBytes(message), content.slice(1)), kind === LOG_KEY ? "signature" : "witness");
  }
}

/** Return the root that a tree has by its proof if this leaf is in it (RFC 9162, section 2.1.3.2). */
function rootWith(leaf: Uint8Array, index: number, lastIndex: number, proof: Uint8Array[]): Uint8Array {
  let [node, last, hash] = [index, lastIndex, leaf];
  const half = (value: number) => Math.floor(value / 2);
  for (const each of proof) {
    need(last > 0, "leaf");
    const beside = node % 2 === 1 || node === last;
    hash = sha256(concatBytes(Uint8Array.of(1), ...(beside ? [each, hash] : [hash, each])));
    while (beside && node && node % 2 === 0) [node, last] = [half(node), half(last)];
    [node, last] = [half(node), half(last)];
  }
  need(last === 0, "leaf");
  return hash;
}
