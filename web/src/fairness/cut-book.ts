/** A patron's part in the cut of a shoe: their contribution is kept in the browser until it is revealed. */
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { ShoeShown } from "../api/types";
import { type Contribution, commitmentTo, cutOf, listOf, MOST_WORDS, type ShoeFormat } from "./shoe-record";

/** What is kept of a patron's part in one shoe. */
interface Kept extends Contribution {
  anchor: string;
  commitment: string;
  /** The list when it was closed: the patron's proof, should another one be published. */
  list?: string;
}

export type Stage = "offered" | "committed" | "reveal" | "altered" | "revealed" | "counts" | "left_out" | "none";

/** The scheme by which a shoe is cut: an answer that does not say is of a house with the first. */
const formatOf = (shoe: ShoeShown): ShoeFormat => (shoe.format as ShoeFormat | undefined) ?? "punto-shoe-1";

/** The shoes that the patron had a part in, and whether they cut every shoe. */
interface Book {
  shoes: Record<string, Kept>;
  always: boolean;
  words: string;
}

const MOST_KEPT = 20;

/** Return what this browser keeps of a patron's part in the shoes of a table. */
export const cutBookOf = (store: Storage, table: string, patron: string | null): CutBook =>
  new CutBook(store, `punto.cut.${patron}.${table}`, patron ?? "", (bytes) => crypto.getRandomValues(bytes));

export class CutBook {
  constructor(
    private readonly store: Storage,
    private readonly key: string,
    private readonly patron: string,
    private readonly random: (bytes: Uint8Array) => Uint8Array,
  ) {}

  /** Read each time: the same patron may have this page open twice. */
  private get book(): Book {
    const kept = this.store.getItem(this.key);
    return kept ? (JSON.parse(kept) as Book) : { shoes: {}, always: false, words: "" };
  }

  get always(): boolean {
    return this.book.always;
  }

  /** The words that the patron chose last. */
  get words(): string {
    return this.book.words;
  }

  agree(words: string, always: boolean): void {
    this.save({ ...this.book, words, always });
  }

  /** Return how the patron's part in a shoe stands. */
  stage(shoe: ShoeShown): Stage {
    const kept = this.book.shoes[shoe.shoe];
    const mine = shoe.pledges.find((each) => each.patron === this.patron);
    if (shoe.published) return "none";
    if (shoe.left_out.includes(this.patron)) return "left_out";
    if (!shoe.list_closed) return mine && kept?.anchor === shoe.anchor ? "committed" : mine ? "none" : "offered";
    if (!mine) return shoe.declined?.includes(this.patron) ? "none" : "left_out";
    if (!kept || kept.anchor !== shoe.anchor) return "none";
    if (mine.commitment !== kept.commitment || listOf(formatOf(shoe), shoe.anchor, shoe.pledges) !== shoe.closed_list)
      return "altered";
    if (kept.list && kept.list !== shoe.closed_list) return "altered";
    if (!mine.nonce) return "reveal";
    if (!shoe.cut) return "revealed";
    const cut = cutOf(formatOf(shoe), shoe.closed_list, shoe.pledges);
    return mine.nonce === kept.nonce && cut === shoe.cut ? "counts" : "altered";
  }

  /** Tell whether the patron agreed to an earlier cut of this shoe, which another patron spoiled. */
  agreedBefore(shoe: ShoeShown): boolean {
    const kept = this.book.shoes[shoe.shoe];
    return kept !== undefined && kept.anchor !== shoe.anchor;
  }

  /** Make a contribution, once for each cut, and return the commitment to it. */
  contribute(shoe: ShoeShown, words: string): string {
    const kept = this.book.shoes[shoe.shoe];
    if (kept?.anchor === shoe.anchor) return kept.commitment; // asked for twice, or in two windows
    const nonce = bytesToHex(this.random(new Uint8Array(32)));
    const made = { words: bytesToHex(utf8ToBytes(words)), nonce };
    const commitment = commitmentTo(formatOf(shoe), made, shoe.anchor, this.patron);
    this.keep(shoe.shoe, { ...made, anchor: shoe.anchor, commitment });
    return commitment;
  }

  /** Note the closed list and return the contribution to reveal. */
  reveal(shoe: ShoeShown): Contribution {
    const kept = this.book.shoes[shoe.shoe]!;
    this.keep(shoe.shoe, { ...kept, list: shoe.closed_list! });
    return { words: kept.words, nonce: kept.nonce };
  }

  /** Return the digests noted of a shoe. Only this patron can check whether its record holds them. */
  noted(shoe: string): string[] {
    const kept = this.book.shoes[shoe];
    return kept ? [kept.commitment, ...(kept.list ? [kept.list] : [])] : [];
  }

  private keep(shoe: string, kept: Kept): void {
    const { book } = this;
    const { [shoe]: _, ...others } = book.shoes;
    const last = Object.entries({ ...others, [shoe]: kept }).slice(-MOST_KEPT);
    this.save({ ...book, shoes: Object.fromEntries(last) });
  }

  private save(book: Book): void {
    this.store.setItem(this.key, JSON.stringify(book));
  }
}

export const tooLong = (words: string) => utf8ToBytes(words).length > MOST_WORDS;
