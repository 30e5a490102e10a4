/** A replayed round as markup: a pure function of its controller. */
import { html, nothing, svg, type TemplateResult } from "lit";
import "../table-view/felt";
import "../table-view/hands";
import { packetPath } from "../api/audit";
import type { EventSettled, RoundReplayed, Settled, StaffView, StepShown } from "../api/types";
import { type Key, nameOf, t } from "../i18n/catalogue";
import { amount, signed } from "../i18n/money";
import { dateAndTime, houseZone, toMillisecond } from "../i18n/time";
import { clauseButton, settlementTable } from "../table-view/settlement";
import type { ReplayController } from "./replay-controller";
import { roundAtStep, type Step } from "./replay-steps";

const SIGNS = {
  first: svg`<path d="M2 2h2v12H2zM14 2v12L5 8z"/>`,
  back: svg`<path d="M12 2v12L3 8z"/>`,
  play: svg`<path d="M4 2v12l9-6z"/>`,
  pause: svg`<path d="M3 2h4v12H3zM9 2h4v12H9z"/>`,
  next: svg`<path d="M4 2v12l9-6z"/>`,
  last: svg`<path d="M12 2h2v12h-2zM2 2v12l9-6z"/>`,
};

/** What a view asks of the element that shows it. */
export interface ReplayActions {
  showClause: (clause: string) => void;
  openRound: (event: MouseEvent, round: number) => void;
}

type Shown = TemplateResult | typeof nothing;

export function replayView(
  replay: ReplayController,
  replayed: RoundReplayed,
  { step, view }: Step,
  actions: ReplayActions,
): Shown {
  return html`<div class="round">
    ${heading(replay, replayed, actions)}
    <div class="stage">
      ${
        view
          ? felt(replay, replayed, step, view)
          : html`<div class="felt"><p class="unknown">${t("audit.nothing_known")}</p></div>`
      }
      ${transport(replay)}
      ${event(replayed, step, actions)}
      ${view ? money(replayed, step, view) : nothing}
      ${settlement(replayed, step, actions)}
    </div>
    ${eventList(replay)}
    <p class="soft keys">${t("audit.keys")} · ${t("audit.utc", { zone: houseZone() })}</p>
  </div>`;
}

function heading(replay: ReplayController, replayed: RoundReplayed, { openRound }: ReplayActions): Shown {
  const { table, language } = replay.state;
  const link = (round: number | null, key: Key, sign: string) =>
    round === null
      ? nothing
      : html`<a class="button" href="/audit/${encodeURIComponent(table)}/${round}" title=${t(key)}
          @click=${(click: MouseEvent) => openRound(click, round)}><span aria-hidden="true">${sign}</span><span
          class="unseen">${t(key)}</span> ${round}</a>`;
  const packet = (kind: "json" | "pdf") => packetPath(table, replayed.round, kind, language);
  return html`<div class="head">
    <h2>${t("seat.round", { round: replayed.round })}</h2>
    <span class="soft">${nameOf("game", replayed.title)} · ${table} · ${dateAndTime(replayed.opened)}</span>
    ${replayed.void ? html`<span class="tag">${t("rounds.void")}</span>` : nothing}${
      replayed.corrected ? html`<span class="tag">${t("rounds.corrected")}</span>` : nothing
    }
    <div class="links">${link(replayed.previous, "audit.previous_round", "‹")}${link(
      replayed.following,
      "audit.next_round",
      "›",
    )}
      <a class="button" download href=${packet("json")}>${t("audit.export_json")}</a><a class="button" download
        href=${packet("pdf")}>${t("audit.export_pdf")}</a></div>
  </div>`;
}

function felt({ state }: ReplayController, replayed: RoundReplayed, step: StepShown, view: StaffView): Shown {
  const { game, round } = state;
  const wagers = game?.wagers.map((each) => each.wager) ?? [];
  const laid = step.later ? [] : view.wagers;
  return html`<section class="felt" aria-label=${t("audit.replay")}>
    <div class="phase"><strong>${phase(step, view)}</strong>
      <span>${view.shoe ? t("audit.shoe", { shoe: view.shoe, drawn: view.cards_drawn }) : ""}</span></div>
    <punto-hands .round=${roundAtStep(round!, step)}></punto-hands>
    <punto-felt .wagers=${wagers} .positions=${view.setting?.positions ?? 1} .laid=${laid}></punto-felt>
    ${
      laid.length
        ? html`<ul class="laid">${laid.map(
            (each) => html`<li><span class="seat">${each.position}</span> ${nameOf("wager", each.wager)}
              <b>${amount(each.amount)}</b> ${actor(replayed, each.patron)}</li>`,
          )}</ul>`
        : nothing
    }
  </section>`;
}

function phase(step: StepShown, view: StaffView): string | TemplateResult {
  if (step.later) return t("audit.later");
  if (!view.hold) return nameOf("phase", view.phase);
  return html`<span class="held">${t("audit.held", { why: nameOf("provision", view.hold) })}</span>`;
}

function transport(replay: ReplayController): Shown {
  const { last, state } = replay;
  const { at, isPlaying } = state;
  const button = (key: Key, sign: keyof typeof SIGNS, act: () => void, isOff: boolean, isMain = false) => html`
    <button class=${isMain ? "main" : ""} aria-label=${t(key)} title=${t(key)} ?disabled=${isOff} @click=${act}><svg
      viewBox="0 0 16 16" aria-hidden="true">${SIGNS[sign]}</svg></button>`;
  const to = (step: number) => () => replay.goTo(step);
  const play = () => replay.togglePlay();
  const slide = (input: Event) => replay.goTo(Number((input.target as HTMLInputElement).value));
  return html`<div class="transport" role="group" aria-label=${t("audit.replay")}>
    <div class="row">${button("audit.first", "first", to(0), at === 0)}${button(
      "audit.previous",
      "back",
      to(at - 1),
      at === 0,
    )}
      ${button(isPlaying ? "audit.pause" : "audit.play", isPlaying ? "pause" : "play", play, last === 0, true)}
      ${button("audit.next", "next", to(at + 1), at === last)}
      ${button("audit.last", "last", to(last), at === last)}</div>
    <input type="range" min="0" max=${last} .value=${String(at)} aria-label=${t("audit.slider")}
      aria-valuetext=${t("audit.step", { at: at + 1, of: last + 1 })} @input=${slide}>
    <span class="place">${at + 1} / ${last + 1}</span>
  </div>`;
}

function actor({ names }: RoundReplayed, by: string): Shown {
  const name = names[by];
  return name
    ? html`<span>${nameOf("duty", name)}</span> <span class="id">${by}</span>`
    : html`<span class="id">${by}</span>`;
}

/** The event of the shown step: who brought it about, what happened, and by which clause. */
function event(replayed: RoundReplayed, step: StepShown, { showClause }: ReplayActions): Shown {
  const about = step.circumstances;
  const noticed = about?.noticed_by ?? "";
  const roles = step.acting.map((each) => nameOf("duty", each)).join(" · ");
  return html`<section class="now ${step.irregular ? "irregular" : ""}" aria-live="polite" data-event=${step.event}>
    <div class="who"><span>#${step.number}</span><span>${toMillisecond(step.at)}</span><b
      class="position">${nameOf("duty", step.position)}</b>
      ${step.acting.length ? html`<b class="acting">${t("audit.acting", { roles })}</b>` : nothing}<span>${actor(
        replayed,
        step.by,
      )}</span></div>
    <p class="told">${step.told}</p>
    ${
      step.cites.length
        ? html`<div class="row">${step.cites.map((each) => clauseButton(each, showClause))}</div>`
        : nothing
    }
    ${about?.note ? html`<div class="who">${t("audit.note")}: ${about.note}</div>` : nothing}
    ${about?.reason ? html`<div class="who">${t("audit.reason")}: ${about.reason}</div>` : nothing}
    ${
      about && noticed !== step.by
        ? html`<div class="who">${t("audit.noticed", { who: replayed.names[noticed] || noticed })}</div>`
        : nothing
    }
    <div class="hash" title=${t("audit.hash")}>${step.hash}</div>
  </section>`;
}

function money(replayed: RoundReplayed, step: StepShown, view: StaffView): Shown {
  const moved = (account: string, patron: string | null = null) =>
    step.moved.find((each) => each.account === account && each.patron === patron)?.amount ?? 0;
  const cell = (
    name: string | TemplateResult,
    cents: number | null,
    by: number,
  ) => html`<div class=${by ? "changed" : ""}>
    <dt>${name}</dt>
    <dd>${cents === null ? "–" : amount(cents)}${
      by ? html`<span class="by ${by < 0 ? "lost" : "won"}">${signed(by)}</span>` : nothing
    }</dd></div>`;
  const patronCell = (account: "chips" | "owed", [patron, cents]: [string, number]) =>
    cell(html`${nameOf("money.account", account)} ${actor(replayed, patron)}`, cents, moved(account, patron));
  const chips = Object.entries(view.chips).filter(([patron, cents]) => cents || moved("chips", patron));
  const owed = Object.entries(view.owed).filter(([, cents]) => cents);
  return html`<dl class="money" aria-label=${t("money.moved")}>
    ${cell(nameOf("money.account", "layout"), step.layout, moved("layout"))}
    ${cell(nameOf("money.account", "float"), view.float_, moved("float"))}
    ${cell(nameOf("money.account", "commission"), view.commission, moved("commission"))}
    ${chips.map((each) => patronCell("chips", each))}
    ${owed.map((each) => patronCell("owed", each))}
  </dl>`;
}

/** What became of the wagers, once they were settled; and what a correction made of them, once it was made. */
function settlement(replayed: RoundReplayed, step: StepShown, { showClause }: ReplayActions): Shown {
  if (step.number < replayed.last_event || (!replayed.settled.length && !replayed.returned.length)) return nothing;
  const isCorrection = ["RoundCorrected", "OverlookedWagerSettled"].includes(step.event);
  const settled: readonly Settled[] = isCorrection ? replayed.corrections.map((each) => each.after) : replayed.settled;
  if (!settled.length) return nothing;
  const patrons = [...new Set(settled.map((each) => each.patron))];
  const wagersOf = (patron: string) => settled.filter((each) => each.patron === patron) as EventSettled[];
  return html`<section class="settlement" aria-label=${t("audit.settlement")}><h3>${t("audit.settlement")}${
    isCorrection ? html` <span class="tag">${t("rounds.corrected")}</span>` : nothing
  }</h3>
    ${patrons.map((each) => html`<h4>${actor(replayed, each)}</h4>${settlementTable(wagersOf(each), showClause)}`)}
  </section>`;
}

function eventList(replay: ReplayController): Shown {
  const { at, steps } = replay.state;
  return html`<section class="events" aria-label=${t("audit.events")}>
    <h3><span>${t("audit.events")}</span><span>${t("audit.events_count", { count: steps.length })}</span></h3>
    <ol tabindex="0" aria-label=${t("audit.events")}>${steps.map(
      ({ step }, index) => html`<li class=${step.irregular ? "irregular" : ""}>
      <button aria-current=${index === at ? "step" : nothing} @click=${() => replay.goTo(index)}>
        <span class="number">${step.number}</span><span class="said">${step.told}</span>
        <span></span><span class="about">${toMillisecond(step.at)} · ${nameOf("duty", step.position)}${
          step.cites.length ? ` · § ${step.cites.join(", ")}` : ""
        }${step.later ? ` · ${t("audit.later")}` : ""}</span>
      </button></li>`,
    )}</ol></section>`;
}
