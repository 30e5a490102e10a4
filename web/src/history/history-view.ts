/** A patron's history as markup: days, their sessions, and the rounds of those that are opened. */
import { html, nothing, type TemplateResult } from "lit";
import { givesReceipts } from "../api/session";
import type { LinePlayed, PlayDay, PlaySum, SessionShown } from "../api/types";
import { type Key, nameOf, t } from "../i18n/catalogue";
import { amount, signed } from "../i18n/money";
import { duration, toSecond } from "../i18n/time";
import { handText } from "../table-view/round-history";
import { clauseButton, settlementTable } from "../table-view/settlement";
import { type HistoryController, sessionKey } from "./history-controller";

/** Shows a clause of a game. */
type ShowClause = (game: string, clause: string) => void;

/** The kinds of lines that have receipts, where they are about wagers. */
const RECEIPTS = new Set(["round", "void", "correction"]);

const toneOf = (net: number) => (net < 0 ? "lost" : net > 0 ? "won" : "");
const minute = (at: number) => toSecond(at).slice(0, 5);

export function sumsView(sum: PlaySum): TemplateResult {
  return html`<dl class="sums">
    <div><dt>${t("history.net")}</dt><dd class=${toneOf(sum.net)} data-net=${sum.net}>${signed(sum.net)}</dd></div>
    <div><dt>${t("history.rounds")}</dt><dd>${sum.rounds}</dd></div>
    <div><dt>${t("history.staked")}</dt><dd>${amount(sum.staked)}</dd></div>
    <div><dt>${t("history.time")}</dt><dd>${duration(1000 * sum.seconds)}</dd></div></dl>`;
}

export function dayView(history: HistoryController, day: PlayDay, show: ShowClause): TemplateResult {
  const tables = Object.entries(day.tables);
  return html`<section class="day" aria-label=${t("history.day", { day: day.day })}>
    <header><h2>${t("history.day", { day: day.day })}</h2>${sumsView(day.sum)}</header>
    ${
      tables.length > 1
        ? html`<ul class="tables">${tables.map(
            ([table, sum]) =>
              html`<li>${history.nameOf(table)} <b class=${toneOf(sum.net)}>${signed(sum.net)}</b></li>`,
          )}</ul>`
        : nothing
    }
    ${day.sessions.map((each) => sessionView(history, each, show))}</section>`;
}

function sessionView(history: HistoryController, session: SessionShown, show: ShowClause): TemplateResult {
  const opened = history.state.opened[sessionKey(session)];
  const span = { from: minute(session.began), to: minute(session.ended) };
  const open = (event: Event) => (event.currentTarget as HTMLDetailsElement).open && void history.open(session);
  return html`<details class="session" ?open=${opened !== undefined} @toggle=${opened ? nothing : open}>
    <summary><span><b>${history.nameOf(session.table)}</b></span>
      <span class="soft">${t(session.running ? "history.running" : "history.session", span)}</span>
      <span class="soft">${t("history.count", { rounds: session.sum.rounds })}</span>
      <b class=${toneOf(session.sum.net)}>${signed(session.sum.net)}</b></summary>
    <p class="soft about">${[
      session.bought && t("history.bought", { amount: amount(session.bought) }),
      session.cashed && t("history.cashed", { amount: amount(session.cashed) }),
      t("history.has", { amount: amount(session.balance) }),
    ]
      .filter(Boolean)
      .join(" · ")} <button class="shoes" @click=${() => history.showShoes(session.table)}>${t(
      "history.shoes",
    )}</button></p>
    <ol>${opened?.lines.map((line) => lineView(history, session, line, show)) ?? nothing}</ol>
    ${
      opened?.more ? html`<button @click=${() => history.open(session)}>${t("history.more_rounds")}</button>` : nothing
    }</details>`;
}

function lineView(
  history: HistoryController,
  { table, game }: SessionShown,
  line: LinePlayed,
  show: ShowClause,
): TemplateResult {
  const name =
    line.kind === "round"
      ? t("history.round", { round: line.round })
      : t(`history.kind.${line.kind}` as Key, { round: line.round });
  const showHere = (clause: string) => show(game, clause);
  const settled = line.wagers?.length ? line.wagers : (line.corrections ?? []).map((each) => each.after);
  return html`<li data-line=${line.number}>
    <div class="line"><span class="soft">${toSecond(line.at)}</span><b>${name}</b>
      ${line.winner ? html`<span class=${line.winner}>${nameOf("winner", line.winner)}</span>` : nothing}
      ${
        line.player
          ? html`<span class="soft">${nameOf("winner", "player")} ${handText(line.player)}</span><span
              class="soft">${nameOf("winner", "banker")} ${handText(line.banker ?? null)}</span>`
          : nothing
      }
      ${line.clause && !line.wagers?.length ? clauseButton(line.clause, showHere) : nothing}
      <span class="end">${
        line.round ? html`<b class=${toneOf(line.net)}>${signed(line.net)}</b>` : nothing
      } <span class="balance">${t("history.balance", {
        before: amount(line.before),
        after: amount(line.balance),
      })}</span></span></div>
    ${
      settled.length
        ? html`<details class="bets"><summary>${t("rounds.mine")}</summary>
            ${settlementTable(settled, showHere)}</details>`
        : nothing
    }
    <span class="acts">${
      RECEIPTS.has(line.kind) && givesReceipts()
        ? html`<button class="receipt" @click=${() => history.showReceipts(table, line.number)}>${t(
            "history.receipt",
          )}</button>`
        : nothing
    }
    ${
      line.kind === "round" || line.kind === "void"
        ? html`<button class="steps" @click=${() => history.replay(table, line.number)}>${t("history.steps")}</button>`
        : nothing
    }</span></li>`;
}
