/** A seat as markup: a pure function of its controller. */
import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import "../components/clock";
import "../components/count-up";
import "../components/practice-seat";
import "../components/sign-in";
import "../table-view/hands";
import "./betting/chip-rack";
import "./betting/favourite-bets";
import "./betting/seat-choice";
import "./shoes/shoe-cut";
import "./betting/wager-areas";
import "./betting/withdrawal-offer";
import type { Order } from "../api/connection";
import { isPracticeHouse, practiceChips } from "../api/session";
import type { EventSettled, GameShown, Limits, PublicView } from "../api/types";
import { chipValues } from "../components/chip";
import { nameOf, phaseForPatrons, t } from "../i18n/catalogue";
import { amount, short } from "../i18n/money";
import { totalOf } from "../table-view/laid-wagers";
import { net, netText, roundText, settlementTable } from "../table-view/settlement";
import { streakOf } from "../table-view/streak";
import { windowSeconds } from "../table-view/window-time";
import type { Bet } from "./betting/favourite-book";
import type { RackAction } from "./betting/wager-desk";
import { refusalView } from "./refusal-view";
import type { SeatController } from "./seat-controller";
import { seatPanels } from "./seat-panels";
import { passedHand, squeezeRule, squeezer } from "./squeeze/passed-hand";

/** What a view asks of the element that shows it. */
export interface SeatDialogs {
  showClause: (clause: string) => void;
  openMoney: () => void;
}

type Shown = TemplateResult | typeof nothing;

/** The seat once the game and the table are known. */
export function seatView(seat: SeatController, game: GameShown, view: PublicView, dialogs: SeatDialogs): Shown {
  return html`<main>
    <section class="table" aria-label=${t("seat.table", { table: seat.table })}>
      ${head(seat, view, dialogs)}
      ${feltView(seat, game, view, dialogs)}
      ${seat.patron ? ownPosition(seat, view, dialogs) : guest(seat)}
    </section>
    <aside class=${seat.state.aside ? "opened" : ""} aria-label=${t("seat.about")}>${seatPanels(
      seat,
      game,
      view,
      dialogs.showClause,
    )}</aside>
    <button class="more" aria-expanded=${seat.state.aside} @click=${() => seat.showAside(!seat.state.aside)}>${
      seat.state.aside ? t("seat.close") : t("seat.more")
    }</button>
    ${squeezed(seat, view)}
  </main>`;
}

/** The felt: clock, cards, result, the areas to bet on, and over them what waits for the patron. */
export function feltView(seat: SeatController, game: GameShown, view: PublicView, dialogs: SeatDialogs): Shown {
  return html`<div class="felt"><div class="on-felt">
    ${clock(seat, view)}
    <punto-hands shoe .round=${seat.state.shown} .lifts=${seat.state.lifts}
      ?past=${view.phase === "betting"} ?open=${view.phase === "betting"}></punto-hands>
    ${result(seat, view, dialogs)}
    ${areas(seat, game, view)}
    <div class="demands">${demands(seat, view)}</div>
  </div></div>`;
}

/** The time left to bet or, where an automaton deals, until the next round. */
function clock(seat: SeatController, view: PublicView): Shown {
  const { opensAt } = seat.state;
  const { deadline, phase } = view;
  if (deadline && !seat.offer)
    return html`<punto-clock .deadline=${deadline} .seconds=${windowSeconds(view)}></punto-clock>`;
  return phase === "idle" && opensAt
    ? html`<punto-clock next .deadline=${opensAt} .seconds=${seat.pause}></punto-clock>`
    : nothing;
}

function guest({ person, table }: SeatController): Shown {
  return html`<div class="guest">${
    person
      ? html`<p>${t("seat.not_patron")}</p>`
      : isPracticeHouse()
        ? practiceSeat(table)
        : html`<punto-sign-in></punto-sign-in>`
  }</div>`;
}

function practiceSeat(table: string): Shown {
  const here = `/tables/${encodeURIComponent(table)}`;
  return html`<div class="row"><punto-practice-seat table=${table} leads-to=${here}></punto-practice-seat>
    <span class="soft">${t("practice.about")}</span><a href="/">${t("sign_in.enter")}</a></div>`;
}

function head(seat: SeatController, view: PublicView, { openMoney }: SeatDialogs): Shown {
  const phase =
    view.hold === null
      ? (waitingFor(seat, view) ?? phaseForPatrons(view.phase))
      : t("seat.held", { why: nameOf("provision", view.hold) });
  return html`<div class="head">
    <div class="phase ${seat.state.connected ? (view.hold === null ? view.phase : "held") : "stale"}">${phase}</div>
    <span class="soft">${t("seat.round", { round: view.round })}</span>
    ${seat.patron ? ownSeat(seat, view) : nothing}
    ${view.cutting_card_shown ? html`<span class="tag">${t("seat.cutting_card")}</span>` : nothing}
    ${seat.patron ? moneyLine(seat, openMoney) : nothing}
  </div>`;
}

/** Say for whom a patron waits while another one squeezes; null if they wait for nobody. */
export function waitingFor({ patron }: SeatController, view: PublicView): string | null {
  const found = squeezer(view);
  if (!found || found.patron === patron) return null;
  return found.seat ? t("seat.squeezes", { seat: found.seat }) : t("seat.squeezes_other");
}

function ownSeat(seat: SeatController, { setting, wagers }: PublicView): Shown {
  const taken = new Set(wagers.filter((each) => each.patron !== seat.patron).map((each) => each.position));
  return html`<punto-seat-choice .seats=${setting?.positions ?? 0} .chosen=${seat.state.position} .taken=${taken}
    @moved=${(event: CustomEvent<number>) => seat.choosePosition(event.detail)}></punto-seat-choice>`;
}

function moneyLine(seat: SeatController, openMoney: () => void): Shown {
  const owes = seat.state.own?.owes;
  return html`<div class="money-line">
    <span>${t("seat.chips")} <strong data-chips=${seat.chips}><punto-count .value=${seat.chips}
      .text=${amount}></punto-count></strong></span>
    <span>${t("seat.on_layout")} <strong>${amount(totalOf(seat.mine))}</strong></span>
    ${owes ? html`<span class="lost">${t("seat.owes", { amount: amount(owes) })}</span>` : nothing}
    <button class=${seat.total ? "" : "main"} @click=${openMoney}>${t("seat.money")}</button></div>`;
}

/** The outcome of the round, and the patron's own wagers once they are settled; before that, who turns its cards. */
function result({ state: { shown } }: SeatController, view: PublicView, { showClause }: SeatDialogs): Shown {
  const { phase } = view;
  const text = roundText(shown);
  if (!text) return html`<div class="result soft">${squeezer(view) ? squeezeRule(view) : nothing}</div>`;
  const { settled } = shown;
  const past = phase === "betting"; // details would lie over the areas to bet on: the history has them
  const own = (round: number, wagers: readonly EventSettled[]) =>
    past ? netShown(wagers, netText(wagers)) : details(round, wagers, showClause);
  return html`<div class="result ${past ? "past" : ""}">
    <span class="outcome">${text}</span>
    ${settled?.length ? own(shown.round, settled) : nothing}
  </div>`;
}

function details(round: number, settled: readonly EventSettled[], showClause: (clause: string) => void): Shown {
  const shown = html`<details class="mine"><summary>${netShown(settled, netCounted(settled))}
    <span class="soft-narrow">${t("seat.details")}</span></summary>
    <div class="list">${settlementTable(settled, showClause)}</div></details>`;
  return html`${keyed(round, shown)}`;
}

const netShown = (settled: readonly EventSettled[], text: Shown | string) =>
  html`<span class="net ${net(settled) < 0 ? "lost" : "won"}">${text}</span>`;

/** What the patron won, counted up once; a loss is only said. */
function netCounted(settled: readonly EventSettled[]): Shown | string {
  const won = net(settled);
  if (won <= 0) return netText(settled);
  const text = (cents: number) => t("seat.net", { amount: amount(cents) });
  return html`<punto-count fresh .value=${won} .text=${text}></punto-count>`;
}

/** What waits for this patron: a cut, an offer, the dealing device. */
function demands(seat: SeatController, view: PublicView): Shown {
  const { offer, patron } = seat;
  const answer = ({ detail }: CustomEvent<[number, string][] | null>) => void seat.answerOffer(detail);
  return html`
    ${
      patron && view.setting?.device === "sealed"
        ? html`<punto-cut .table=${seat.table} .cutting=${seat.cutting} ?waiting=${!view.shoe}
            ?seated=${seat.chips > 0}></punto-cut>`
        : nothing
    }
    ${
      offer
        ? html`<punto-withdrawal .offer=${offer} .seconds=${view.setting?.answer_seconds ?? null}
            @answered=${answer}></punto-withdrawal>`
        : nothing
    }
    ${view.device && view.device === patron ? device(seat, view) : nothing}`;
}

/** The cards passed to the patron, over everything else on the page: nothing can be wagered meanwhile. */
export function squeezed(seat: SeatController, view: PublicView): Shown {
  if (!seat.patron || !["A", "C"].includes(view.setting?.method ?? "")) return nothing;
  void import("./squeeze/my-cards"); // not needed to sit down
  const passed = passedHand(view, seat.patron);
  if (!passed) return nothing;
  return html`<punto-my-cards .passed=${passed} .seen=${seat.state.own?.cards[passed.hand]}
    .total=${view.totals[passed.hand] ?? null} .deadline=${view.deadline} .seconds=${windowSeconds(view)}
    ?known=${view.setting?.device === "sealed" || view.setting?.device === "card-reading"}
    .rule=${squeezeRule(view)} .squeezes=${seat.squeezes}
    .give=${(order: Order) => seat.give(order)}></punto-my-cards>`;
}

function device(seat: SeatController, { device_accepted: accepted }: PublicView): Shown {
  return html`<div class="row device"><span>${t(accepted ? "device.yours" : "device.offered")}</span>
    ${
      accepted
        ? nothing
        : html`<button @click=${() => seat.give({ command: "AcceptDevice" } as Order)}>${t("device.accept")}</button>`
    }
    <button class="main" @click=${() => seat.give({ command: "DrawCard" } as Order)}>${t("device.draw")}</button>
    <button @click=${() => seat.give({ command: "GiveUpDevice" } as Order)}>${t("device.give_up")}</button></div>`;
}

/** The areas of the felt: those of the patron's seat, or for a guest what all others have on them. */
function areas(seat: SeatController, game: GameShown, { phase, setting, wagers }: PublicView): Shown {
  if (!setting) return html`<p class="soft">${t("seat.shut")}</p>`;
  const { position, edges, roads, waiting, shown } = seat.state;
  const others = wagers.filter((each) => each.patron !== seat.patron);
  const over = phase !== "betting";
  const tap = ({ detail }: CustomEvent<string>) => seat.tap({ position, wager: detail });
  const takeBack = ({ detail }: CustomEvent<string>) => seat.desk.takeBackOne({ position, wager: detail });
  return html`<punto-areas ?open=${seat.open} .table=${seat.table}
      .wagers=${game.wagers} .edges=${edges} .limits=${setting.limits} .caps=${setting.payout_caps}
      .chips=${chipValues(setting.stake_step)} .laid=${seat.mineHere} .streak=${streakOf(roads)}
      .others=${others} .position=${position} .waiting=${waiting} .won=${new Set(over ? shown.winning : [])}
      .settled=${(over && shown.settled) || []} @placed=${tap} @taken=${takeBack}
      @closed=${() => seat.tooLate()}></punto-areas>`;
}

/** One tap to chips for practice, at a table where the patron has none yet. */
function takeChips(seat: SeatController): Shown {
  const offered = Math.min(practiceChips(), seat.state.account ?? 0);
  if (seat.total || !offered) return nothing;
  return html`<button class="main practice-chips" @click=${() => seat.moveMoney("BuyIn", offered)}>${t(
    "practice.take_chips",
    { amount: short(offered) },
  )}</button>`;
}

/** What a patron holds: their chips and actions, and why something was refused. */
function ownPosition(seat: SeatController, { setting }: PublicView, { showClause }: SeatDialogs): Shown {
  if (!setting) return nothing;
  const { chip } = seat.state;
  const chips = takeChips(seat); // where it is offered it says all, and nothing may cover it
  return html`<div class="own">
    ${chips === nothing ? refusalView(seat, showClause) : chips}
    <punto-rack .values=${seat.offered} .chosen=${chip} .can=${seat.desk.can}
      title=${t("seat.keys", { chips: seat.offered.length })}
      @chip=${(event: CustomEvent<number>) => seat.chooseChip(event.detail)}
      @action=${(event: CustomEvent<RackAction>) => seat.desk.act(event.detail)}>
      ${favouriteBets(seat, setting.limits)}</punto-rack>
  </div>`;
}

/** The patron's favourite bets at the game of a table. */
export function favouriteBets(seat: SeatController, limits: Readonly<Record<string, Limits>>): Shown {
  return html`<punto-favourites .favourites=${seat.state.favourites} .limits=${limits} ?open=${seat.open}
    .chips=${seat.chips + totalOf(seat.mineHere)} ?laid=${seat.mineHere.length > 0}
    @chosen=${(event: CustomEvent<Bet[]>) => seat.placeFavourite(event.detail)}
    @saved=${(event: CustomEvent<string>) => seat.saveFavourite(event.detail)}
    @removed=${(event: CustomEvent<string>) => seat.removeFavourite(event.detail)}></punto-favourites>`;
}
