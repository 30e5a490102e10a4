/** Results of the school: one's own and, for those who see training, everyone's, with due dates and certificates. */
import { css, html, LitElement, nothing } from "lit";
import { ownResults, schoolResults } from "../api/school";
import { isStaff, may, signedInPerson } from "../api/session";
import type { LearnerShown, LessonKept } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { currentLanguage, nameOf, t } from "../i18n/catalogue";
import { day } from "../i18n/time";

export class PuntoResults extends LitElement {
  static override properties = { learners: { state: true } };
  declare private learners: LearnerShown[];

  static override styles = [
    common,
    css`
    :host { display: block; margin-top: 1rem; }
    table { border-collapse: collapse; width: 100%; font-size: .92rem; }
    th, td { text-align: left; padding: .3rem .5rem; border-top: 1px solid var(--line); }
    .late { color: var(--warn); }
  `,
  ];

  constructor() {
    super();
    this.learners = [];
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (isStaff(signedInPerson()) || may("see-training")) void this.load();
  }

  private async load() {
    this.learners = may("see-training") ? await schoolResults() : [await ownResults()];
  }

  override render() {
    if (!this.learners.length) return nothing;
    return html`<section class="panel stack"><h2>${t("results.title")}</h2>
      <table><thead><tr><th>${t("pit.name")}</th><th>${t("pit.duty")}</th><th>${t("results.last")}</th>
        <th>${t("results.due")}</th><th></th></tr></thead>
      <tbody>${this.learners.map((each) => this.line(each))}</tbody></table></section>`;
  }

  private line(each: LearnerShown) {
    const [last] = each.lessons;
    const certificate = each.lessons.find((lesson) => lesson.certificate);
    const late = each.due === null || each.due < Date.now();
    return html`<tr><td>${nameOf("duty", each.name)}</td><td>${nameOf("duty", each.duty)}</td>
      <td>${last ? `${day(last.at)} · ${t("school.so_far", { right: last.right, asked: last.asked })}` : "–"}</td>
      <td class=${late ? "late" : ""}>${each.due === null ? t("results.never") : day(each.due)}</td>
      <td>${certificate ? this.certificate(certificate) : nothing}</td></tr>`;
  }

  private certificate(lesson: LessonKept) {
    const path = `/api/school/results/${lesson.number}/certificate.pdf?language=${currentLanguage()}`;
    return html`<a href=${path} download>${t("results.certificate")}</a>`;
  }
}
customElements.define("punto-results", PuntoResults);
