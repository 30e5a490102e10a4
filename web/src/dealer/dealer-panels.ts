/** Beside the Dealer's next step: the layout, patrons, the shoe, irregularities, last rounds. */
import { html, type TemplateResult } from "lit";
import "../components/tabs";
import "../table-view/roads-board";
import "./irregularity-desk";
import "./patron-desk";
import { auditPath } from "../api/session";
import type { GameShown, StaffView } from "../api/types";
import { type Key, t } from "../i18n/catalogue";
import { historyList } from "../table-view/round-history";
import type { DealerController } from "./dealer-controller";
import type { DealerActions } from "./dealer-view";
import type { PatronOrder, PuntoPatrons } from "./patron-desk";
import { layoutList } from "./pay-list";
import { shoeDesk } from "./step-forms";

const TABS = ["layout", "patrons", "shoe", "irregular", "rounds"] as const;
/** What a Dealer who only watches is shown. */
const WATCHED: readonly string[] = ["layout", "rounds"];

export function dealerPanels(dealer: DealerController, game: GameShown, view: StaffView, actions: DealerActions) {
  const open = TABS.filter((key) => !dealer.isWatching || WATCHED.includes(key));
  const tabs = open.map((key) => ({ key, name: t(`dealer.tab.${key}` as Key) }));
  return html`<punto-tabs .tabs=${tabs} .shown=${shownTab(dealer)} label=${t("seat.about")}
    @shown=${(event: CustomEvent<string>) => dealer.openTab(event.detail)}>
    ${panel(dealer, game, view, actions)}</punto-tabs>`;
}

const shownTab = ({ isWatching, state }: DealerController) =>
  isWatching && !WATCHED.includes(state.tab) ? "layout" : state.tab;

function panel(dealer: DealerController, game: GameShown, view: StaffView, { showClause }: DealerActions) {
  switch (shownTab(dealer)) {
    case "patrons":
      return html`<punto-patrons .view=${view} .named=${dealer.state.named} .seats=${new Map(dealer.entry.seats)}
        @order=${(event: CustomEvent<PatronOrder>) => moveMoney(dealer, event)}></punto-patrons>`;
    case "shoe":
      return view.shoe || view.phase !== "idle" ? shoeDesk(dealer, view) : html`<p class="soft">${t("shoe.none")}</p>`;
    case "irregular":
      return irregularities(dealer, view, showClause);
    case "rounds":
      return html`<punto-roads .roads=${dealer.state.roads}></punto-roads>${historyList(
        dealer.state.rounds,
        showClause,
        auditPath(dealer.table),
      )}`;
    default:
      return layoutList(
        view,
        game.wagers.map((each) => each.wager),
      );
  }
}

/** Buying in and cashing out belong to no round; the desk is cleared once it is done. */
async function moveMoney(dealer: DealerController, { target, detail }: CustomEvent<PatronOrder>): Promise<void> {
  const desk = target as PuntoPatrons;
  const { position, ...order } = detail;
  const done = "guest" in order ? dealer.seatGuest(order.guest, order.amount, position) : dealer.give(order, false);
  if (!(await done)) return;
  if (position && "patron" in order) dealer.seat(position, order.patron);
  desk.clear();
}

function irregularities(dealer: DealerController, view: StaffView, show: (clause: string) => void): TemplateResult {
  const { procedures, possible, chosenProcedure, refusal } = dealer.state;
  return html`<punto-irregular .procedures=${procedures} .possible=${possible} .view=${view} .chosen=${chosenProcedure}
    .refused=${refusal} .positions=${dealer.positions}
    @call=${(event: CustomEvent<string>) => dealer.callPit(event.detail)}
    @choose=${(event: CustomEvent<string | null>) => dealer.chooseProcedure(event.detail)}
    @clause=${(event: CustomEvent<string>) => show(event.detail)}
    @order=${(event: CustomEvent<object>) => dealer.report(event.detail)}></punto-irregular>`;
}
