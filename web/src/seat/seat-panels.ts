/** Beside a seat: roads, odds, rules, last rounds, the shoe, and the patron's limits. */
import { html, nothing, type TemplateResult } from "lit";
import "../components/rulebook";
import "../components/tabs";
import "../fairness/sealed-shoes";
import "../table-view/roads-board";
import "./money/loss-limit";
import type { Order } from "../api/connection";
import { auditPath } from "../api/session";
import type { GameShown, PublicView } from "../api/types";
import { t } from "../i18n/catalogue";
import { historyList } from "../table-view/round-history";
import type { SeatController } from "./seat-controller";

const TABS = ["roads", "odds", "rules", "rounds", "shoe", "limits"] as const;
type ShowClause = (clause: string) => void;

export function seatPanels(seat: SeatController, game: GameShown, view: PublicView, show: ShowClause): TemplateResult {
  // Only a sealed shoe can be checked, and only patrons have limits.
  const offered = { shoe: view.setting?.device === "sealed", limits: seat.patron !== null };
  const tabs = TABS.filter((each) => !(each in offered) || offered[each as keyof typeof offered]);
  return html`<punto-tabs sticky .tabs=${tabs.map((key) => ({ key, name: t(`tab.${key}`) }))} .shown=${seat.state.tab}
    label=${t("seat.about")}
    @shown=${(event: CustomEvent<string>) => seat.openTab(event.detail)}>${panel(seat, game, view, show)}</punto-tabs>`;
}

function panel(seat: SeatController, game: GameShown, view: PublicView, show: ShowClause): TemplateResult {
  const { edges, rounds } = seat.state;
  switch (seat.state.tab) {
    case "odds":
      return html`<punto-odds .game=${game} .edges=${edges} .limits=${view.setting?.limits ?? {}}
        .decks=${view.setting?.decks ?? 0}
        @clause=${(event: CustomEvent<string>) => show(event.detail)}></punto-odds>`;
    case "rules":
      void import("../components/how-to-play"); // few patrons read it, and then it comes at once
      return html`<p><a href="/games/${encodeURIComponent(game.game)}?decks=${view.setting?.decks ?? ""}"
            target="_blank">${t("how.full")}</a></p>
        <punto-how-to-play .game=${game} .edges=${edges} .decks=${view.setting?.decks ?? 0}
          @clause=${(event: CustomEvent<string>) => show(event.detail)}></punto-how-to-play>`;
    case "rounds":
      return html`${
        seat.patron
          ? html`<p><a href="/history?back=${encodeURIComponent(seat.table)}">${t("history.all")}</a></p>`
          : nothing
      }${historyList(rounds, show, auditPath(seat.table))}`;
    case "limits":
      return limits(seat);
    case "shoe":
      return html`<punto-shoes .table=${seat.table} .cutting=${seat.cutting} .patron=${seat.patron}
        .inUse=${view.shoe ?? null}></punto-shoes>`;
    default:
      return roads(seat, view);
  }
}

function limits(seat: SeatController): TemplateResult {
  const limitLoss = ({ detail }: CustomEvent<number | null>) =>
    seat.give({ command: "LimitLoss", limit: detail } as Order);
  const remind = ({ detail }: CustomEvent<number>) => void seat.play.choose(detail);
  return html`<punto-my-limits .play=${seat.play.state} .own=${seat.state.own?.own_limit ?? null}
    @limit=${limitLoss} @remind=${remind}></punto-my-limits>`;
}

function roads({ state: { roads } }: SeatController, { setting, cards_drawn }: PublicView): TemplateResult {
  return html`<punto-roads .roads=${roads}></punto-roads>
    ${
      roads?.shoe
        ? html`<p class="soft">${t("seat.shoe", { drawn: cards_drawn, size: roads.shoe.size })} ·
          ${setting ? t("seat.setting", { decks: setting.decks }) : ""}</p>`
        : nothing
    }`;
}
