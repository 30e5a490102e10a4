/** Money at a table: its figures, and the commands that move it. */
import { html, nothing } from "lit";
import type { PitTable } from "../api/types";
import { t } from "../i18n/catalogue";
import { amount, signed } from "../i18n/money";
import { disabledReason } from "../i18n/refusal-text";
import { AMOUNT_FIELD, type AmountCommand, reasonBeside, type TableCommands } from "./table-commands";

const FIGURES = ["opening", "fills", "credits", "drop", "taken_away", "closing", "commission"] as const;
/** A refusal that depends on the amount does not close the form. */
const BY_AMOUNT = "not-enough-float";

export function moneyPanel({ money, rounds }: PitTable, commands: TableCommands) {
  if (!money) return nothing;
  return html`<div class="columns"><dl>${FIGURES.map(
    (each) => html`<dt>${t(`pit.figure.${each}`)}</dt><dd>${amount(money[each])}</dd>`,
  )}
      <dt class="sum">${t("pit.win")}</dt><dd class="sum ${money.win < 0 ? "lost" : "won"}">${signed(money.win)}</dd>
      <dt>${t("pit.hold")}</dt><dd>${money.hold_percent ?? "–"}${
        money.hold ? html` <span class="soft">${money.hold}</span>` : nothing
      }</dd>
      <dt>${t("pit.rounds")}</dt><dd>${rounds}</dd></dl>
    <div class="stack">${amountForm(commands, "Fill")}${amountForm(commands, "Credit")}${amountForm(
      commands,
      "CloseTable",
    )}</div></div>
    <p class="soft">${t("pit.formula")}</p>`;
}

function amountForm(commands: TableCommands, command: AmountCommand) {
  const [offered] = commands.offered(command);
  if (!offered?.mine) return nothing;
  const why = offered.refused && offered.refused.code !== BY_AMOUNT ? disabledReason(offered.refused) : "";
  const field = AMOUNT_FIELD[command];
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    if (await commands.giveAmount(command, String(new FormData(form).get(field)))) form.reset();
  };
  return html`<form class="row" @submit=${send}><label>${t(`pit.ask.${command}`)}<input name=${field}
      inputmode="decimal" autocomplete="off" required></label>
    <button title=${why} ?disabled=${Boolean(why) || commands.status.busy}>${t(`pit.do.${command}`)}</button>
    ${reasonBeside(why)}</form>`;
}
