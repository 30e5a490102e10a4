/** How a table is set up, and the commands that change it. */
import { html, nothing } from "lit";
import { may } from "../../api/session";
import type { Pit, PitTable, StaffView } from "../../api/types";
import { capInWords } from "../../components/rulebook";
import { type Key, nameOf, t } from "../../i18n/catalogue";
import { amount, short } from "../../i18n/money";
import { disabledReason } from "../../i18n/refusal-text";
import { type Limits, reasonBeside, type TableCommands } from "../table-commands";

type Setting = NonNullable<StaffView["setting"]>;

/** `automation` is the form from `automationForm`. */
export function settingPanel(view: StaffView, setting: Setting, commands: TableCommands, automation: unknown) {
  const choices = (command: "ChangeMethod" | "RestrictArea", label: (values: Record<string, unknown>) => string) =>
    html`<div class="row">${commands
      .offered(command)
      .map((each) => commands.button(each, label(each.values), () => commands.give(command, each.values)))}</div>`;
  return html`<div class="columns"><dl>${facts(setting).map(
    ([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`,
  )}</dl>
    <div class="stack">${limitsForm(setting.limits, commands)}
      ${choices("ChangeMethod", ({ method }) => t("pit.do.ChangeMethod", { method: String(method) }))}
      ${choices("RestrictArea", ({ capacity }) => t("pit.do.RestrictArea", { capacity: String(capacity) }))}
      ${shoe(view, commands)}${automation}</div></div>`;
}

function facts(setting: Setting): [string, string][] {
  const seconds = (value: number | null | undefined) => (value == null ? t("pit.set.no_time") : String(value));
  return [
    [
      t("pit.set.layout"),
      `${nameOf("layout", setting.layout)}, ${t("pit.positions", { positions: setting.positions })}`,
    ],
    [t("pit.set.decks"), String(setting.decks)],
    [t("pit.set.device"), t(`pit.device.${setting.device}` as Key)],
    [t("pit.method"), setting.method ?? "–"],
    ["HLGA", setting.room ?? (setting.hlga ? t("pit.yes") : t("pit.no"))],
    [t("pit.differential"), setting.differential == null ? t("pit.set.none") : amount(setting.differential)],
    [t("pit.set.stake_step"), amount(setting.stake_step)],
    [t("pit.capacity"), capacity(setting)],
    [t("pit.set.burn"), burnt(setting)],
    [t("pit.set.confirms"), nameOf("duty", setting.confirms ?? "")],
    [t("pit.set.sign_on"), t(setting.sign_on ? "pit.yes" : "pit.no")],
    [t("pit.set.second_person"), (setting.second_person ?? []).map((each) => nameOf("act", each)).join("; ") || "–"],
    [t("pit.set.reasons_required"), t(setting.reasons_required ? "pit.yes" : "pit.no")],
    [t("pit.set.betting_seconds"), seconds(setting.betting_seconds)],
    [t("pit.set.answer_seconds"), seconds(setting.answer_seconds)],
    [t("pit.set.squeeze_seconds"), seconds(setting.squeeze_seconds)],
    [t("pit.set.payout_cap"), (setting.payout_caps ?? []).map(capInWords).join(" ") || t("pit.set.none")],
  ];
}

/** What is burnt from a new shoe. */
function burnt(setting: Setting): string {
  if (!setting.burn) return t("pit.set.none");
  return setting.burn.cards == null ? t("pit.set.burn_first") : String(setting.burn.cards);
}

/** How many wagers an area takes, and which areas take fewer. */
function capacity(setting: Setting): string {
  const all = setting.area_capacity == null ? t("pit.set.none") : String(setting.area_capacity);
  const single = (setting.restricted ?? []).map(
    (each) => `${nameOf("wager", each.wager)} ${each.position}: ${each.capacity}`,
  );
  return [all, ...single].join("; ");
}

function limitsForm(limits: Limits, commands: TableCommands) {
  const [offered] = commands.offered("ChangeLimits");
  const why = offered?.refused ? disabledReason(offered.refused) : "";
  const field = (wager: string, which: "minimum" | "maximum") => {
    const cents = limits[wager]![which];
    if (!offered?.mine) return short(cents);
    return html`<input name="${which} ${wager}" inputmode="decimal"
      aria-label=${t(`pit.${which}_of`, { wager: nameOf("wager", wager) })} value=${amount(cents)}>`;
  };
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const typed = (which: string, wager: string) => String(form.get(`${which} ${wager}`));
    const wagers = Object.keys(limits);
    void commands.changeLimits(
      limits,
      Object.fromEntries(
        wagers.map((wager) => [wager, { minimum: typed("minimum", wager), maximum: typed("maximum", wager) }]),
      ),
    );
  };
  return html`<form @submit=${send}><table class="limits"><thead><tr><th>${t("odds.wager")}</th>
      <th class="num">${t("pit.minimum")}</th><th class="num">${t("pit.maximum")}</th></tr></thead>
    <tbody>${Object.keys(limits).map(
      (wager) => html`<tr><td>${nameOf("wager", wager)}</td><td class="num">${field(wager, "minimum")}</td>
        <td class="num">${field(wager, "maximum")}</td></tr>`,
    )}</tbody></table>
    ${
      offered?.mine
        ? html`<div class="row"><button ?disabled=${Boolean(why) || commands.status.busy}
            title=${why}>${t("pit.do.ChangeLimits")}</button>${reasonBeside(why)}</div>`
        : nothing
    }</form>`;
}

function shoe(view: StaffView, commands: TableCommands) {
  const [load] = commands.offered("LoadShoe");
  const [end] = commands.offered("EndShoe");
  const [replace] = commands.offered("ReplaceCards");
  const isSealed = view.setting?.device === "sealed";
  return html`<div class="row"><span>${view.shoe ? t("pit.shoe_is", { shoe: view.shoe }) : t("pit.no_shoe")}</span>
    ${
      view.shoe
        ? commands.carefulButton(end, t("pit.do.EndShoe"), "EndShoe")
        : commands.button(load, t("pit.do.LoadShoe"), () => commands.loadShoe(isSealed), true)
    }
    ${replace?.refused ? nothing : commands.carefulButton(replace, t("pit.do.ReplaceCards"), "ReplaceCards")}</div>`;
}

/** Which steps of play run by themselves; `changed` is called after a change, of which no event tells. */
export function automationForm(about: PitTable, pit: Pit, commands: TableCommands, changed: () => void) {
  if (!may("create-tables")) return nothing;
  const set = async (step: string, event: Event) => {
    await commands.automate(step, (event.target as HTMLInputElement).checked);
    changed();
  };
  return html`<fieldset class="steps"><legend>${t("pit.automatic")}</legend>${pit.steps.map(
    (step) => html`<label class="check"><input type="checkbox" .checked=${about.automatic.includes(step)}
      @change=${(event: Event) => set(step, event)}>${t(`pit.step.${step}` as Key)}</label>`,
  )}</fieldset>`;
}
