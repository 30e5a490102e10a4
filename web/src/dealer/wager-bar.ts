/** What is keyed on the felt: the area, the patron, the amount, and what lies there. */
import { html, nothing, type TemplateResult } from "lit";
import type { StaffView } from "../api/types";
import { chip, chipValues } from "../components/chip";
import { t } from "../i18n/catalogue";
import { amount, onChip, short } from "../i18n/money";
import { areaText } from "../steps/next-step";
import { patronLabels, patronName } from "../steps/patron-name";
import type { DealerController } from "./dealer-controller";
import type { Area } from "./wager-entry";

export function wagerBar(dealer: DealerController, view: StaffView): TemplateResult | typeof nothing {
  if (!dealer.takesWagers) return nothing;
  const { picked } = dealer.entry;
  const { refusal } = dealer.state;
  return html`<section class="entry ${picked ? "open" : ""}" aria-label=${t("dealer.felt_entry")}>${
    picked
      ? pickedArea(dealer, view, picked)
      : html`<p class="soft">${t(Object.keys(view.chips).length ? "dealer.tap_area" : "dealer.buy_in_first")}</p>`
  }${refusal ? html`<p class="refused" role="alert">${refusal}</p>` : nothing}</section>`;
}

function pickedArea(dealer: DealerController, view: StaffView, picked: Area): TemplateResult {
  const { entry } = dealer;
  const limits = view.setting?.limits[picked.wager];
  const lies = view.wagers.filter((each) => each.position === picked.position && each.wager === picked.wager);
  return html`<div class="line"><b class="area" role="status">${areaText(picked)}</b>
      ${patronChoice(dealer, view, picked)}
      <output class="amount ${entry.digits ? "" : "soft"}" aria-label=${t("money.amount")}>${
        entry.digits || (limits ? `${short(limits.minimum)}–${short(limits.maximum)}` : "")
      }</output>
      <div class="chips">${chipValues(view.setting?.stake_step ?? 100).map(
        (each) => html`<button class="chip" aria-label=${t("dealer.add_chip", { amount: onChip(each) })}
          @click=${() => dealer.changeEntry(() => entry.addChip(each))}>${chip(each)}</button>`,
      )}</div>
      <button class="main" data-do="next" @click=${() => dealer.changeEntry(() => entry.key("Tab"))}>${t(
        entry.digits ? "dealer.place_and_next" : "dealer.next_area",
      )}<kbd>Enter</kbd></button>
      <button data-do="leave" @click=${() => dealer.changeEntry(() => entry.leave())}>${t("dealer.leave_felt")}
        <kbd>Esc</kbd></button></div>
    ${
      lies.length
        ? html`<div class="line lies">${lies.map(
            (each) => html`<span>${patronName(each.patron)} <b>${amount(each.amount)}</b>
          <button data-do="take-back" @click=${() => dealer.takeBack(each.patron)}>${t(
            entry.amount && entry.amount < each.amount ? "dealer.take_off" : "dealer.take_back",
            { amount: short(entry.amount) },
          )}</button></span>`,
          )}</div>`
        : nothing
    }`;
}

/** Who wagers from a position: the patron last known there, or another one. */
function patronChoice(dealer: DealerController, view: StaffView, { position }: Area): TemplateResult {
  const current = dealer.entry.seats.get(position);
  const choose = (event: Event) => {
    const select = event.target as HTMLSelectElement;
    dealer.seat(position, select.value);
    select.blur(); // digits are for the amount again
  };
  return html`<select name="patron" aria-label=${t("dealer.patron")} aria-invalid=${dealer.entry.lacksPatron}
    @change=${choose}><option value="" disabled ?selected=${!current}>${t("dealer.who_sits", { position })}</option>${[
      ...patronLabels(Object.keys(view.chips)),
    ].map(([label, id]) => html`<option value=${id} ?selected=${id === current}>${label}</option>`)}</select>`;
}
