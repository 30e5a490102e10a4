/** The house's people: their names and duties, and the link or token by which each first signs in. */
import { css, html, LitElement, nothing } from "lit";
import "../access/person-requests";
import type { PuntoPersonRequests } from "../access/person-requests";
import { askToRemoveFactor } from "../api/account";
import {
  addDevice,
  addPerson,
  bindDevice,
  devices,
  erasePerson,
  newLink,
  people,
  renamePerson,
  revokeDevice,
  setActive,
  staff,
} from "../api/pit";
import { may } from "../api/session";
import type { AddedPerson, DeviceShown, PersonShown, Pit } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { RequestStatus } from "../controllers/request-status";
import { nameOf, t } from "../i18n/catalogue";
import type { PitEntry } from "./table-order";

type Act = "rename" | "erase" | "disable" | "bind" | "revoke";

export class PuntoPeople extends LitElement {
  static override properties = {
    pit: { attribute: false },
    tables: { attribute: false },
    listed: { state: true },
    way: { state: true },
    wanted: { state: true },
    edited: { state: true },
    duty: { state: true },
    bound: { state: true },
  };
  declare pit: Pit;
  declare tables: PitEntry[];
  declare private listed: PersonShown[];
  /** The link or token of a person who was added or gets a new one: it is shown once. */
  declare private way: AddedPerson | null;
  declare private wanted: string;
  /** The person whose name is being changed or erased, or who would be disabled by another press. */
  declare private edited: { person: string; act: Act } | null;
  /** The duty of the person to add: a device is bound to a table as well. */
  declare private duty: string;
  /** By id, the table that each device is bound to; null for none. */
  declare private bound: Record<string, string | null>;
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
    this.duty = "";
    this.bound = {};
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.read();
  }

  private async read() {
    this.listed = (await this.status.followRequest(may("register-patrons") ? people() : staff())) ?? [];
    await this.readDevices();
  }

  private async readDevices() {
    const listed: DeviceShown[] = may("see-pit") ? await devices().catch(() => []) : [];
    this.bound = Object.fromEntries(listed.map((each) => [each.id, each.table]));
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
        <label>${t("pit.duty")}<select name="duty"
          @change=${(event: Event) => (this.duty = (event.target as HTMLSelectElement).value)}>${duties.map(
            (each) => html`<option
          value=${each}>${nameOf("duty", each)}</option>`,
          )}</select></label>
        ${this.duty === "Device" ? this.tableChoice() : nothing}
        <button class="main" ?disabled=${this.status.busy}>${t("pit.add_person")}</button></form>`
          : html`<p class="card soft">${t("pit.people_by_managers")}</p>`
      }
      ${this.status.view()}${this.way ? this.wayIn(this.way) : nothing}${
        may("register-patrons")
          ? html`<punto-person-requests
              @confirmed=${(event: CustomEvent<AddedPerson>) => this.confirmed(event.detail)}></punto-person-requests>`
          : nothing
      }
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
      <td>${nameOf("duty", person.duty)}</td><td>${person.duty === "Device" ? this.place(person) : acts.join(", ")}</td>
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
        ${person.duty === "Device" ? this.deviceButtons(person, gone) : nothing}
        ${
          person.second_factor && may("keep-people")
            ? html`<button ?disabled=${this.status.busy}
          @click=${() => this.removeFactor(person)}>${t("factor.remove")}</button>`
            : nothing
        }
        <button @click=${() => this.edit(person, "rename")}>${t("pit.rename")}</button>${
          may("erase") ? html`<button @click=${() => this.edit(person, "erase")}>${t("pit.erase")}</button>` : nothing
        }</div>${this.edited?.person === person.id ? this.editing(person, this.edited.act) : nothing}`
          : nothing
      }</td></tr>`;
  }

  private tableChoice() {
    return html`<label>${t("pit.device_table")}<select name="table" required>${this.tables.map(
      ({ about }) => html`<option value=${about.table}>${about.table}</option>`,
    )}</select></label>`;
  }

  private place({ id }: PersonShown) {
    const table = this.bound[id];
    if (table === undefined) return nothing;
    return table ?? html`<b class="tag">${t("pit.device_unbound")}</b>`;
  }

  private deviceButtons(person: PersonShown, gone: boolean) {
    if (gone || !may("keep-devices")) return nothing;
    const asked = this.isAsked(person, "revoke");
    return html`<button @click=${() => this.edit(person, "bind")}>${t("pit.bind")}</button>
      <button ?disabled=${this.status.busy} @click=${() => this.revoke(person)}>${
        asked ? t("dealer.sure", { what: t("pit.revoke") }) : t("pit.revoke")
      }</button>`;
  }

  private turnLabel(person: PersonShown): string {
    if (person.active === false) return t("pit.enable");
    return this.isAsked(person) ? t("dealer.sure", { what: t("pit.disable") }) : t("pit.disable");
  }

  private isAsked({ id }: PersonShown, act: Act = "disable"): boolean {
    return this.edited?.person === id && this.edited.act === act;
  }

  private edit(person: PersonShown, act: Act): void {
    this.edited = { person: person.id, act };
  }

  /** The form for another name, or for the reason why a name is erased for good. */
  private editing(person: PersonShown, act: Act) {
    if (act === "disable" || act === "revoke") return nothing;
    if (act === "bind") return this.binding(person);
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

  /** The form for the table that a device is bound to from now on. */
  private binding(person: PersonShown) {
    const send = async (event: SubmitEvent) => {
      event.preventDefault();
      const table = String(new FormData(event.target as HTMLFormElement).get("table"));
      if (!(await this.status.followRequest(bindDevice(person.id, table), t("pit.bound_now")))) return;
      this.edited = null;
      await this.readDevices();
    };
    return html`<form class="row edit" @submit=${send}>${this.tableChoice()}
      <button class="main" ?disabled=${this.status.busy}>${t("pit.bind")}</button>
      <button type="button" @click=${() => (this.edited = null)}>${t("pit.cancel")}</button></form>`;
  }

  /** End every token of a device; it is asked about once. */
  private async revoke(person: PersonShown) {
    if (!this.isAsked(person, "revoke")) return this.edit(person, "revoke");
    this.edited = null;
    await this.status.followRequest(revokeDevice(person.id), t("pit.revoked_now"));
  }

  private wayIn({ person, link, token }: AddedPerson) {
    const told = link ? new URL(`/enter#${link}`, location.href).href : (token ?? "");
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
    const name = String(asked.get("name"));
    const added = await this.status.followRequest(
      asked.get("table")
        ? addDevice(name, String(asked.get("table")))
        : addPerson(name, asked.get("duty") as PersonShown["duty"]),
    );
    if (!added) return;
    form.reset();
    this.duty = "";
    await this.read();
    await this.showWay(added);
  }

  private async link(person: PersonShown) {
    const made = await this.status.followRequest(newLink(person.id));
    if (made) await this.showWay(made);
  }

  /** Show a link or token; one that takes a second person waits for them. */
  private async showWay(made: AddedPerson) {
    this.way = made.request ? null : made;
    if (!made.request) return;
    this.status.say(t("requests.waits"));
    await this.renderRoot.querySelector<PuntoPersonRequests>("punto-person-requests")?.read();
  }

  private async confirmed(made: AddedPerson) {
    if (made.link) this.way = made;
    await this.readAgain();
  }

  private async removeFactor(person: PersonShown) {
    if (await this.status.followRequest(askToRemoveFactor(person.id), t("requests.waits")))
      await this.renderRoot.querySelector<PuntoPersonRequests>("punto-person-requests")?.read();
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
