/** What is heard of the events of a table. */
import type { Told } from "../../api/types";
import { net } from "../../table-view/settlement";
import type { ShownRound } from "../../table-view/shown-round";
import type { Cue } from "./sound-player";

const CUES: Partial<Record<Told["name"], Cue>> = {
  BetsOpened: "open",
  BetsReopened: "open",
  BetsClosed: "close",
  CardDrawn: "card",
  CardExposed: "turn",
};

/** Return the cue of events that came together: that of the last, so that what was missed is not played in a heap. */
export function cueOf(events: readonly Told[], shown: ShownRound): Cue | null {
  const cues = events.map(({ name }) =>
    name === "RoundSettled" && net(shown.settled ?? []) > 0 ? "win" : (CUES[name] ?? null),
  );
  return cues.findLast((each) => each !== null) ?? null;
}
