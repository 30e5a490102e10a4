/** People at a table: patrons with their chips, and staff acting in other positions. */
import { html, nothing } from "lit";
import type { PersonShown, StaffView } from "../../api/types";
import { nameOf, t } from "../../i18n/catalogue";
import { amount } from "../../i18n/money";
import { dateTime, parseLocal } from "../../i18n/time";
import type { TableCommands } from "../table-commands";
import { total } from "../table-order";

type NameOf = (id: string) => string;

export function peoplePanel(view: StaffView, staff: PersonShown[], commands: TableCommands, personName: NameOf) {
  return html`<div class="columns"><div><h3>${t("pit.patrons")}</h3>${patronList(view, personName)}</div>
    <div><h3>${t("pit.on_duty")}</h3>${rotation(view, staff, commands, personName)}
      <h3>${t("pit.acting")}</h3>
      ${actingList(view, commands, personName)}${appointment(staff, commands)}</div></div>`;
}

/** The Dealer on duty, and who relieves them. */
function rotation({ on_duty }: StaffView, staff: PersonShown[], commands: TableCommands, personName: NameOf) {
  const [off] = commands.offered("SignOff");
  const dealers = staff.filter((each) => each.duty === "Dealer" && each.active !== false && each.id !== on_duty);
  const relieve = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    if (await commands.give("SignOn", { dealer: new FormData(form).get("dealer") })) form.reset();
  };
  return html`<p class="on-duty">${on_duty ? personName(on_duty) : t("pit.nobody_on_duty")}
      ${commands.button(off, t("pit.do.SignOff"), () => commands.give("SignOff", off!.values))}</p>
    ${
      dealers.length && commands.offered("SignOn").some((each) => each.mine)
        ? html`<form class="row relief" @submit=${relieve}><label>${t("pit.relief")}<select name="dealer">${dealers.map(
            (each) => html`<option value=${each.id}>${nameOf("duty", each.name)}</option>`,
          )}</select></label><button ?disabled=${commands.status.busy}>${t("pit.do.SignOn")}</button></form>`
        : nothing
    }`;
}

function patronList({ chips, owed, wagers }: StaffView, personName: NameOf) {
  const all = [...new Set([...Object.keys(chips), ...Object.keys(owed)])];
  const patrons = all.filter((each) => chips[each] || owed[each]);
  if (!patrons.length) return html`<p class="soft">${t("pit.no_patrons")}</p>`;
  const laid = (patron: string) => total(wagers.filter((each) => each.patron === patron));
  return html`<table><thead><tr><th>${t("pit.patron")}</th><th class="num">${t("seat.chips")}</th>
      <th class="num">${t("seat.on_layout")}</th><th class="num">${t("pit.owes")}</th></tr></thead>
    <tbody>${patrons.map(
      (each) => html`<tr><td>${personName(each)}</td><td class="num">${amount(chips[each] ?? 0)}</td>
        <td class="num">${amount(laid(each))}</td>
        <td class="num ${owed[each] ? "lost" : ""}">${owed[each] ? amount(owed[each]) : "–"}</td></tr>`,
    )}</tbody></table>`;
}

function actingList({ acting }: StaffView, commands: TableCommands, personName: NameOf) {
  if (!acting.length) return html`<p class="soft">${t("pit.nobody_acts")}</p>`;
  const ends = commands.offered("EndActing");
  return html`<ul class="acting">${acting.map(({ person, role, until }) => {
    const end = ends.find(({ values }) => values.person === person && values.role === role);
    return html`<li>${t("pit.acts_as", { who: personName(person), role: nameOf("duty", role) })}${
      until ? ` · ${t("pit.until", { time: dateTime(until) })}` : ""
    }
      ${commands.button(end, t("pit.do.EndActing"), () => commands.give("EndActing", { person, role }))}</li>`;
  })}</ul>`;
}

function appointment(staff: PersonShown[], commands: TableCommands) {
  const roles = commands.offered("AppointActing").filter((each) => each.mine);
  if (!roles.length) return nothing;
  const appoint = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const until = parseLocal(String(form.get("until") ?? ""));
    await commands.give("AppointActing", { person: form.get("person"), role: form.get("role"), until });
  };
  return html`<form class="stack" @submit=${appoint}><label>${t("pit.person")}<select name="person">${staff
    .filter((each) => each.active !== false)
    .map((each) => html`<option value=${each.id}>${nameOf("duty", each.name)}</option>`)}</select></label>
    <label>${t("pit.position")}<select name="role">${roles.map(
      ({ values }) => html`<option value=${String(values.role)}>${nameOf("duty", String(values.role))}</option>`,
    )}</select></label>
    <label>${t("pit.until_when")}<input type="datetime-local" name="until"></label>
    <div class="row"><button ?disabled=${commands.status.busy}>${t("pit.do.AppointActing")}</button></div></form>`;
}
