/** An act that is tried out first: its money is shown, then a person confirms it with a reason and a note. */
import { html, nothing, type ReactiveControllerHost, type TemplateResult } from "lit";
import { askForChips } from "../api/cage";
import type { Order } from "../api/connection";
import { houseSettings } from "../api/house";
import { pageConnection } from "../api/page-connection";
import { previewOf } from "../api/pit";
import type { Preview } from "../api/types";
import { inChips } from "../components/chip-count";
import { PageController } from "../controllers/page-controller";
import { RequestStatus } from "../controllers/request-status";
import { currentLanguage, t } from "../i18n/catalogue";
import { amount, signed } from "../i18n/money";

/** Commands that take neither a reason nor a note. */
const WITHOUT_WORDS = new Set([
  "AcceptDevice",
  "AnswerCall",
  "AnswerWithdrawal",
  "ConfirmAct",
  "DeclineHand",
  "DrawCard",
  "DropAct",
  "ExposeCard",
  "Fill",
  "GiveUpDevice",
  "LookAtCards",
  "PlaceWager",
  "SignOn",
  "TakeBackWager",
]);
/** Commands for which a person always has to say why. */
const NEED_REASON = new Set(["CorrectAnswer", "CorrectRound", "SettleOverlookedWager", "WithdrawReport"]);
/** Commands about a card that the house knows: nobody learns it by trying. */
const WITHOUT_PREVIEW = new Set(["ExposeCard", "NameCard"]);

type Given = Record<string, unknown> & { command: string; table: string };

interface Tried {
  order: Given;
  label: string;
  preview: Preview | null;
}

export class ActPreview extends PageController<{ tried: Tried | null }> {
  readonly status: RequestStatus;

  /** `done` is called with the numbers of the events once the act was carried out, or proposed to a second person. */
  constructor(
    host: ReactiveControllerHost,
    private readonly done: (first: number, last: number, isProposed: boolean) => void = () => {},
  ) {
    super(host, { tried: null });
    this.status = new RequestStatus(host);
  }

  hostConnected(): void {}

  /** Try an act out and show what it would do; it is refused here as it would be when given. */
  async propose(order: Given, label: string): Promise<void> {
    this.drop();
    const preview = WITHOUT_PREVIEW.has(order.command)
      ? null
      : await this.status.followRequest(previewOf(order.table, order, currentLanguage()));
    if (preview || WITHOUT_PREVIEW.has(order.command)) this.change({ tried: { order, label, preview } });
  }

  drop(): void {
    this.change({ tried: null });
  }

  /** The preview with its confirmation; nothing while no act is tried out. */
  view(personName: (id: string) => string) {
    const { tried } = this.state;
    if (!tried) return this.status.view();
    const { order, label, preview } = tried;
    const words = WITHOUT_WORDS.has(order.command)
      ? nothing
      : html`<input name="reason" autocomplete="off" aria-label=${t("pit.reason")} placeholder=${t("pit.reason")}
          maxlength="300" ?required=${NEED_REASON.has(order.command)}>
        <input name="note" autocomplete="off" aria-label=${t("pit.note")} placeholder=${t("pit.note")}
          maxlength="300">`;
    return html`<form class="confirm" aria-label=${label} @submit=${this.confirm}><h4>${label}</h4>
      ${preview ? moneyPreview(preview, personName) : nothing}
      <div class="row">${words}<button class="main confirm" ?disabled=${this.status.busy}>${t("pit.confirm")}</button>
        <button type="button" @click=${() => this.drop()}>${t("pit.cancel")}</button></div></form>
      ${this.status.view()}`;
  }

  private readonly confirm = async (event: SubmitEvent) => {
    event.preventDefault();
    const { tried } = this.state;
    if (!tried) return;
    const form = new FormData(event.target as HTMLFormElement);
    const words = Object.fromEntries(
      ["reason", "note"].map((name) => [name, String(form.get(name) ?? "").trim()]).filter(([, typed]) => typed),
    );
    if (tried.order.command === "Fill") return this.askForFill(tried.order);
    const answer = pageConnection().give({ ...tried.order, ...words } as Order);
    const isProposed = tried.preview?.second_person ?? false;
    if (!(await this.status.followCommand(answer, t(isProposed ? "pit.proposed_now" : "pit.done")))) return;
    const told = await answer;
    this.drop();
    if (told.type === "done") this.done(told.first, told.last, isProposed);
  };

  /** Ask for a fill by slip, as every fill is: another person confirms it. */
  private async askForFill({ table, amount: cents }: Given): Promise<void> {
    const { denominations } = await houseSettings();
    const asked = askForChips("fill", table, inChips(Number(cents), denominations));
    if (await this.status.followRequest(asked, t("slips.asked_now"))) this.drop();
  }
}

type NameOf = (id: string) => string;

/** Show what would be recorded, and every balance that changes, before and after. */
function moneyPreview(preview: Preview, personName: NameOf): TemplateResult {
  const lines = changes(preview, personName);
  return html`<div class="preview">
    ${preview.told.map((each) => html`<p>${each}</p>`)}
    ${preview.clauses.length ? html`<p class="soft">§ ${preview.clauses.join(", ")}</p>` : nothing}
    ${
      lines.length
        ? html`<table><thead><tr><th>${t("pit.preview.of")}</th><th class="num">${t("pit.preview.before")}</th>
            <th class="num">${t("pit.preview.after")}</th><th class="num">${t("pit.preview.change")}</th></tr></thead>
          <tbody>${lines.map(
            ([name, before, after]) => html`<tr><td>${name}</td><td class="num">${amount(before)}</td>
              <td class="num">${amount(after)}</td><td class="num">${signed(after - before)}</td></tr>`,
          )}</tbody></table>`
        : html`<p class="soft">${t("pit.preview.nothing")}</p>`
    }
    ${preview.second_person ? html`<p class="warn">${t("pit.preview.second")}</p>` : nothing}</div>`;
}

function changes({ before, after }: Preview, personName: NameOf): [string, number, number][] {
  const lines: [string, number, number][] = [
    [t("pit.figure.float"), before.float_, after.float_],
    [t("pit.figure.commission"), before.commission, after.commission],
  ];
  for (const now of after.patrons) {
    const then = before.patrons.find((each) => each.patron === now.patron);
    const name = personName(now.patron);
    lines.push(
      [`${name} · ${t("seat.chips")}`, then?.chips ?? 0, now.chips],
      [`${name} · ${t("seat.on_layout")}`, then?.on_layout ?? 0, now.on_layout],
      [`${name} · ${t("pit.owes")}`, then?.owed ?? 0, now.owed],
    );
  }
  return lines.filter(([, then, now]) => then !== now);
}
