/** How long the window lasts that is open at a table. */
import type { PublicView } from "../api/types";

export function windowSeconds({ offer, phase, setting }: PublicView): number | null {
  if (!setting) return null;
  if (offer) return setting.answer_seconds ?? null;
  return (phase === "dealing" ? setting.squeeze_seconds : setting.betting_seconds) ?? null;
}
