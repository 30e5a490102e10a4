/** Names of people at the table. The house knows each by an opaque id; staff are told the names that go with them. */
import { nameOf, t } from "../i18n/catalogue";

const known = new Map<string, string>();

/** Learn names by their ids; a name that was erased is empty. */
export function learnNames(names: Readonly<Record<string, string>>): void {
  for (const [id, name] of Object.entries(names)) known.set(id, name);
}

/** Tell which of these people have no known name yet. */
export const unnamed = (ids: Iterable<string>): string[] => [...new Set(ids)].filter((id) => !known.has(id));

/** Return the name of a person or, where there is none, as much of the id as tells people apart. */
export function patronName(id: string): string {
  const name = known.get(id);
  const short = id.length > 8 ? `${id.slice(0, 7)}…` : id;
  return name === "" ? `${t("dealer.name_erased")} ${short}` : name === undefined ? short : nameOf("duty", name);
}

/** Return what tells people apart in a list to choose from: the name, with the id where several share it. */
export function patronLabels(ids: readonly string[]): Map<string, string> {
  const names = ids.map(patronName);
  const shared = (name: string) => names.filter((each) => each === name).length > 1;
  return new Map(ids.map((id, at) => [shared(names[at]!) ? `${names[at]} · ${id}` : names[at]!, id]));
}
