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
export const isOnRow = (step: NextStep) => step.on_behalf || changesWager(step) || step.command === "CorrectAnswer";

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
      <div class="row">${own.map((each) => {
        if (each.command === "CorrectAnswer") return correction(dealer, each, offered);
        return each.keyed.includes("wagers") ? answers(dealer, view, each, offered) : plain(dealer, each);
      })}
      ${changes.flatMap((each) =>
        view.wagers
          .filter((one) => one.patron === patron && one.wager === each.values.wager)
          .map((one) => change(dealer, each, one)),
      )}</div></td></tr>`;
}

const wagerText = (each: Wager) => `${nameOf("wager", each.wager)} ${amount(each.amount)}`;

const wagerChecks = (offered: readonly Wager[]) =>
  offered.map(
    (each, index) => html`<label class="check"><input type="checkbox" name="wager" value=${index}
      data-wager=${each.wager}>${wagerText(each)}</label> `,
  );

/** Read which of the wagers offered are checked in a form. */
function checkedWagers(form: FormData, offered: readonly Wager[]): [number, string][] {
  return form.getAll("wager").map((each) => {
    const { position, wager } = offered[Number(each)]!;
    return [position, wager];
  });
}

/** What a patron really said, where staff recorded it wrongly, and why it is corrected. */
function correction(dealer: DealerController, step: NextStep, offered: readonly Wager[]): TemplateResult {
  const isOpen = dealer.state.openStep === stepKey(step);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const wagers = form.get("answer") === "all" ? null : checkedWagers(form, offered);
    void dealer.take(step, { wagers, reason: String(form.get("reason")).trim() });
  };
  return html`<button data-answer="correct" aria-expanded=${isOpen} ?disabled=${dealer.isBusy}
      @click=${() => dealer.open(stepKey(step))}>${t("dealer.correct_answer")}</button>
    ${
      isOpen
        ? html`<form @submit=${send}>${
            offered.length
              ? html`<span class="soft">${t("dealer.really_took_back")}</span> ${wagerChecks(offered)}`
              : html`<label>${t("dealer.answer")}<select name="answer">
                  <option value="none">${t("dealer.answer_nothing")}</option>
                  <option value="all">${t("dealer.answer_all")}</option></select></label>`
          }<label>${t("pit.reason")}<input name="reason" required autocomplete="off" maxlength="300"></label>
          <button class="main">${stepLabel(step)}</button></form>`
        : nothing
    }`;
}

function plain(dealer: DealerController, step: NextStep): TemplateResult {
  return html`<button data-command=${step.command} ?disabled=${dealer.isBusy}
    @click=${() => dealer.take(step)}>${stepLabel(step, "row")}</button>`;
}

/** What a patron says to an offer: everything, nothing or, where each wager stands alone, some. */
function answers(dealer: DealerController, view: StaffView, step: NextStep, offered: readonly Wager[]): TemplateResult {
  const answer = (wagers: [number, string][] | null) => dealer.take(step, { wagers });
  const isOpen = dealer.state.openStep === stepKey(step);
  const some = (event: SubmitEvent) => {
    event.preventDefault();
    void answer(checkedWagers(new FormData(event.target as HTMLFormElement), offered));
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
        ? html`<form @submit=${some}>${wagerChecks(offered)}
            <button class="main">${t("dealer.answer_chosen")}</button></form>`
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
