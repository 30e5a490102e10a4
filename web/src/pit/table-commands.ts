/** Commands of pit staff at one table, and how the last of them went. */
import type { ReactiveControllerHost, TemplateResult } from "lit";
import { html, nothing } from "lit";
import type { Connection, Order } from "../api/connection";
import { automate } from "../api/pit";
import { readyShoe } from "../api/shoes";
import type { Offered, PitTable, StaffView } from "../api/types";
import { PageController } from "../controllers/page-controller";
import { RequestStatus } from "../controllers/request-status";
import { t } from "../i18n/catalogue";
import { parseAmount } from "../i18n/money";
import { disabledReason } from "../i18n/refusal-text";

export type Limits = NonNullable<StaffView["setting"]>["limits"];

export class TableCommands extends PageController<{ asked: string }> {
  readonly status: RequestStatus;

  /** `about` returns the table as it is known now. */
  constructor(
    host: ReactiveControllerHost,
    private readonly connection: () => Connection,
    private readonly about: () => PitTable,
  ) {
    super(host, { asked: "" });
    this.status = new RequestStatus(host);
  }

  hostConnected(): void {}

  offered(command: string): Offered[] {
    return this.about().management.filter((each) => each.command === command);
  }

  give(command: string, values: object = {}): Promise<boolean> {
    const order = { command, ...values, table: this.about().table } as Order;
    return this.status.followCommand(this.connection().give(order), t("pit.done"));
  }

  /** Change the limits that differ from the known ones; each is typed as a minimum and a maximum. */
  async changeLimits(known: Limits, typed: Record<string, { minimum: string; maximum: string }>): Promise<void> {
    const limits: Limits = {};
    for (const [wager, { minimum: least, maximum: most }] of Object.entries(typed)) {
      const [minimum, maximum] = [parseAmount(least), parseAmount(most)];
      if (minimum === null || maximum === null) return this.status.say(t("money.no_amount"), true);
      if (minimum !== known[wager]?.minimum || maximum !== known[wager]?.maximum) limits[wager] = { minimum, maximum };
    }
    if (Object.keys(limits).length) await this.give("ChangeLimits", { limits });
    else this.status.say(t("pit.no_change"));
  }

  async loadShoe(isSealed: boolean): Promise<void> {
    const { table, number } = this.about();
    const shoe = isSealed ? await this.status.followRequest(readyShoe(table)) : `${table} ${number}`;
    if (shoe) await this.give("LoadShoe", { shoe });
  }

  async automate(step: string, isOn: boolean): Promise<void> {
    const { automatic, table } = this.about();
    const steps = isOn ? [...automatic, step] : automatic.filter((each) => each !== step);
    await this.status.followRequest(automate(table, steps), t("pit.done"));
  }

  /** A button for a command that the reader may give; it is disabled with the reason if it would be refused now. */
  button(offered: Offered | undefined, label: string, give: () => unknown, isMain = false) {
    if (!offered?.mine) return nothing;
    const why = offered.refused ? disabledReason(offered.refused) : "";
    return html`<button class=${isMain ? "main" : ""} title=${why} ?disabled=${Boolean(why) || this.status.busy}
      @click=${give}>${label}</button>`;
  }

  /** A button for what cannot be undone: the first press asks, the second gives the command. */
  carefulButton(offered: Offered | undefined, label: string, command: string) {
    const isAsked = this.state.asked === command;
    const press = () => {
      this.change({ asked: isAsked ? "" : command });
      if (isAsked) void this.give(command);
    };
    return this.button(offered, isAsked ? t("dealer.sure", { what: label }) : label, press);
  }

  /** Drop a question that was not answered. */
  drop(): void {
    this.change({ asked: "" });
  }
}

/** The reason a command cannot be given now, beside its button. */
export const reasonBeside = (why: string): TemplateResult | typeof nothing =>
  why ? html`<span class="soft">${why}</span>` : nothing;
