/** A sensitive act that a person has proposed and another has to confirm: whose, what, and why. */
import { html } from "lit";
import type { StaffView } from "../api/types";
import { nameOf, t } from "../i18n/catalogue";

type Proposed = NonNullable<StaffView["proposed"]>[number];

export function proposal({ acts, proposed_by, reason, values }: Proposed, name: (person: string) => string) {
  const what = acts.map((each) => nameOf("act", each)).join(", ");
  const round = typeof values.round === "number" ? ` · ${t("seat.round", { round: values.round })}` : "";
  return html`<b>${t("pit.proposed", { who: nameOf("duty", name(proposed_by)), what })}${round}</b>
    <span>${reason}</span>`;
}
