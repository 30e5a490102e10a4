/** The last rounds: cards, outcome, and the result of the patron's own wagers. */
import { html, type TemplateResult } from "lit";
import type { HandShown, RoundShown } from "../api/types";
import { cardText } from "../components/card";
import { nameOf, t } from "../i18n/catalogue";
import { signed } from "../i18n/money";
import { clauseButton, net, settlementTable } from "./settlement";

export function handText(hand: HandShown | null): string {
  return hand ? `${hand.cards.map(cardText).join(" ")} = ${hand.total}` : "–";
}

const wonBy = (winner: string) =>
  winner === "tie" ? nameOf("winner", winner) : t("rounds.won_by", { winner: nameOf("winner", winner) });

/** List rounds; `audit` is the path of their audit, for people who may read the log. */
export function historyList(
  rounds: readonly RoundShown[],
  show: (clause: string) => void,
  audit: string | null,
): TemplateResult {
  if (!rounds.length) return html`<p class="soft">${t("rounds.none")}</p>`;
  return html`<ol class="rounds" tabindex="0" aria-label=${t("tab.rounds")}>${rounds.map(
    (each) => html`<li>
    <div class="line"><b>${each.round}</b>
      ${
        each.void
          ? html`<span>${t("rounds.void")} ${each.clause ? clauseButton(each.clause, show) : ""}</span>`
          : html`
        <span class=${each.winner}>${wonBy(each.winner!)}</span>
        <span class="soft">${nameOf("winner", "player")} ${handText(each.player)}</span><span
          class="soft">${nameOf("winner", "banker")} ${handText(each.banker)}</span>`
      }
      ${
        each.corrected
          ? html`<span
        class="tag">${t("rounds.corrected")}</span>${each.clause ? clauseButton(each.clause, show) : ""}`
          : ""
      }
      ${
        each.mine?.length
          ? html`<span
        class="net ${net(each.mine) < 0 ? "lost" : "won"}">${signed(net(each.mine))}</span>`
          : ""
      }
      ${audit ? html`<a href="${audit}/${each.round}">${t("rounds.audit")}</a>` : ""}
    </div>
    ${
      each.mine?.length
        ? html`<details>
    <summary>${t("rounds.mine")}</summary>${settlementTable(each.mine, show)}</details>`
        : ""
    }
  </li>`,
  )}</ol>`;
}
