/** A game's rulebook: its wagers with their odds, and every clause. All of it comes from the server. */
import { css, html, LitElement, type TemplateResult } from "lit";
import type { ClauseShown, EdgeShown, GameShown, Limits, PayoutCap } from "../api/types";
import { LanguageController } from "../controllers/language-controller";
import { currentLanguage, nameOf, t } from "../i18n/catalogue";
import { readingsIn } from "../i18n/clause-readings";
import { amount, short } from "../i18n/money";
import { paysText } from "../i18n/pays-text";
import { common } from "./style";

/** What a table pays in winnings in one round on some wagers together, as a sentence. */
export function capInWords({ wagers, amount: most }: PayoutCap): string {
  const names = wagers.map((each) => nameOf("wager", each)).join(t("odds.cap_and"));
  return t("odds.cap", { wagers: names, amount: amount(most) });
}

export class PuntoOdds extends LitElement {
  static override properties = {
    game: { attribute: false },
    edges: { attribute: false },
    limits: { attribute: false },
    caps: { attribute: false },
    decks: { type: Number },
  };
  declare game: GameShown;
  declare edges: EdgeShown[];
  declare limits: Record<string, Limits>;
  declare caps: readonly PayoutCap[];
  declare decks: number;

  static override styles = [
    common,
    css`
    .line { display: flex; gap: .4rem; justify-content: space-between; font-size: .85rem; color: var(--ink-soft); }
    tr.named td { border-bottom: 0; padding-bottom: 0; font-weight: 650; } tr.lines td { padding-top: 0; }
    .exact { display: block; overflow-wrap: anywhere; font-size: .74rem; color: var(--ink-soft); }
    summary { cursor: pointer; font-size: .8rem; }
    .clause { min-height: 0; padding: 0 .35rem; font-size: .8rem; }
  `,
  ];

  constructor() {
    super();
    new LanguageController(this);
  }

  override render() {
    return html`<table>
      <thead><tr><th>${t("odds.wager")}</th><th
        class="num">${t("odds.limits")}</th><th class="num">${t("odds.edge")}</th></tr></thead>
      <tbody>${this.game.wagers.map((wager) => {
        const edge = this.edges.find((each) => each.wager === wager.wager);
        const limits = this.limits[wager.wager];
        const lines = wager.lines.map((line) => {
          const pays = line.pays.startsWith("0/") ? t("pays.push") : paysText(line.pays);
          return { line, pays };
        });
        return html`<tr class="named"><td>${nameOf("wager", wager.wager)}</td>
          <td class="num">${limits ? `${short(limits.minimum)} – ${short(limits.maximum)}` : "–"}</td>
          <td class="num">${edge ? `${edge.rounded}%` : "–"}</td></tr>
          <tr class="lines"><td colspan="3">${lines.map(
            ({ line, pays }) => html`<div class="line"><span>${nameOf("outcome", line.outcome)}</span><span>${pays}
              <button class="clause" aria-label=${t("clause.open", { clause: line.clause })}
                @click=${() => this.show(line.clause)}>§ ${line.clause}</button></span></div>`,
          )}
            ${
              edge
                ? html`<details><summary class="soft">${t("odds.fraction")}</summary><span
                    class="exact">${edge.house_edge}</span></details>`
                : ""
            }</td></tr>`;
      })}</tbody></table>
      <p class="soft">${t("odds.from", { decks: this.decks })}</p>
      ${(this.caps ?? []).map((each) => html`<p class="cap">${capInWords(each)} ${t("odds.cap_shared")}</p>`)}`;
  }

  private show(clause: string) {
    this.dispatchEvent(new CustomEvent("clause", { detail: clause, bubbles: true, composed: true }));
  }
}
customElements.define("punto-odds", PuntoOdds);

export class PuntoRules extends LitElement {
  static override properties = { game: { attribute: false }, wanted: { state: true } };
  declare game: GameShown;
  declare private wanted: string;

  static override styles = [
    common,
    css`
    input { width: 100%; margin-bottom: .6rem; }
    ol { list-style: none; margin: 0; padding: 0; max-height: max(26rem, 100dvh - 16rem); overflow: auto; }
    li {
      display: grid; grid-template-columns: 4.2rem 1fr; gap: .5rem; padding: .3rem 0;
      border-bottom: 1px solid var(--line); font-size: .9rem;
    }
    b { color: var(--gold); font-variant-numeric: tabular-nums; }
  `,
  ];

  constructor() {
    super();
    this.wanted = "";
    new LanguageController(this);
  }

  override render() {
    const words = this.wanted.toLowerCase();
    const language = currentLanguage();
    const shown = this.game.clauses.filter(
      (each) => each.clause.startsWith(words) || each.words[language].toLowerCase().includes(words),
    );
    const { title, version } = this.game;
    return html`<p>${nameOf("game", title)}${version ? ` · ${t("rules.version", { version })}` : ""}</p>
      ${language === "en" ? "" : html`<p class="soft">${t("rules.in_english")}</p>`}
      <input type="search" placeholder=${t("rules.find")} aria-label=${t("rules.find")}
        @input=${(event: Event) => (this.wanted = (event.target as HTMLInputElement).value)}>
      <ol tabindex="0" aria-label=${t("rules.title")}>${shown.map(
        (each) => html`<li><b>${each.clause}</b><span>${clauseWords(each.words[language])}</span></li>`,
      )}</ol>`;
  }
}
customElements.define("punto-rules", PuntoRules);

/** The words of a clause, in which the codes of readings are named as such. */
export function clauseWords(words: string): (string | TemplateResult)[] {
  return readingsIn(words).map(([text, codes]) =>
    codes ? html`<span title=${t("clause.reading_how", { codes })}>${t("clause.reading", { codes })}</span>` : text,
  );
}

/** Return a clause with its parents, such as 5.8.2 with 5.8 and 5. */
function withParents(clauses: readonly ClauseShown[], clause: string): ClauseShown[] {
  const parts = clause.split(".");
  const wanted = new Set(parts.map((_, index) => parts.slice(0, index + 1).join(".")));
  return clauses.filter((each) => wanted.has(each.clause));
}

/** Show the text of a clause and of its parents. */
export function clauseText(game: GameShown, clause: string): TemplateResult {
  return html`<div class="stack"><h2>${nameOf("game", game.title)} ${clause}</h2>
    ${withParents(game.clauses, clause).map(
      (each) => html`<p><b>${each.clause}</b> ${clauseWords(each.words[currentLanguage()])}</p>`,
    )}</div>`;
}
