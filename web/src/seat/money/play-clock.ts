/** How long a patron has been playing and what it brought, from the server, and when to tell them. */
import type { ReactiveControllerHost } from "lit";
import * as historyApi from "../../api/history";
import type { PlayNow } from "../../api/types";
import { PageController } from "../../controllers/page-controller";

const MINUTE = 60_000;
const SHOWN = "punto.reality";

export interface PlayClockState {
  now: PlayNow | null;
  /** When that was known, by the browser's clock. */
  read: number;
}

/** Return how long the visit or the day's play has lasted, in milliseconds, some time after the server said so. */
export function playedFor({ now, read }: PlayClockState, at: number, span: "visit" | "today" = "visit"): number {
  if (!now) return 0;
  return 1000 * now[span].seconds + (now.running ? at - read : 0);
}

/** Return how many times the patron was to be told by now. */
export function checksDue(state: PlayClockState, at: number): number {
  const minutes = state.now?.reality_check ?? 0;
  return minutes ? Math.floor(playedFor(state, at) / (minutes * MINUTE)) : 0;
}

export class PlayClock extends PageController<PlayClockState> {
  constructor(
    host: ReactiveControllerHost,
    private readonly patron: string | null,
    private readonly storage: Storage,
    private readonly time: () => number = Date.now,
  ) {
    super(host, { now: null, read: 0 });
  }

  override hostConnected(): void {
    void this.refresh();
  }

  async refresh(): Promise<void> {
    if (!this.patron) return;
    const now = await historyApi.playNow().catch(() => null); // without a connection the last answer stays
    if (now) this.change({ now, read: this.time() });
  }

  async choose(minutes: number): Promise<void> {
    await historyApi.chooseRealityCheck(minutes);
    await this.refresh();
    this.tell();
  }

  /** Whether the patron is to be told now: once for each time that has passed, in whichever window. */
  get due(): boolean {
    return checksDue(this.state, this.time()) > this.told;
  }

  /** Note that the patron has been told. */
  tell(): void {
    this.storage.setItem(SHOWN, JSON.stringify([this.visit, checksDue(this.state, this.time())]));
    this.change({});
  }

  /** A visit, with the interval: another one counts from the beginning. */
  private get visit(): string {
    const { now } = this.state;
    return `${this.patron} ${now?.visit_began} ${now?.reality_check}`;
  }

  private get told(): number {
    const [visit, checks] = JSON.parse(this.storage.getItem(SHOWN) ?? "[null, 0]") as [string | null, number];
    return visit === this.visit ? checks : 0;
  }
}
