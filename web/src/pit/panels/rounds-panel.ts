/** Settled rounds that can still be corrected: by other cards, or by a bet that was overlooked, each with a preview. */
import { css, html, LitElement, nothing } from "lit";
import "../../steps/question-form";
import { holdsOf, receiptPath } from "../../api/pit";
import { signedInPerson } from "../../api/session";
import type { HoldsShown, PitTable, RoundInQuestion, StaffView } from "../../api/types";
import { cardText } from "../../components/card";
import { common } from "../../components/style";
import { LanguageController } from "../../controllers/language-controller";
import { currentLanguage, nameOf, t } from "../../i18n/catalogue";
import { amount } from "../../i18n/money";
import { cardsTyped } from "../../steps/card-keys";
import { learnNames, patronName } from "../../steps/patron-name";
import { ActPreview } from "../act-preview";
import { decisionStyle } from "../hold-style";
import { proposal } from "../proposal";

/** What is put right: the cards of a round, or what lay on its layout. */
type Correcting = "CorrectRound" | "SettleOverlookedWager";

export class PuntoRounds extends LitElement {
  static override properties = {
    about: { attribute: false },
    view: { attribute: false },
    told: { state: true },
    open: { state: true },
    form: { state: true },
    receipt: { state: true },
  };
  declare about: PitTable;
  declare view: StaffView;
  declare private told: HoldsShown | null;
  /** The round whose form is shown; 0 for none. */
  declare private open: number;
  declare private form: Correcting;
  /** The number of the last event of a correction that was just made. */
  declare private receipt: number;
  private readonly act = new ActPreview(this, (_, last, isProposed) => {
    this.receipt = isProposed ? 0 : last;
    this.open = 0;
  });
  private asked = "";

  static override styles = [
    common,
    decisionStyle,
    css`
    :host { display: grid; gap: .6rem; }
    h4 { margin: 0; }
    li.round { display: grid; gap: .4rem; padding: .4rem 0; border-top: 1px solid var(--line); }
    .line { display: flex; gap: .2rem 1rem; flex-wrap: wrap; align-items: center; }
    .line button { margin-left: auto; } .line button + button { margin-left: 0; }
    form.cards { display: flex; gap: .5rem; align-items: end; flex-wrap: wrap; }
    li.laid { border-color: var(--line); }
  `,
  ];

  constructor() {
    super();
    this.told = null;
    this.open = this.receipt = 0;
    this.form = "CorrectRound";
    new LanguageController(this);
  }

  override updated(): void {
    const wanted = `${this.about.table} ${this.about.number} ${currentLanguage()}`;
    if (wanted === this.asked) return;
    this.asked = wanted;
    void this.read();
  }

  private async read(): Promise<void> {
    const told = await holdsOf(this.about.table, currentLanguage());
    learnNames(told.names);
    this.told = told;
  }

  override render() {
    const rounds = this.told?.rounds ?? [];
    const waiting = this.view.proposed ?? [];
    learnNames(this.about.names ?? {});
    return html`<p class="soft">${t("pit.rounds_hint")}</p>
      ${waiting.map(
        (each) =>
          html`<div class="line">${proposal(each, patronName)}${
            each.proposed_by === signedInPerson()?.id
              ? html`<span class="soft">${t("pit.second_waited_for")}</span>`
              : this.second(each.number)
          }</div>`,
      )}
      ${this.act.view(patronName)}
      ${
        this.receipt
          ? html`<p><a href=${receiptPath(this.about.table, this.receipt, currentLanguage())}
              download>${t("pit.receipt")}</a></p>`
          : nothing
      }
      <ul>${rounds.map((each) => this.round(each))}</ul>
      ${rounds.length ? nothing : html`<p class="soft">${t("pit.no_rounds")}</p>`}`;
  }

  private second(act: number) {
    const confirm = () => this.act.propose({ command: "ConfirmAct", act, table: this.about.table }, t("do.ConfirmAct"));
    return html`<button class="main" @click=${confirm}>${t("do.ConfirmAct")}</button>`;
  }

  private round(each: RoundInQuestion) {
    const shown = (cards: RoundInQuestion["player"]) => cards.map(cardText).join(" ");
    return html`<li class="round" data-round=${each.round}><div class="line">
        <b>${t("seat.round", { round: each.round })}</b>
        <span>${nameOf("winner", "player")} ${shown(each.player)}</span>
        <span>${nameOf("winner", "banker")} ${shown(each.banker)}</span>
        ${each.corrected ? html`<span class="soft">${t("pit.was_corrected")}</span>` : nothing}
        ${this.opener(each.round, "CorrectRound")}${this.opener(each.round, "SettleOverlookedWager")}</div>
      ${this.open === each.round ? this.shownForm(each) : nothing}</li>`;
  }

  private opener(round: number, form: Correcting) {
    const isOpen = this.open === round && this.form === form;
    const toggle = () => {
      this.act.drop();
      this.open = isOpen ? 0 : round;
      this.form = form;
    };
    return html`<button aria-expanded=${isOpen} data-do=${form} @click=${toggle}>${t(`pit.do.${form}`)}</button>`;
  }

  private shownForm(each: RoundInQuestion) {
    return html`${this.form === "CorrectRound" ? this.cards(each) : this.overlooked(each.round)}
      <ul>${each.wagers.map(
        (one) => html`<li class="laid"><span>${patronName(one.patron)}</span><span
          class="soft">${t("seat.position")} ${one.position}</span><span>${nameOf("wager", one.wager)}
          <b>${amount(one.stake)}</b></span>
          <span>${t("pit.handed_back", { amount: amount(one.returned) })}</span></li>`,
      )}</ul>`;
  }

  /** A bet that lay there in time and was not recorded, or not all of it. */
  private overlooked(round: number) {
    const asked = (["patron", "position", "wager", "amount"] as const).map((name) => ({
      name,
      kind: name,
      label: t(`field.${name}`),
    }));
    const send = ({ detail }: CustomEvent<Record<string, unknown>>) => {
      const order = { ...detail, command: "SettleOverlookedWager", round, table: this.about.table };
      void this.act.propose(order, t("pit.do.SettleOverlookedWager"));
    };
    return html`<p class="soft">${t("pit.overlooked_hint")}</p>
      <punto-ask .asked=${asked} .view=${this.view} act=${t("pit.try")} @told=${send}></punto-ask>`;
  }

  private cards(each: RoundInQuestion) {
    const send = (event: SubmitEvent) => {
      event.preventDefault();
      const form = new FormData(event.target as HTMLFormElement);
      const [player, banker] = ["player", "banker"].map((name) => cardsTyped(String(form.get(name))));
      if (!player?.length || !banker?.length) return this.act.status.say(t("ask.missing"), true);
      const order = { command: "CorrectRound", round: each.round, player, banker, table: this.about.table };
      void this.act.propose(order, t("pit.do.CorrectRound"));
    };
    const field = (name: "player" | "banker") => html`<label>${t(`field.${name}`)}<input name=${name} autocomplete="off"
      spellcheck="false" value=${each[name].map(([rank, suit]) => `${rank}${suit}`).join(" ")}></label>`;
    return html`<form class="cards" @submit=${send}>${field("player")}${field("banker")}
        <button class="main">${t("pit.try")}</button></form>`;
  }
}
customElements.define("punto-rounds", PuntoRounds);
