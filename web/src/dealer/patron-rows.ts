/** What patrons say and do, recorded by staff: a row for each patron, a button for each answer. */
import { html, nothing, type TemplateResult } from "lit";
import type { NextStep, StaffView } from "../api/types";
import { nameOf, t } from "../i18n/catalogue";
import { amount, parseAmount } from "../i18n/money";
import { mayTake, stepKey, stepLabel } from "../steps/next-step";
import { patronName } from "../steps/patron-name";
import type { DealerController } from "./dealer-controller";

type Wager = StaffView["wagers"][number];
type Shown = TemplateResult | typeof nothing;

/** Tell whether a step is a patron's answer to a differential that is exceeded: lowering or raising a wager. */
const changesWager = ({ command, provision }: NextStep) =>
  (command === "TakeBackWager" || command === "PlaceWager") && Boolean(provision?.startsWith("differential-"));

/** Tell whether a step has its button on a patron's row. */
export const isOnRow = (step: NextStep) => step.on_behalf || changesWager(step);

export function patronRows(dealer: DealerController, view: StaffView): Shown {
  const { positions } = dealer;
  const steps = view.next.filter((each) => isOnRow(each) && mayTake(each, positions));
  const changed = new Set(steps.filter(changesWager).map((each) => each.values.wager));
  const patrons = new Set([
    ...(view.offer?.wagers ?? []).map((each) => each.patron),
    ...steps.flatMap((each) => each.patron ?? []),
    ...view.wagers.filter((each) => changed.has(each.wager)).map((each) => each.patron),
  ]);
  if (!patrons.size) return nothing;
  return html`<table class="answers"><thead><tr><th>${t("dealer.patron")}</th><th>${t("settled.wager")}</th>
      <th>${t("dealer.answer")}</th></tr></thead>
    <tbody>${[...patrons].map((patron) => row(dealer, view, steps, patron))}</tbody></table>`;
}

function row(dealer: DealerController, view: StaffView, steps: readonly NextStep[], patron: string): TemplateResult {
  const offered = view.offer?.wagers.filter((each) => each.patron === patron) ?? [];
  const wagers = offered.length ? offered : view.wagers.filter((each) => each.patron === patron);
  const own = steps.filter((each) => each.patron === patron);
  const changes = steps.filter(changesWager);
  return html`<tr data-patron=${patron}><td>${patronName(patron)}</td><td>${wagers.map(wagerText).join(", ")}</td>
    <td>${offered.length ? html`<span class="said">${answerText(view, patron, offered)}</span>` : nothing}
      <div class="row">${own.map((each) =>
        each.keyed.includes("wagers") ? answers(dealer, view, each, offered) : plain(dealer, each),
      )}
      ${changes.flatMap((each) =>
        view.wagers
          .filter((one) => one.patron === patron && one.wager === each.values.wager)
          .map((one) => change(dealer, each, one)),
      )}</div></td></tr>`;
}

const wagerText = (each: Wager) => `${nameOf("wager", each.wager)} ${amount(each.amount)}`;

function plain(dealer: DealerController, step: NextStep): TemplateResult {
  return html`<button data-command=${step.command} ?disabled=${dealer.isBusy}
    @click=${() => dealer.take(step)}>${stepLabel(step)}</button>`;
}

/** What a patron says to an offer: everything, nothing or, where each wager stands alone, some. */
function answers(dealer: DealerController, view: StaffView, step: NextStep, offered: readonly Wager[]): TemplateResult {
  const answer = (wagers: [number, string][] | null) => dealer.take(step, { wagers });
  const isOpen = dealer.state.openStep === stepKey(step);
  const some = (event: SubmitEvent) => {
    event.preventDefault();
    const chosen = new FormData(event.target as HTMLFormElement).getAll("wager").map(Number);
    void answer(chosen.map((each) => [offered[each]!.position, offered[each]!.wager]));
  };
  return html`<button data-answer="stands" ?disabled=${dealer.isBusy} @click=${() => answer([])}>${t(
    "dealer.answer_nothing",
  )}</button>
    <button data-answer="all" ?disabled=${dealer.isBusy} @click=${() => answer(null)}>${t("dealer.answer_all")}</button>
    ${
      view.offer?.whole || offered.length < 2
        ? nothing
        : html`<button data-answer="some" aria-expanded=${isOpen} @click=${() => dealer.choose(step)}>${t(
            "dealer.answer_some",
          )}</button>`
    }
    ${
      isOpen
        ? html`<form @submit=${some}>${offered.map(
            (each, index) =>
              html`<label class="check"><input type="checkbox" name="wager" value=${index}>${wagerText(each)}</label> `,
          )}<button class="main">${t("dealer.answer_chosen")}</button></form>`
        : nothing
    }`;
}

/** A patron lowers or raises one wager, by an amount. */
function change(dealer: DealerController, step: NextStep, wager: Wager): TemplateResult {
  const key = `${stepKey(step)} ${wager.patron} ${wager.position}`;
  const isOpen = dealer.state.openStep === key;
  const give = (event: SubmitEvent) => {
    event.preventDefault();
    const by = parseAmount(String(new FormData(event.target as HTMLFormElement).get("amount")));
    if (by) void dealer.take(step, { patron: wager.patron, position: wager.position, amount: by });
  };
  const label = t(step.command === "PlaceWager" ? "dealer.raises" : "dealer.lowers", {
    wager: nameOf("wager", wager.wager),
    position: wager.position,
  });
  return html`<button data-answer=${step.command === "PlaceWager" ? "raises" : "lowers"} aria-expanded=${isOpen}
      ?disabled=${dealer.isBusy} @click=${() => dealer.open(key)}>${label}</button>
    ${
      isOpen
        ? html`<form @submit=${give}><label>${t("dealer.by_amount")}<input name="amount" inputmode="decimal"
          autocomplete="off" size="8"></label><button class="main">${label}</button></form>`
        : nothing
    }`;
}

function answerText(view: StaffView, patron: string, offered: readonly Wager[]): string {
  if (view.asked.includes(patron)) return t("dealer.not_answered");
  const lies = (one: Wager) =>
    view.wagers.some((each) => each.patron === patron && each.position === one.position && each.wager === one.wager);
  const back = offered.filter((each) => !lies(each)).reduce((sum, each) => sum + each.amount, 0);
  return back ? t("dealer.took_back", { amount: amount(back) }) : t("dealer.stands");
}
