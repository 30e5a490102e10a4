/** A patron's own limit on what he may lose, and how long he has been here. Both stay in his browser. */
export interface Session {
  began: number;
  /** What he had at the table when it began, and has brought since. */
  brought: number | null;
  taken: number;
  lossLimit: number | null;
}

export class SessionBook {
  session: Session;

  constructor(private readonly store: Storage, private readonly key: string, private readonly now: () => number) {
    const kept = store.getItem(key);
    this.session = kept ? (JSON.parse(kept) as Session) : this.fresh(null);
  }

  /** What he has at the table, known for the first time. */
  has(total: number): void {
    if (this.session.brought === null) this.change({ brought: total });
  }

  broughtIn(amount: number): void {
    this.change({ brought: (this.session.brought ?? 0) + amount });
  }

  tookAway(amount: number): void {
    this.change({ taken: this.session.taken + amount });
  }

  limitLoss(limit: number | null): void {
    this.change({ lossLimit: limit });
  }

  /** Begin anew with what he has now; his limit stays. */
  restart(total: number): void {
    this.session = { ...this.fresh(total), lossLimit: this.session.lossLimit };
    this.save();
  }

  /** What he has won so far, or lost if it is negative. */
  result(total: number): number {
    return total + this.session.taken - (this.session.brought ?? total);
  }

  /** Whether he could lose more than he allows himself, if everything on the layout were lost. */
  forbids(chips: number, amount: number): boolean {
    const { lossLimit } = this.session;
    return lossLimit !== null && -this.result(chips - amount) > lossLimit;
  }

  private fresh(brought: number | null): Session {
    return { began: this.now(), brought, taken: 0, lossLimit: null };
  }

  private change(changed: Partial<Session>): void {
    this.session = { ...this.session, ...changed };
    this.save();
  }

  private save(): void {
    this.store.setItem(this.key, JSON.stringify(this.session));
  }
}
