/** What stands beside the file: its figures, what other ratios would change, another version, and a round on a felt. */
import { html, nothing, type TemplateResult } from "lit";
import type { DesignedGame, LineFigures, WagerFigures } from "../api/types";
import "../table-view/felt";
import "../table-view/hands";
import { currentLanguage, nameOf, t } from "../i18n/catalogue";
import { amount } from "../i18n/money";
import type { ShownRound } from "../table-view/shown-round";
import type { DesignController } from "./design-controller";
import { formOf, withValue } from "./form-edits";
import { quoted } from "./toml-places";

const wagerName = (name: string) => nameOf("wager", name);

/** Return the name of an outcome; those that no file names have their own. */
function outcomeName(name: string): string {
  if (name === "lose") return t("settled.lose");
  if (name === "push") return t("settled.push");
  return name === "void" ? t("rounds.void") : nameOf("outcome", name);
}

/** Return a ratio in the reader's language. */
function paysName(said: string): string {
  const [above, below] = said.split(" to ");
  if (below) return t("pays.to", { above, below });
  return said ? t("pays.push") : "";
}
const value = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value;

export function figuresPanel(desk: DesignController): TemplateResult {
  const { game, unusual, took } = desk.state;
  if (!game) return html`<p class="soft">${t("design.no_figures")}</p>`;
  return html`${deckSlider(desk, game)}
    <table class="figures"><thead><tr><th>${t("design.wager")}</th><th class="num">${t("design.edge_or_share")}</th>
      <th class="num">${t("design.hits_or_chance")}</th><th class="num">${t("design.variance")}</th></tr></thead>
    ${game.wagers.map(
      (each) => html`<tbody data-wager=${each.wager}><tr class="head"><th scope="row">${wagerName(each.wager)}</th>
        <td class="num edge">${each.edge}</td><td class="num">${each.hits}</td><td
          class="num">${each.spread}</td></tr>
        ${each.lines.map(
          (line) => html`<tr class=${line.never ? "bad" : ""}><td class="outcome">${outcomeName(line.outcome)} <span
          class="soft">${line.outcome === "push" ? "" : paysName(line.pays_said)}</span></td><td
            class="num" title=${t("design.adds")}>${line.adds}</td>
          <td class="num"
            title=${t("design.chance")}>${line.never ? t("design.never") : line.chance}</td><td></td></tr>`,
        )}
      </tbody>`,
    )}</table>
    <p class="soft">${t("design.share_told")}</p>
    ${
      unusual.length
        ? html`<h2>${t("design.unusual")}</h2><ul class="unusual">${unusual.map(
            (each) => html`<li data-code=${each.code}>${each.words[currentLanguage()]}</li>`,
          )}</ul>`
        : nothing
    }
    ${
      took === null
        ? nothing
        : html`<p
      class="soft" id="took" data-ms=${took.toFixed(1)}>${t("design.took", { ms: Math.round(took) })}</p>`
    }`;
}

function deckSlider(desk: DesignController, game: DesignedGame) {
  return html`<label class="slider">${t("design.decks", { decks: game.decks })}<input type="range" name="decks"
    min=${game.fewest_decks} max=${game.most_decks} .value=${String(game.decks)}
    @input=${(event: Event) => desk.setDecks(Number(value(event)))}></label>`;
}

// --- what if

/** Return a ratio as a number for a slider, from what is tried or from the file's. */
function asNumber(said: string): number {
  const [above, below] = said.split(" to ").map(Number);
  return Number.isFinite(above) ? above! / (below || 1) : 0;
}

/** Return a ratio as the file writes it, from a slider's number. */
const asRatio = (number: number) => `${Number(number.toFixed(2))} to 1`;

export function whatIfPanel(desk: DesignController): TemplateResult {
  const { game, trial, tried } = desk.state;
  if (!game) return html`<p class="soft">${t("design.no_figures")}</p>`;
  const some = Object.keys(tried).length > 0;
  return html`${deckSlider(desk, game)}${game.wagers.map((each) => {
    const other = trial?.wagers.find((one) => one.wager === each.wager);
    return html`<details
      class="try" data-wager=${each.wager} ?open=${each.wager in tried}><summary>${wagerName(each.wager)}
      <span class="edge">${each.edge}</span>${
        other && other.edge !== each.edge ? html` → <b class="edge changed">${other.edge}</b>` : nothing
      }</summary>
      ${each.lines.filter((line) => line.result === "win").map((line) => ratioSlider(desk, each, line))}
      ${targetForm(desk, each)}</details>`;
  })}
  ${
    some
      ? html`<div class="row"><button
        class="main" id="write-tried" @click=${() => writeTried(desk)}>${t("design.write_tried")}</button>
      <button @click=${() => desk.stopTrying()}>${t("design.forget_tried")}</button></div>`
      : nothing
  }`;
}

function ratioSlider(desk: DesignController, wager: WagerFigures, line: LineFigures) {
  const said = desk.state.tried[wager.wager]?.[line.outcome] ?? line.pays_said;
  const [own, now] = [asNumber(line.pays_said), asNumber(said)];
  const step = own < 3 ? 0.05 : own < 10 ? 0.5 : 1;
  return html`<label class="slider">${outcomeName(line.outcome)}: ${paysName(said)}<input type="range" min=${step}
    max=${Math.max(2 * own, 4)} step=${step} data-outcome=${line.outcome} .value=${String(now)}
    @input=${(event: Event) => desk.tryRatio(wager.wager, line.outcome, asRatio(Number(value(event))))}></label>`;
}

function targetForm(desk: DesignController, wager: WagerFigures) {
  const wins = wager.lines.filter((line) => line.result === "win");
  const find = (event: Event) => {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement);
    const outcome = String(given.get("outcome"));
    desk.findRatios(wager.wager, String(given.get("target")), { [outcome]: String(given.get("allowed")) });
  };
  const found = desk.state.found.filter((each) =>
    Object.keys(each.pays).every((one) => wins.some((w) => w.outcome === one)),
  );
  return html`<form class="row target" @submit=${find}>
    <label>${t("design.target")}<input name="target" value="5%" class="short" required></label>
    <label>${t("design.by_outcome")}<select name="outcome">${wins.map(
      (each) => html`<option value=${each.outcome}>${outcomeName(each.outcome)}</option>`,
    )}</select></label>
    <label>${t("design.allowed")}<input name="allowed" value="1..60" required></label>
    <button>${t("design.find")}</button></form>
    ${found.map(
      (each) => html`<div
        class="row found">${Object.entries(each.pays).map(
          ([name, pays]) => html`<span>${outcomeName(name)} ${paysName(pays)}</span>`,
        )}
      <b class="edge">${each.edge}</b><button data-use @click=${() => {
        for (const [name, pays] of Object.entries(each.pays)) desk.tryRatio(wager.wager, name, pays);
      }}>${t("design.use")}</button></div>`,
    )}`;
}

/** Write what is tried into the file. */
function writeTried(desk: DesignController): void {
  let { text } = desk.state;
  for (const [wager, outcomes] of Object.entries(desk.state.tried)) {
    for (const [outcome, pays] of Object.entries(outcomes)) {
      const line = formOf(text)
        ?.wagers.find((each) => each.name === wager)
        ?.lines.find((each) => each.outcome === outcome);
      if (line) text = withValue(text, line.at, "pays", quoted(pays));
    }
  }
  desk.stopTrying();
  desk.type(text);
}

// --- another version

export function comparePanel(desk: DesignController): TemplateResult {
  const { game, other, files } = desk.state;
  return html`<label>${t("design.compare_with")}<select
    name="other" @change=${(event: Event) => desk.compareWith(value(event))}>
      <option value="" disabled selected>${t("design.choose")}</option><option
        value="">${t("design.as_opened")}</option>
      ${files.map((each) => html`<option value=${each.digest}>${fileName(each)}</option>`)}</select></label>
    ${game && other ? compared(game, other) : nothing}`;
}

interface Named {
  title: string;
  version?: string | null;
  approved: boolean;
  known?: boolean;
}

export const fileName = ({ title, version, approved, known }: Named) =>
  [
    nameOf("game", title),
    version ? t("design.version", { version }) : "",
    approved ? t("design.approved") : known ? t("design.known") : "",
  ]
    .filter(Boolean)
    .join(" · ");

function compared(now: DesignedGame, then: DesignedGame) {
  const names = [...new Set([...then.wagers, ...now.wagers].map((each) => each.wager))];
  return html`<table class="compared"><thead><tr><th>${t("design.wager")}</th><th></th><th
    class="num">${t("design.other")}</th>
    <th class="num">${t("design.this")}</th></tr></thead>${names.map((name) => {
      const [a, b] = [then, now].map((game) => game.wagers.find((each) => each.wager === name));
      const outcomes = [...new Set([...(a?.lines ?? []), ...(b?.lines ?? [])].map((each) => each.outcome))];
      const line = (of: WagerFigures | undefined, outcome: string) => {
        const found = of?.lines.find((each) => each.outcome === outcome);
        return found ? `${paysName(found.pays_said)} ${found.chance}`.trim() : "–";
      };
      return html`<tbody>${row(wagerName(name), t("design.edge"), a?.edge, b?.edge)}
        ${row("", t("design.hits"), a?.hits, b?.hits)}${row("", t("design.variance"), a?.spread, b?.spread)}
        ${outcomes.map((each) => row("", outcomeName(each), line(a, each), line(b, each)))}</tbody>`;
    })}</table>`;
}

function row(wager: string, what: string, then = "–", now = "–") {
  const differs = then !== now;
  return html`<tr class=${differs ? "differs" : ""}><th scope="row">${wager}</th><td>${what}</td><td
    class="num">${then}</td>
    <td class="num">${now}${differs ? html` <b aria-label=${t("design.differs")}>●</b>` : nothing}</td></tr>`;
}

// --- a round

const RESULTS: Record<string, string> = { win: "won", lose: "lost" };

export function playPanel(desk: DesignController): TemplateResult {
  const { game, coup } = desk.state;
  if (!game) return html`<p class="soft">${t("design.no_figures")}</p>`;
  const laid = game.wagers.map(({ wager }) => ({ patron: "", position: 1, wager, amount: 10_000 }));
  const deal = (event: Event) => {
    event.preventDefault();
    desk.deal(String(new FormData(event.target as HTMLFormElement).get("cards")).trim());
  };
  return html`<div class="felt cloth">${
    coup ? html`<punto-hands .round=${roundOf(coup)}></punto-hands>` : nothing
  }<punto-felt .wagers=${game.wagers.map((each) => each.wager)} lettering="20" .positions=${1}
      .laid=${laid}></punto-felt></div>
    <form class="row" @submit=${deal}><label>${t("design.cards")}<input
      name="cards" placeholder="4h Kh 4h Kc"></label>
      <button class="main" id="deal">${t("design.deal")}</button></form>
    ${
      coup
        ? html`<table class="settled"><thead><tr><th>${t("design.wager")}</th><th>${t("design.line")}</th><th
      class="num">${t("design.field.pays")}</th><th
        class="num">${t("design.returned")}</th><th>${t("design.clause")}</th></tr></thead><tbody>${coup.wagers.map(
          (each) => html`<tr data-wager=${each.wager} data-result=${each.result}><th
          scope="row">${wagerName(each.wager)}</th><td
        class=${RESULTS[each.result] ?? ""}>${outcomeName(each.outcome)}</td><td
        class="num">${paysName(each.pays_said)}</td><td
          class="num">${amount(each.returned)}</td><td>${each.clause}</td></tr>`,
        )}</tbody></table>`
        : nothing
    }`;
}

function roundOf(coup: NonNullable<DesignController["state"]["coup"]>): ShownRound {
  const { player, banker, player_total, banker_total, winner } = coup;
  return {
    round: 1,
    hands: { player, banker },
    totals: { player: player_total, banker: banker_total },
    outcome: { player_total, banker_total, winner },
    settled: null,
    winning: coup.wagers.filter((each) => each.result === "win").map((each) => each.wager),
    void: null,
  };
}
