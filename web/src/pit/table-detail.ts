/** One table in detail: play, money, setting, people, and what happened there last. */
import { html, LitElement, nothing } from "lit";
import "../components/tabs";
import "./chip-desk";
import "./panels/guard-panel";
import "./panels/rounds-panel";
import "./table-form";
import { pageConnection } from "../api/page-connection";
import { eventsTold } from "../api/pit";
import { may } from "../api/session";
import type { EventTold, GameShown, PersonShown, Pit, PitTable, StaffView } from "../api/types";
import { LanguageController } from "../controllers/language-controller";
import { currentLanguage, type Key, nameOf, t } from "../i18n/catalogue";
import { dateTime } from "../i18n/time";
import { lastCount } from "./chip-desk";
import { peoplePanel } from "./panels/people-panel";
import { playPanel } from "./panels/play-panel";
import { automationForm, settingPanel } from "./panels/setting-panel";
import { TableCommands } from "./table-commands";
import { detailStyle } from "./table-detail-style";

const TABS = ["play", "rounds", "money", "setting", "people", "events"] as const;
/** What a table keeps while it is shut. */
const SHUT_TABS = ["setting", "money", "events"] as const;

export class PuntoDetail extends LitElement {
  static override properties = {
    about: { attribute: false },
    view: { attribute: false },
    game: { attribute: false },
    pit: { attribute: false },
    staff: { attribute: false },
    names: { attribute: false },
    tab: { state: true },
    events: { state: true },
  };
  static override styles = detailStyle;
  declare about: PitTable;
  declare view: StaffView;
  declare game: GameShown;
  declare pit: Pit;
  declare staff: PersonShown[];
  /** Names of people by their ids, as far as the reader may know them. */
  declare names: ReadonlyMap<string, string>;
  declare private tab: string;
  declare private events: EventTold[];
  private readonly commands = new TableCommands(this, pageConnection, () => this.about);
  /** What the events were last asked for: a table, the number of its last event, a language. */
  private eventsAsked = "";

  constructor() {
    super();
    this.tab = "play";
    this.events = [];
    new LanguageController(this);
  }

  /** An act that waits for a second person comes first; once a table is closed, its last count and opening form do. */
  override willUpdate(changed: Map<string, unknown>) {
    if (changed.has("about") && (changed.get("about") as PitTable | undefined)?.table !== this.about.table)
      this.tab = this.view.proposed?.length ? "rounds" : "play";
    const before = changed.get("view") as StaffView | undefined;
    const isKept = SHUT_TABS.some((each) => each === this.tab);
    if (!this.view.setting && (before?.setting || !isKept)) this.tab = SHUT_TABS[0];
  }

  override updated() {
    const wanted = `${this.about.table} ${this.about.number} ${currentLanguage()}`;
    if (this.tab !== "events" || wanted === this.eventsAsked) return;
    this.eventsAsked = wanted;
    void this.readEvents();
  }

  private async readEvents() {
    this.events = await eventsTold(this.about.table, currentLanguage());
  }

  override render() {
    const automation = automationForm(this.about, this.pit, this.commands, () =>
      this.dispatchEvent(new CustomEvent("stale")),
    );
    const keys: readonly string[] = this.view.setting ? TABS : SHUT_TABS;
    const tabs = keys.map((key) => ({ key, name: t(`pit.tab.${key}` as Key) }));
    return html`<punto-tabs .tabs=${tabs} .shown=${this.tab} label=${t("seat.table", { table: this.about.table })}
      @shown=${this.openTab}>
      <div class="panel">${this.panel(this.tab, automation)}
        ${this.commands.status.view()}</div></punto-tabs>`;
  }

  private panel(tab: string, automation: unknown) {
    const { about, commands, view } = this;
    switch (tab) {
      case "rounds":
        return html`<punto-rounds .about=${about} .view=${view}></punto-rounds>`;
      case "money":
        return html`<punto-chip-desk .about=${about} .commands=${commands}></punto-chip-desk>`;
      case "setting":
        return view.setting
          ? settingPanel(view, view.setting, commands, automation)
          : html`<div class="stack">${lastCount(about)}${automation}<punto-open-table .about=${about} .game=${this.game}
              .pit=${this.pit}></punto-open-table></div>`;
      case "people":
        return peoplePanel(view, this.staff, commands, this.personName);
      case "events":
        return html`<ol class="events" tabindex="0">${this.events.map(eventLine)}</ol>`;
      default:
        return html`${playPanel(about, view, this.game, this.personName)}${
          may("guard-tables") ? html`<punto-guard table=${about.table} number=${about.number}></punto-guard>` : nothing
        }`;
    }
  }

  private openTab(event: CustomEvent<string>) {
    this.tab = event.detail;
    this.commands.status.say("");
    this.commands.drop();
  }

  private personName = (id: string): string => {
    const name = this.names.get(id) ?? id;
    return name ? nameOf("duty", name) : `${t("dealer.name_erased")} ${id}`;
  };
}

function eventLine(each: EventTold) {
  return html`<li><time>${dateTime(each.at)}</time><span>${
    each.position === "patron" ? nothing : html`<b>${actorName(each)}</b> `
  }${each.told}${
    each.clauses.length ? html` <span class="soft">§ ${each.clauses.join(", ")}</span>` : nothing
  }</span></li>`;
}

function actorName({ by, name, position }: EventTold): string {
  if (!name) return by === "automaton" ? t("pit.automaton") : nameOf("duty", position);
  return `${nameOf("duty", name)}${name === position ? "" : `, ${nameOf("duty", position)}`}`;
}
customElements.define("punto-pit-detail", PuntoDetail);
