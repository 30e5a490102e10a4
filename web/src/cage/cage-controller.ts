/** The state of the cage: the patron at the desk, flags, debts, and the tables that money goes to. */
import type { ReactiveControllerHost } from "lit";
import * as cage from "../api/cage";
import { lobby } from "../api/tables";
import type { CashFlagShown, Debt, PatronAtCage, PatronStatement } from "../api/types";
import { PageController } from "../controllers/page-controller";
import { RequestStatus } from "../controllers/request-status";
import { t } from "../i18n/catalogue";
import { learnNames } from "../steps/patron-name";

export interface CageState {
  tab: string;
  found: PatronAtCage[] | null;
  patron: PatronAtCage | null;
  statement: PatronStatement | null;
  flags: CashFlagShown[];
  debts: Debt[];
  tables: string[];
}

export class CageController extends PageController<CageState> {
  readonly status: RequestStatus;

  constructor(
    host: ReactiveControllerHost,
    private readonly permitted: boolean,
  ) {
    super(host, { tab: "patrons", found: null, patron: null, statement: null, flags: [], debts: [], tables: [] });
    this.status = new RequestStatus(host);
  }

  override hostConnected(): void {
    if (this.permitted) void this.load();
  }

  private async load(): Promise<void> {
    const [flags, debts, tables] = await Promise.all([cage.cashFlags(), cage.debts(), lobby()]);
    this.change({ flags, debts, tables: tables.map(({ table }) => table) });
  }

  openTab(tab: string): void {
    this.change({ tab });
    this.status.say("");
    void this.load();
  }

  async find(name: string): Promise<void> {
    const found = await this.status.followRequest(cage.findAtCage(name));
    learnNames(Object.fromEntries((found ?? []).map((each) => [each.patron, each.name])));
    if (found) this.change({ found, patron: found.length === 1 ? found[0]! : null, statement: null });
  }

  choose(patron: PatronAtCage): void {
    this.status.say("");
    this.change({ patron, statement: null });
  }

  /** Move money for the patron at the desk; return whether it was done. */
  async move(work: Promise<unknown>): Promise<boolean> {
    if (!(await this.status.followRequest(work, t("pit.done")))) return false;
    this.change({ patron: await cage.atCage(this.state.patron!.patron), statement: null });
    await this.load();
    return true;
  }

  async readStatement(from: number, to: number): Promise<void> {
    const statement = await this.status.followRequest(cage.statement(this.state.patron!.patron, from, to));
    if (statement) this.change({ statement });
  }

  async see(flag: CashFlagShown["flag"]): Promise<void> {
    const flags = await this.status.followRequest(cage.seeFlag(flag));
    if (flags) this.change({ flags });
  }
}
