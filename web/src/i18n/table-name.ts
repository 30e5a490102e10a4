/** What patrons call a table. */
import { nameOf, t } from "./catalogue";

/** Return the name of a table: its game, and what tells it from other tables of that game. */
export function tableName(table: string, game: string, title: string): string {
  const name = nameOf("game", title);
  if (table === game) return name;
  return table === `squeeze-${game}` ? t("table.squeeze", { game: name }) : t("table.other", { game: name, table });
}
