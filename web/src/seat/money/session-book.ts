/** A patron's session at a table: when it began and what was won or lost since. It is kept in the browser. */
export interface Session {
  began: number;
  /** What the patron had at the table when it began, and has brought since; null before that is known. */
  brought: number | null;
  taken: number;
}

export class SessionBook {
  session: Session;

  constructor(
    private readonly store: Storage,
    private readonly key: string,
    private readonly now: () => number,
  ) {
    const kept = store.getItem(key);
    this.session = kept ? (JSON.parse(kept) as Session) : this.fresh(null);
  }

  /** Take what the patron has at the table as what the session began with, if that is not known yet. */
  has(total: number): void {
    if (this.session.brought === null) this.change({ brought: total });
  }

  broughtIn(amount: number): void {
    this.change({ brought: (this.session.brought ?? 0) + amount });
  }

  tookAway(amount: number): void {
    this.change({ taken: this.session.taken + amount });
  }

  /** Begin another session with what the patron has now. */
  restart(total: number): void {
    this.session = this.fresh(total);
    this.save();
  }

  /** Return what was won at this visit, or lost if it is negative. */
  result(total: number): number {
    return total + this.session.taken - (this.session.brought ?? total);
  }

  private fresh(brought: number | null): Session {
    return { began: this.now(), brought, taken: 0 };
  }

  private change(changed: Partial<Session>): void {
    this.session = { ...this.session, ...changed };
    this.save();
  }

  private save(): void {
    this.store.setItem(this.key, JSON.stringify(this.session));
  }
}
