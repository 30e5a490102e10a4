/** The house's people: their names and duties, and the link or token by which each first signs in. */
import { css, html, LitElement, nothing } from "lit";
import { addPerson, erasePerson, newLink, people, renamePerson, setActive, staff } from "../api/pit";
import { may } from "../api/session";
import type { AddedPerson, PersonShown, Pit } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { RequestStatus } from "../controllers/request-status";
import { nameOf, t } from "../i18n/catalogue";
import type { PitEntry } from "./table-order";

export class PuntoPeople extends LitElement {
  static override properties = {
    pit: { attribute: false },
    tables: { attribute: false },
    listed: { state: true },
    way: { state: true },
    wanted: { state: true },
    edited: { state: true },
  };
  declare pit: Pit;
  declare tables: PitEntry[];
  declare private listed: PersonShown[];
  /** The link or token of a person who was added or gets a new one: it is shown once. */
  declare private way: AddedPerson | null;
  declare private wanted: string;
  /** The person whose name is being changed or erased, or who would be disabled by another press. */
  declare private edited: { person: string; act: "rename" | "erase" | "disable" } | null;
  private readonly status = new RequestStatus(this);

  static override styles = [
    common,
    css`
    .stack { gap: 1rem; }
    form.row { align-items: end; }
    form label { flex: 1 1 12rem; max-width: 20rem; }
    form input, form select { width: 100%; }
    .card { background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: .8rem 1rem; }
    .way { border-color: var(--gold); background: var(--held); display: grid; gap: .5rem; }
    .way p { margin: 0; }
    .way input { flex: 1 1 20rem; font-family: ui-monospace, monospace; font-size: .9rem; }
    td { vertical-align: middle; }
    tr.gone td { color: var(--ink-soft); }
    td .row { justify-content: flex-end; }
    td button { min-height: 2.1rem; padding: .15rem .7rem; }
    .tag { font-size: .8rem; border: 1px dashed var(--line); border-radius: 99px; padding: 0 .5rem; }
    input[type=search] { min-width: 14rem; }
    @media (max-width: 600px) {
      thead { display: none; }
      tr { display: grid; grid-template-columns: 1fr auto; padding: .3rem 0; border-bottom: 1px solid var(--line); }
      td { border: 0; padding: .1rem .2rem; }
    }
  `,
  ];

  constructor() {
    super();
    this.listed = [];
    this.way = null;
    this.wanted = "";
    this.edited = null;
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.read();
  }

  private async read() {
    this.listed = (await this.status.followRequest(may("register-patrons") ? people() : staff())) ?? [];
  }

  override render() {
    const duties = this.pit.duties.filter((each) =>
      may("keep-people") ? true : each === "patron" && may("register-patrons"),
    );
    const words = this.wanted.toLowerCase();
    const shown = this.listed.filter((each) =>
      `${each.name} ${each.duty} ${nameOf("duty", each.duty)}`.toLowerCase().includes(words),
    );
    return html`<div class="stack">
      ${
        duties.length
          ? html`<form class="card row" @submit=${this.add}><label>${t("pit.name")}<input name="name" autocomplete="off"
        required maxlength="60"></label>
        <label>${t("pit.duty")}<select name="duty">${duties.map(
          (each) => html`<option
          value=${each}>${nameOf("duty", each)}</option>`,
        )}</select></label>
        <button class="main" ?disabled=${this.status.busy}>${t("pit.add_person")}</button></form>`
          : html`<p class="card soft">${t("pit.people_by_managers")}</p>`
      }
      ${this.status.view()}${this.way ? this.wayIn(this.way) : nothing}
      <div class="card"><div class="row"><input type="search" aria-label=${t("pit.find_person")}
        placeholder=${t("pit.find_person")}
        @input=${(event: Event) => (this.wanted = (event.target as HTMLInputElement).value)}><span
        class="soft">${t("pit.so_many", { count: shown.length })}</span></div>
        <table><thead><tr><th>${t("pit.name")}</th><th>${t("pit.duty")}</th><th>${t("pit.acting")}</th><th></th></tr>
        </thead>
          <tbody>${shown.map((each) => this.row(each, duties.includes(each.duty)))}</tbody></table></div></div>`;
  }

  private row(person: PersonShown, keeps: boolean) {
    const gone = person.active === false;
    const acts = this.tables.flatMap(({ about, view }) =>
      (view?.acting ?? [])
        .filter((each) => each.person === person.id)
        .map((each) => `${about.table}: ${nameOf("duty", each.role)}`),
    );
    return html`<tr class=${gone ? "gone" : ""}
      data-person=${person.id}><td>${person.erased ? t("dealer.name_erased") : nameOf("duty", person.name)} ${
        gone ? html`<span class="tag">${t("pit.disabled")}</span>` : nothing
      }${person.guest ? html`<span class="tag">${t("pit.guest")}</span>` : nothing}</td>
      <td>${nameOf("duty", person.duty)}</td><td>${acts.join(", ")}</td>
      <td>${
        keeps && !person.erased
          ? html`<div class="row">${
              gone
                ? nothing
                : html`<button ?disabled=${this.status.busy}
        @click=${() => this.link(person)}>${person.duty === "Device" ? t("pit.new_token") : t("pit.new_link")}</button>`
            }
        <button ?disabled=${this.status.busy}
          @click=${() => this.turn(person, gone)}>${this.turnLabel(person)}</button>
        <button @click=${() => this.edit(person, "rename")}>${t("pit.rename")}</button>${
          may("erase") ? html`<button @click=${() => this.edit(person, "erase")}>${t("pit.erase")}</button>` : nothing
        }</div>${this.edited?.person === person.id ? this.editing(person, this.edited.act) : nothing}`
          : nothing
      }</td></tr>`;
  }

  private turnLabel(person: PersonShown): string {
    if (person.active === false) return t("pit.enable");
    return this.isAsked(person) ? t("dealer.sure", { what: t("pit.disable") }) : t("pit.disable");
  }

  private isAsked({ id }: PersonShown): boolean {
    return this.edited?.person === id && this.edited.act === "disable";
  }

  private edit(person: PersonShown, act: "rename" | "erase" | "disable"): void {
    this.edited = { person: person.id, act };
  }

  /** The form for another name, or for the reason why a name is erased for good. */
  private editing(person: PersonShown, act: "rename" | "erase" | "disable") {
    if (act === "disable") return nothing;
    const send = async (event: SubmitEvent) => {
      event.preventDefault();
      const typed = String(new FormData(event.target as HTMLFormElement).get("typed")).trim();
      const asked = act === "rename" ? renamePerson(person.id, typed) : erasePerson(person.id, typed);
      if (!(await this.status.followRequest(asked, t(`pit.${act}.done`)))) return;
      this.edited = null;
      await this.readAgain();
    };
    return html`<form class="row edit" @submit=${send}><label>${t(`pit.${act}.ask`)}<input name="typed" required
        maxlength="60" autocomplete="off" .value=${act === "rename" ? person.name : ""}></label>
      <button class="main" ?disabled=${this.status.busy}>${t(`pit.${act}.do`)}</button>
      <button type="button" @click=${() => (this.edited = null)}>${t("pit.cancel")}</button></form>`;
  }

  private wayIn({ person, link, token }: AddedPerson) {
    const told = link ? new URL(`/enter/${link}`, location.href).href : (token ?? "");
    return html`<section class="card way" aria-label=${t("pit.way_in")}><p><b>${nameOf("duty", person.name)}</b> · ${
      link ? t("pit.link_once") : t("pit.token_once")
    }</p>
      <div class="row"><input class="link" readonly aria-label=${t("pit.way_in")} .value=${told}
        @focus=${(event: Event) => (event.target as HTMLInputElement).select()}>
        <button class="main" @click=${() => this.copy(told)}>${t("pit.copy")}</button><button
          @click=${() => (this.way = null)}>${t("seat.close")}</button></div></section>`;
  }

  private async copy(told: string) {
    const copied = await navigator.clipboard?.writeText(told).then(
      () => true,
      () => false,
    );
    if (!copied) this.renderRoot.querySelector<HTMLInputElement>("input.link")?.select();
    this.status.say(copied ? t("pit.copied") : t("pit.not_copied"), !copied);
  }

  private async add(event: SubmitEvent) {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const asked = new FormData(form);
    const added = await this.status.followRequest(
      addPerson(String(asked.get("name")), asked.get("duty") as PersonShown["duty"]),
    );
    if (!added) return;
    form.reset();
    this.way = added;
    await this.read();
  }

  private async link(person: PersonShown) {
    this.way = (await this.status.followRequest(newLink(person.id))) ?? this.way;
  }

  /** Let a person in again, or keep them out; the latter is asked about once. */
  private async turn(person: PersonShown, active: boolean) {
    if (!active && !this.isAsked(person)) return this.edit(person, "disable");
    this.edited = null;
    if (
      await this.status.followRequest(
        setActive(person.id, active),
        active ? t("pit.enabled_now") : t("pit.disabled_now"),
      )
    )
      await this.readAgain();
  }

  /** Read the list and leave the status of the last request in sight. */
  private async readAgain() {
    this.listed = await (may("register-patrons") ? people() : staff());
  }
}
customElements.define("punto-people", PuntoPeople);
