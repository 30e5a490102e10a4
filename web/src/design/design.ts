/** The design page: a game's file as text or as a form, and its exact figures as one types. */
import { css, html, LitElement, nothing } from "lit";
import "../components/sign-in";
import "../components/tabs";
import "../components/top-bar";
import { may, signedInPerson } from "../api/session";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { ListenerController } from "../controllers/listener-controller";
import { loadLanguage, t } from "../i18n/catalogue";
import { DesignController, type Panel } from "./design-controller";
import { comparePanel, figuresPanel, fileName, playPanel, whatIfPanel } from "./design-panels";
import { style } from "./design-style";
import { formOf } from "./form-edits";
import { gameForm } from "./game-form";
import type { LineMark, PuntoTextEditor } from "./text-editor";
import "./text-editor";
import { lineAt, lineOf } from "./toml-places";

const PANELS: readonly Panel[] = ["file", "figures", "whatif", "compare", "play"];

class PuntoDesign extends LitElement {
  private readonly permitted = may("design-games");
  private readonly desk = new DesignController(this, this.permitted);

  static override styles = [common, css`${style}`];

  static override properties = { narrow: { state: true } };
  /** Whether this is a phone, which shows either the file or one panel. */
  declare private narrow: boolean;

  constructor() {
    super();
    new LanguageController(this);
    const screen = matchMedia("(max-width: 860px)");
    this.narrow = screen.matches;
    new ListenerController(
      this,
      "change",
      () => {
        this.narrow = screen.matches;
      },
      screen,
    );
  }

  protected override updated(): void {
    document.title = `Punto · ${t("design.title")}`;
  }

  override render() {
    return html`<punto-top home heading=${t("design.title")}></punto-top>${
      this.permitted ? this.page() : html`<main class="away">${this.turnedAway()}</main>`
    }`;
  }

  private turnedAway() {
    return signedInPerson() ? html`<p>${t("design.not_permitted")}</p>` : html`<punto-sign-in></punto-sign-in>`;
  }

  private page() {
    const { panel } = this.desk.state;
    const tabs = PANELS.filter((key) => key !== "file" || this.narrow).map((key) => ({
      key,
      name: t(`design.tab.${key}`),
    }));
    return html`<main class="on-${panel}">
      ${this.bar()}
      <section class="file" aria-label=${t("design.tab.file")}>${this.file()}</section>
      <section class="beside"><punto-tabs sticky .tabs=${tabs} .shown=${panel} label=${t("design.panels")}
        @shown=${({ detail }: CustomEvent<Panel>) => this.desk.show({ panel: detail })}>${
          panel === "whatif"
            ? whatIfPanel(this.desk)
            : panel === "compare"
              ? comparePanel(this.desk)
              : panel === "play"
                ? playPanel(this.desk)
                : figuresPanel(this.desk)
        }</punto-tabs></section>
    </main>`;
  }

  private bar() {
    const { files, view, text, kept, said, mistake } = this.desk.state;
    const one = document.body.dataset.file;
    return html`<div class="bar">
      ${
        one
          ? html`<b>${one}</b>`
          : html`<label class="open"><span class="unseen">${t("design.open")}</span><select
            name="open" @change=${this.open}>
        <option value="" disabled selected>${t("design.open")}</option><option value="new">${t("design.new")}</option>
        ${files.map((each) => html`<option value=${each.digest}>${fileName(each)}</option>`)}</select></label>`
      }
      <div role="group" aria-label=${t("design.view")} class="row">${(["text", "form"] as const).map(
        (each) => html`<button data-view=${each} aria-pressed=${view === each}
          @click=${() => this.desk.show({ view: each })}>${t(`design.view.${each}`)}</button>`,
      )}</div>
      <button
        class="main" id="save" ?disabled=${Boolean(mistake)} @click=${() => void this.save()}
        >${t(one ? "design.save" : "design.save_version")}</button>
      ${text === kept ? nothing : html`<span class="soft">${t("design.changed")}</span>`}
      ${
        said
          ? html`<p
        class="said ${said.bad ? "lost" : "won"}" role=${said.bad ? "alert" : "status"}>${said.text}</p>`
          : nothing
      }
    </div>`;
  }

  private file() {
    const { mistake, view, text } = this.desk.state;
    const line = this.wrongLine();
    return html`${
      mistake
        ? html`<p class="mistake" role="alert"><button class="quiet" @click=${() => this.goTo(line)}>${
            line ? t("design.at_line", { line }) : t("design.in_file")
          }</button> <code>${mistake.key}</code> <span lang="en">${mistake.sentence}</span></p>`
        : nothing
    }<div class="scroll" tabindex="-1">${
      view === "form"
        ? gameForm(this.desk)
        : html`<punto-text-editor .text=${text} .marks=${this.marks()} .wrong=${line}
        @typed=${({ detail }: CustomEvent<string>) => this.desk.type(detail)}></punto-text-editor>`
    }</div>`;
  }

  private wrongLine(): number | null {
    const { mistake, text } = this.desk.state;
    return mistake ? (mistake.line ?? lineOf(text, mistake.key ?? "")) : null;
  }

  private goTo(line: number | null): void {
    this.desk.show({ view: "text" });
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<PuntoTextEditor>("punto-text-editor")?.goTo(line ?? 1),
    );
  }

  /** What stands beside each line of the text: the edge of a wager, and the chance and the share of each pay line. */
  private marks(): Map<number, LineMark> {
    const { game, text, mistake } = this.desk.state;
    const marks = new Map<number, LineMark>();
    const form = mistake ? null : formOf(text);
    for (const wager of form?.wagers ?? []) {
      const figures = game?.wagers.find((each) => each.wager === wager.name);
      if (!figures) continue;
      marks.set(lineAt(text, wager.at.from), { text: figures.edge, kind: "edge" });
      for (const line of wager.lines) {
        const found = figures.lines.find((each) => each.outcome === line.outcome);
        if (!found) continue;
        const mark: LineMark = found.never
          ? { text: t("design.never"), kind: "wrong" }
          : { text: `${found.chance} · ${found.adds}`, kind: "figure" };
        marks.set(lineAt(text, line.at.from), mark);
      }
    }
    return marks;
  }

  private open(event: Event) {
    const chosen = event.target as HTMLSelectElement;
    const { text, kept } = this.desk.state;
    if (text === kept || confirm(t("design.leave_changes"))) this.desk.open(chosen.value === "new" ? "" : chosen.value);
    chosen.value = "";
  }

  private save() {
    return this.desk.save(({ game, version, file }) =>
      file ? t("design.saved_file", { file }) : t("design.saved", { game: game ?? "", version: version || "–" }),
    );
  }
}

await loadLanguage();
customElements.define("punto-design", PuntoDesign);
