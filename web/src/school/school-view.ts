/** The dealer school as markup: choosing a lesson, its questions, and its score sheet. */
import { html, nothing, type TemplateResult } from "lit";
import "./answer-form";
import "./question-scene";
import "./results-panel";
import "./score-sheet";
import type { Drill, SchoolShown, SheetShown, VerdictShown } from "../api/types";
import { nameOf, t } from "../i18n/catalogue";
import { refusalText } from "../i18n/refusal-text";
import type { Lesson } from "./lesson";
import type { SchoolController } from "./school-controller";

const LENGTHS = [5, 10, 20];

export function lessonChoice(controller: SchoolController, school: SchoolShown): TemplateResult {
  const { choice, busy } = controller.state;
  const games: [string, string][] = school.games.map((each) => [each.game, nameOf("game", each.title)]);
  const type = (event: Event) => controller.choose({ seed: (event.target as HTMLInputElement).value });
  return html`<section class="panel stack">
    <p>${t("school.about", { mark: school.pass_mark })} <span class="by-keys">${t("school.by_keys")}</span></p>
    ${choices(t("school.game"), [["", t("school.all_games")], ...games], choice.game, "game", (game) =>
      controller.choose({ game }),
    )}
    ${choices(t("school.drill"), drills(school, choice.game), choice.drill, "drill", (drill) =>
      controller.choose({ drill }),
    )}
    ${choices(
      t("school.questions"),
      LENGTHS.map((each) => [each, String(each)]),
      choice.questions,
      "questions",
      (questions) => controller.choose({ questions }),
    )}
    <label>${t("school.seed_how")}<input name="seed" inputmode="numeric" pattern="[0-9]{1,9}" .value=${choice.seed}
      @input=${type}></label>
    <div class="row"><button class="main" id="begin" ?disabled=${busy}
      @click=${() => controller.start()}>${t("school.begin")}</button></div>
  </section><punto-results></punto-results>`;
}

/** The drills of a game, or of all games. */
function drills({ games }: SchoolShown, game: string): [Drill | "", string][] {
  const all = games.filter((each) => !game || each.game === game).flatMap((each) => each.drills);
  const names = [...new Set(all.map(({ drill }) => drill))];
  return [["", t("school.all_drills")], ...names.map((each): [Drill, string] => [each, t(`school.drill.${each}`)])];
}

function choices<T extends string | number>(
  legend: string,
  all: [T, string][],
  chosen: T,
  name: string,
  choose: (each: T) => void,
): TemplateResult {
  return html`<fieldset><legend>${legend}</legend><div class="choices">${all.map(
    ([key, text]) => html`
      <button data-choice="${name}-${key}" aria-pressed=${key === chosen} @click=${() => choose(key)}>${text}</button>`,
  )}</div></fieldset>`;
}

/** `answer` is called with the learner's answer. */
export function question(
  controller: SchoolController,
  school: SchoolShown,
  lesson: Lesson,
  answer: (text: string) => void,
): TemplateResult {
  const shown = lesson.shown!;
  const { right, asked } = lesson.score;
  const { busy } = controller.state;
  return html`<div class="head"><h2>${t("school.question", {
    number: lesson.number + 1,
    of: lesson.chosen.questions,
  })}</h2>
      <span>${nameOf("game", shown.title)} · ${t(`school.drill.${shown.drill}`)}</span>
      <span class="score" data-score=${`${right}/${asked}`}>${t("school.so_far", { right, asked })}</span></div>
    <punto-scene .shown=${shown} .number=${lesson.number}></punto-scene>
    <div class="panel stack" id="now" tabindex="-1">
      <div aria-live="polite">${shown.verdict ? verdict(shown.verdict, shown.ask !== null) : nothing}
        ${shown.unreadable ? html`<p class="unreadable">${shown.unreadable}</p>` : nothing}</div>
      ${
        shown.ask
          ? html`<punto-answer .ask=${shown.ask} .rack=${school.rack} .busy=${busy}
              @answered=${(event: CustomEvent<string>) => answer(event.detail)}></punto-answer>`
          : nothing
      }
      <div class="row">${
        shown.ask
          ? html`<button class="hint" ?disabled=${busy || shown.verdict?.hint}
              @click=${() => answer("?")}>${t("school.hint")}</button>`
          : html`<button class="main" id="next" ?disabled=${busy}
              @click=${() => (lesson.last ? controller.finish() : controller.next())}>
              ${t(lesson.last ? "school.to_sheet" : "school.next")}</button>`
      }
        <button class="quiet end" ?disabled=${busy}
          @click=${() => controller.finish()}>${t("school.end")}</button></div>
    </div>`;
}

/**
 * The text of a clause is shown after a wrong answer, and at the end of a question; before that it might give away
 * what is asked next.
 */
function verdict(shown: VerdictShown, hasMore: boolean): TemplateResult {
  const kind = shown.hint ? "" : shown.right ? "right" : "wrong";
  const remark = [shown.remark, shown.refused && refusalText(shown.refused)].filter(Boolean).join(" ");
  return html`<div class="verdict ${kind}" data-verdict=${kind || "hint"}>
    ${shown.hint ? nothing : html`<strong class=${kind}>${t(shown.right ? "school.right" : "school.wrong")}</strong>`}
    ${remark ? html`<p>${remark}</p>` : nothing}
    ${shown.answer && !shown.right ? html`<p>${t("school.the_answer", { answer: shown.answer })}</p>` : nothing}
    ${shown.why ? html`<p>${shown.why}</p>` : nothing}
    ${
      shown.right && hasMore
        ? html`<p class="clause">${shown.clauses.map(({ clause }) => html`<b>§ ${clause}</b> `)}</p>`
        : shown.clauses.map(({ clause, text }) => html`<p class="clause"><b>§ ${clause}</b> ${text}</p>`)
    }
    ${shown.clauses.length ? nothing : html`<p class="clause">${t("school.house")}</p>`}</div>`;
}

export function gradedLesson(controller: SchoolController, school: SchoolShown, sheet: SheetShown): TemplateResult {
  const titles = Object.fromEntries(school.games.map((each) => [each.game, each.title]));
  return html`<div class="panel"><punto-sheet .sheet=${sheet} .titles=${titles}></punto-sheet></div>
    <div class="row no-print"><button class="main" @click=${() => print()}>${t("school.print")}</button>
      <button id="again" @click=${() => controller.again()}>${t("school.again")}</button></div>`;
}
