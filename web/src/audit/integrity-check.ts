/** Verification of a table: its whole log is read and recomputed, and its shoes are checked card by card. */
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import * as auditApi from "../api/audit";
import { Refusal } from "../api/http";
import type { CheckShown, FindingShown, ShoeChecked, ShoeListed, Verified } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { Timeout } from "../controllers/timeout";
import { type Key, nameOf, t } from "../i18n/catalogue";
import { refusalText } from "../i18n/refusal-text";
import { dateAndTime } from "../i18n/time";

const POLL_EVERY = 300;

export class PuntoIntegrity extends LitElement {
  static override properties = {
    table: {},
    verified: { state: true },
    shoes: { state: true },
    refused: { state: true },
    checked: { state: true },
  };
  declare table: string;
  declare private verified: Verified | null;
  declare private shoes: ShoeListed[] | null;
  declare private refused: string;
  /** The check of each shoe; null while it runs. */
  declare private checked: ReadonlyMap<string, ShoeChecked | null>;
  private readonly pollTimeout = new Timeout(POLL_EVERY, () => void this.poll());

  static override styles = [
    common,
    css`
    :host {
      display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.4rem; align-items: start;
      max-width: 76rem;
    }
    @media (max-width: 820px) { :host { grid-template-columns: minmax(0, 1fr); } }
    h2 { font-size: 1rem; }
    h3 { font-size: 1.05rem; display: flex; gap: .5rem; align-items: center; }
    p { margin: .25rem 0; }
    button { min-height: 2.3rem; }
    progress { width: 100%; accent-color: var(--gold); }
    .verdict { border-radius: 12px; padding: .7rem .8rem; border: 1px solid; display: grid; gap: .35rem; }
    .whole { background: var(--good); border-color: var(--good-line); } .whole h3 { color: var(--tie-ink); }
    .broken { background: var(--bad); border-color: var(--bad-line); } .broken h3 { color: var(--bad-ink); }
    .uncut { background: var(--notice); border-color: var(--warn); } .uncut h3, .warn { color: var(--warn); }
    .sign { font-size: 1.3rem; }
    ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .45rem; }
    .stream { font-size: .88rem; }
    code {
      font-size: .74rem; overflow-wrap: anywhere; color: var(--ink-soft);
      font-family: ui-monospace, "DejaVu Sans Mono", monospace;
    }
    .finding { border-left: 4px solid var(--bad-line); padding-left: .6rem; }
    .finding b { font-size: 1.02rem; }
    .detail { font-size: .82rem; color: var(--ink-soft); }
    .shoe { border: 1px solid var(--line); border-radius: 10px; padding: .5rem .6rem; display: grid; gap: .35rem; }
    .shoe .head { display: flex; gap: .2rem .6rem; align-items: center; flex-wrap: wrap; }
    .shoe button { margin-left: auto; }
    .check { display: grid; grid-template-columns: 1.3rem minmax(0, 1fr); font-size: .88rem; }
    .check.no { color: var(--bad-ink); }
    summary { cursor: pointer; font-size: .85rem; }
  `,
  ];

  constructor() {
    super();
    this.table = "";
    this.verified = this.shoes = null;
    this.refused = "";
    this.checked = new Map();
    new LanguageController(this);
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has("table") && this.table) void this.begin();
  }

  private async begin() {
    this.verified = this.shoes = null;
    this.checked = new Map();
    await this.ask(async (table) => {
      const [verified, shoes] = await Promise.all([
        auditApi.verification(table),
        auditApi.shoesOf(table, () => undefined),
      ]);
      if (table !== this.table) return;
      this.shoes = shoes;
      this.follow(verified);
    });
  }

  private async ask(work: (table: string) => Promise<void>) {
    this.refused = "";
    try {
      await work(this.table);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused = refusalText(error.refused);
    }
  }

  private verify = () => this.ask(async (table) => this.follow(await auditApi.beginVerification(table)));

  private poll = () => this.ask(async (table) => this.follow(await auditApi.verification(table)));

  /** While the verification runs, ask again how far it has come. */
  private follow(verified: Verified) {
    if (verified.table !== this.table || !this.isConnected) return;
    this.verified = verified;
    if (verified.state === "running") this.pollTimeout.restart();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.pollTimeout.stop();
  }

  private check(shoe: string) {
    this.setChecked(shoe, null);
    return this.ask(async (table) => {
      const checked = await auditApi.checkShoe(table, shoe, () => undefined);
      if (table === this.table) this.setChecked(shoe, checked);
    });
  }

  private setChecked(shoe: string, checked: ShoeChecked | null) {
    this.checked = new Map(this.checked).set(shoe, checked);
  }

  override render() {
    const { verified } = this;
    const running = verified?.state === "running";
    return html`<section class="stack" aria-label=${t("verify.title")}>
        <h2>${t("verify.title")}</h2>
        <div class="row"><button class="main" ?disabled=${!verified || running}
          @click=${this.verify}>${verified?.ended ? t("verify.again") : t("verify.go")}</button></div>
        <div role="status">${verified ? this.verdict(verified) : nothing}</div>
        ${this.refused ? html`<p class="lost" role="alert">${this.refused}</p>` : nothing}
      </section>
      <section class="stack" aria-label=${t("shoe.title")}>
        <h2>${t("shoe.title")}</h2>
        ${this.shoes?.length === 0 ? html`<p class="soft">${t("shoe.none")}</p>` : nothing}
        <ul>${this.shoes?.map((each) => html`<li class="shoe" data-shoe=${each.shoe}>${this.shoe(each)}</li>`)}</ul>
      </section>`;
  }

  private verdict(verified: Verified): TemplateResult {
    switch (verified.state) {
      case "never":
        return html`<p class="soft">${t("verify.never")}</p>`;
      case "running":
        return html`<p class="soft">${t("verify.running", { ...verified })}</p><progress aria-label=${t("verify.title")}
          max=${Math.max(1, verified.of)} value=${verified.read}></progress>`;
      case "failed":
        return html`<p class="lost">${t("verify.failed")}</p>`;
      case "broken":
        return html`<div class="verdict broken"><h3><span class="sign"
          aria-hidden="true">✗</span>${t("verify.broken")}</h3>
          <ul>${verified.findings.map((each) => this.finding(each))}</ul>
          <p class="detail">${t("verify.when", { when: dateAndTime(verified.ended!) })}</p></div>`;
      default:
        return html`<div class="verdict whole"><h3><span class="sign"
          aria-hidden="true">✓</span>${t("verify.whole")}</h3>
          <p>${t("verify.rounds", { rounds: verified.rounds })}</p>
          <ul>${verified.streams.map(
            (each) => html`<li
            class="stream"><b>${nameOf("stream", each.about)}</b> · ${t("verify.range", { last: each.last })}${
              each.heads ? html` · ${t("verify.heads", { heads: each.heads })}` : nothing
            }<br><code>${each.hash}</code></li>`,
          )}</ul>
          <p class="detail">${t("verify.when", { when: dateAndTime(verified.ended!) })}</p></div>`;
    }
  }

  private finding(each: FindingShown): TemplateResult {
    const about =
      each.stream === this.table ? "table" : each.stream === "house" || each.stream === "cage" ? each.stream : "shoes";
    const stream = nameOf("stream", about);
    return html`<li class="finding" data-event=${each.event ?? ""}><b>${
      each.event === null ? stream : t("finding.where", { event: each.event, stream })
    }</b> ${nameOf("finding", each.kind)}
      <div class="detail">${t(`found.${each.code}` as Key, each.values)}</div></li>`;
  }

  private shoe(each: ShoeListed): TemplateResult {
    const result = this.checked.get(each.shoe);
    return html`<div class="head"><b>${each.shoe}</b><span class="soft">${nameOf("shoe", each.state)}</span>
        ${
          each.first_round
            ? html`<span
          class="soft">${t("shoe.rounds", { first: each.first_round, last: each.last_round })}</span>`
            : nothing
        }
        ${
          each.sealed && each.state === "ended"
            ? html`<button ?disabled=${result === null}
          @click=${() => this.check(each.shoe)}>${t("shoe.check")}</button>`
            : nothing
        }</div>
      ${
        each.sealed
          ? html`<div>${t("shoe.commitment")} <code>${each.commitment}</code></div>`
          : html`<p
        class="soft">${t("shoe.not_sealed")}</p>`
      }
      ${each.cut_by === 0 && each.state !== "waiting" ? html`<p class="warn">${t("shoe.uncut")}</p>` : nothing}
      ${each.sealed && each.state !== "ended" ? html`<p class="soft">${t("shoe.not_checked")}</p>` : nothing}
      ${result ? html`<div role="status">${this.sound(result)}</div>` : nothing}`;
  }

  private sound({ shoe, whole: ok, checks, cards }: ShoeChecked): TemplateResult {
    const uncut = ok && shoe.cut_by === 0;
    const verdict = t(!ok ? "shoe.wrong" : uncut ? "shoe.whole_uncut" : "shoe.whole");
    return html`<div class="verdict ${!ok ? "broken" : uncut ? "uncut" : "whole"}">
      <h3><span class="sign" aria-hidden="true">${!ok ? "✗" : uncut ? "!" : "✓"}</span>${verdict}</h3>
      <p>${t("shoe.cards", { cards })}</p>
      <ul>${checks.map((each) => this.checkLine(each))}</ul></div>`;
  }

  private checkLine(each: CheckShown): TemplateResult {
    const found = (each.details ?? []).map(({ code, values }) => t(`checked.${code}` as Key, values));
    return html`<li class="check ${each.ok ? "" : "no"}"><span aria-hidden="true">${each.ok ? "✓" : "✗"}</span>
      <details ?open=${!each.ok}>
      <summary>${nameOf("check", each.check)}${each.cut && each.cut > 1 ? ` ${each.cut}` : ""}${
        each.event ? ` · ${t("finding.where", { event: each.event, stream: nameOf("stream", "table") })}` : ""
      }</summary>
        <div class="detail">${found.join("; ")}</div></details></li>`;
  }
}
customElements.define("punto-integrity", PuntoIntegrity);
