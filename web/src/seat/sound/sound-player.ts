/** What a patron hears and feels of the table, if they have switched it on. The sounds are loaded only then. */

export type Cue = "chip" | "card" | "turn" | "open" | "close" | "win";

export interface SoundPreference {
  on: boolean;
  /** From 0 to 1. */
  volume: number;
}

export interface Instrument {
  play(cue: Cue, volume: number, calm: boolean): void;
}

/** What a player needs of the browser. */
export interface SoundPlace {
  storage: Storage;
  load(): Promise<Instrument>;
  /** Whether the reader wants little to move. */
  calm(): boolean;
  /** Lets a phone vibrate, in milliseconds on and off. */
  vibrate(pattern: number[]): void;
}

const KEPT = "punto.sound";
const SILENT: SoundPreference = { on: false, volume: 0.6 };
const VIBRATION: Partial<Record<Cue, number[]>> = {
  chip: [12],
  open: [30],
  close: [30, 60, 30],
  win: [40, 60, 40, 60, 90],
};

/** Return the browser's own means. */
export const browserSound = (storage: Storage): SoundPlace => ({
  storage,
  load: async () => new (await import("./synthesiser")).Synthesiser(),
  calm: () => matchMedia("(prefers-reduced-motion: reduce)").matches,
  vibrate: (pattern) => void navigator.vibrate?.(pattern),
});

export class SoundPlayer {
  preference: SoundPreference;
  private instrument: Promise<Instrument> | null = null;

  constructor(private readonly place: SoundPlace) {
    this.preference = { ...SILENT, ...(JSON.parse(place.storage.getItem(KEPT) ?? "{}") as Partial<SoundPreference>) };
  }

  choose(changes: Partial<SoundPreference>): void {
    this.preference = { ...this.preference, ...changes };
    this.place.storage.setItem(KEPT, JSON.stringify(this.preference));
    void this.play("chip");
  }

  async play(cue: Cue): Promise<void> {
    const { on, volume } = this.preference;
    if (!on) return;
    const calm = this.place.calm();
    const vibration = VIBRATION[cue];
    if (vibration) this.place.vibrate(calm ? vibration.slice(0, 1) : vibration);
    this.instrument ??= this.place.load();
    (await this.instrument).play(cue, volume, calm);
  }
}
