/** SHA-256 and HMAC. The browser's own are only there on a page that came over HTTPS, and answer later; these always. */

const bits = (root: number) => Math.floor((root % 1) * 2 ** 32);

function primes(count: number): number[] {
  const found: number[] = [];
  for (let each = 2; found.length < count; each++) if (found.every((prime) => each % prime)) found.push(each);
  return found;
}

const PRIMES = primes(64);
const BEGIN = PRIMES.slice(0, 8).map((prime) => bits(Math.sqrt(prime)));
const ADDED = PRIMES.map((prime) => bits(Math.cbrt(prime)));
const BLOCK = 64;

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** The message, a one, zeros, and its length in bits, in whole blocks. */
function padded(message: Uint8Array): DataView {
  const room = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  room.set(message);
  room[message.length] = 0x80;
  const view = new DataView(room.buffer);
  view.setUint32(room.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(room.length - 4, (message.length * 8) >>> 0);
  return view;
}

function schedule(view: DataView, from: number): number[] {
  const words = Array.from({ length: 16 }, (_, each) => view.getUint32(from + 4 * each));
  for (let each = 16; each < 64; each++) {
    const [far, near] = [words[each - 15]!, words[each - 2]!];
    const first = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
    const second = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
    words.push((words[each - 16]! + first + words[each - 7]! + second) | 0);
  }
  return words;
}

function mixed(state: readonly number[], words: readonly number[]): number[] {
  let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
  words.forEach((word, each) => {
    const choice = (e & f) ^ (~e & g);
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + ADDED[each]! + word) | 0;
    const most = (a & b) ^ (a & c) ^ (b & c);
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  });
  return [a, b, c, d, e, f, g, h].map((each, place) => (each + state[place]!) | 0);
}

export function sha256(message: Uint8Array): Uint8Array {
  const view = padded(message);
  let state: readonly number[] = BEGIN;
  for (let from = 0; from < view.byteLength; from += BLOCK) state = mixed(state, schedule(view, from));
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, each) => digest.setUint32(4 * each, word));
  return new Uint8Array(digest.buffer);
}

export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const whole = new Uint8Array(BLOCK);
  whole.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(joined(whole.map((each) => each ^ 0x36), message));
  return sha256(joined(whole.map((each) => each ^ 0x5c), inner));
}

export function joined(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, each) => sum + each.length, 0));
  let at = 0;
  for (const each of parts) {
    all.set(each, at);
    at += each.length;
  }
  return all;
}

export const hex = (bytes: Uint8Array) => Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
export const unhex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (each) => parseInt(each, 16));
