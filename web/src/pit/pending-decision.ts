/**
 * The decision that a hold waits for.
 *
 * The server says who may decide, by which clause and with which command. Only the labels are chosen here, and which
 * decisions need a form.
 */

import type { Order } from "../api/connection";
import type { Offered, PitTable } from "../api/types";
import { type Key, nameOf, t } from "../i18n/catalogue";

/** Forms for decisions that need more than a button. */
export type Form = "removal" | "order" | "elsewhere";

export interface Choice {
  offered: Offered;
  label: string;
  order: Order;
}

export interface Waiting {
  role: Offered["role"];
  clause: string | null;
  /** Whether the reader may decide it. */
  mine: boolean;
  /** Decisions that one button takes. */
  choices: Choice[];
  form: Form | null;
  /** The decisions that the form is about. */
  about: Offered[];
}

const FORMS: Record<string, Form> = { RemoveWager: "removal", FixOrder: "order", DetermineMissing: "elsewhere" };

/** Return the decision that waits at a table; null if none does. */
export function waitingAt(table: PitTable): Waiting | null {
  const [first] = table.waiting;
  if (!first) return null;
  const about = table.waiting.filter((each) => each.command in FORMS);
  return {
    role: first.role,
    clause: first.clause,
    mine: table.waiting.some((each) => each.mine),
    choices: table.waiting.filter((each) => !(each.command in FORMS)).map((each) => choice(table.table, each)),
    form: about[0] ? FORMS[about[0].command]! : null,
    about,
  };
}

function choice(table: string, offered: Offered): Choice {
  return { offered, label: labelOf(offered), order: { command: offered.command, ...offered.values, table } as Order };
}

function labelOf({ command, values }: Offered): string {
  if (command === "AttestCardsTaken")
    return t("pit.do.AttestCardsTaken", { step: nameOf("step", String(values.provision)) });
  if ("void" in values) return t(`pit.do.${command}.${values.void ? "void" : "stands"}` as Key);
  return t(`pit.do.${command}` as Key);
}
