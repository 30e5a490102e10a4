/** A patron's part in the cut of a shoe: what he contributes is kept in his browser until it is revealed. */
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { ShoeShown } from "../api/types";
import { type Contribution, commitmentTo, cutOf, listOf, MOST_WORDS } from "./shoe-record";

/** What a patron keeps of his part in one shoe. */
interface Kept extends Contribution {
  anchor: string;
  commitment: string;
  /** The list as he found it when it was closed: his proof, should another be published. */
  list?: string;
}

export type Stage = "offered" | "committed" | "reveal" | "altered" | "revealed" | "counts" | "none";

/** Each shoe that he had a part in, and whether he cuts every one. */
interface Book {
  shoes: Record<string, Kept>;
  always: boolean;
  words: string;
}

const MOST_KEPT = 20;

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

  /** The words he chose last. */
  get words(): string {
    return this.book.words;
  }

  agree(words: string, always: boolean): void {
    this.save({ ...this.book, words, always });
  }

  /** How his part in a shoe stands, and what is to be done. */
  stage(shoe: ShoeShown): Stage {
    const kept = this.book.shoes[shoe.shoe];
    const mine = shoe.pledges.find((each) => each.patron === this.patron);
    if (shoe.published || shoe.left_out.includes(this.patron)) return "none";
    if (!shoe.list_closed) return mine && kept?.anchor === shoe.anchor ? "committed" : mine ? "none" : "offered";
    if (!mine || !kept || kept.anchor !== shoe.anchor) return "none";
    if (mine.commitment !== kept.commitment || listOf(shoe.anchor, shoe.pledges) !== shoe.closed_list) return "altered";
    if (kept.list && kept.list !== shoe.closed_list) return "altered";
    if (!mine.nonce) return "reveal";
    if (!shoe.cut) return "revealed";
    return mine.nonce === kept.nonce && cutOf(shoe.closed_list, shoe.pledges) === shoe.cut ? "counts" : "altered";
  }

  /** Whether he once agreed to a cut of this shoe that somebody else spoiled, and so cuts it again. */
  agreedBefore(shoe: ShoeShown): boolean {
    const kept = this.book.shoes[shoe.shoe];
    return kept !== undefined && kept.anchor !== shoe.anchor;
  }

  /** Make a contribution, once for each cut, and the commitment to send for it. */
  contribute(shoe: ShoeShown, words: string): string {
    const kept = this.book.shoes[shoe.shoe];
    if (kept?.anchor === shoe.anchor) return kept.commitment; // pressed twice, or in two windows
    const nonce = bytesToHex(this.random(new Uint8Array(32)));
    const made = { words: bytesToHex(utf8ToBytes(words)), nonce };
    const commitment = commitmentTo(made, shoe.anchor, this.patron);
    this.keep(shoe.shoe, { ...made, anchor: shoe.anchor, commitment });
    return commitment;
  }

  /** The list is closed and in order: it is noted, and this is what he reveals. */
  reveal(shoe: ShoeShown): Contribution {
    const kept = this.book.shoes[shoe.shoe]!;
    this.keep(shoe.shoe, { ...kept, list: shoe.closed_list! });
    return { words: kept.words, nonce: kept.nonce };
  }

  /** The digests he has of a shoe. Whether its record holds them is what only he can check. */
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
