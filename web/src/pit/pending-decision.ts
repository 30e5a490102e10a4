/**
 * What is offered for a hold. Whose it is, by which clause and with which command: the server says so, and nothing of it
 * is known here. Only the words are chosen here, and which decisions need more than a button.
 */

import type { Order } from "../api/connection";
import type { Offered, PitTable } from "../api/types";
import { type Key, nameOf, t } from "../i18n/catalogue";

/** Decisions for which something has to be typed or put in order first. */
export type Form = "removal" | "order" | "elsewhere";

export interface Choice {
  offered: Offered;
  label: string;
  order: Order;
}

export interface Waiting {
  role: Offered["role"];
  clause: string | null;
  /** Whether it is for the person who looks at it. */
  mine: boolean;
  /** Decided by a button. */
  choices: Choice[];
  form: Form | null;
  /** What the form is about. */
  about: Offered[];
}

const FORMS: Record<string, Form> = { RemoveWager: "removal", FixOrder: "order", DetermineMissing: "elsewhere" };

/** What waits at a table; null if nothing does. */
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
