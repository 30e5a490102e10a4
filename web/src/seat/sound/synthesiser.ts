/** Sounds of a table, made with the Web Audio API: nothing is recorded, and nothing is fetched. */
import type { Cue, Instrument } from "./sound-player";

/** A tone, or a rush of noise around a frequency, that swells at once and dies away. */
export interface Note {
  kind: "tone" | "noise";
  /** Seconds after the cue, and how long it lasts. */
  at: number;
  length: number;
  frequency: number;
  loudness: number;
}

const tone = (at: number, frequency: number, length: number, loudness = 0.5): Note => ({
  kind: "tone",
  at,
  length,
  frequency,
  loudness,
});
const noise = (at: number, frequency: number, length: number, loudness: number): Note => ({
  kind: "noise",
  at,
  length,
  frequency,
  loudness,
});

const [C5, E5, G5, C6] = [523.25, 659.26, 783.99, 1046.5];

const NOTES: Record<Cue, Note[]> = {
  chip: [
    noise(0, 3_400, 0.03, 0.8),
    tone(0, 2_650, 0.07, 0.16),
    noise(0.055, 3_900, 0.025, 0.5),
    tone(0.055, 3_150, 0.05, 0.1),
  ],
  card: [noise(0, 1_500, 0.16, 0.45), noise(0.13, 700, 0.05, 0.5)],
  turn: [noise(0, 2_300, 0.07, 0.5), noise(0.06, 800, 0.04, 0.4)],
  open: [tone(0, C5, 0.28), tone(0.16, G5, 0.45)],
  close: [tone(0, G5, 0.28), tone(0.16, C5, 0.5)],
  win: [tone(0, C5, 0.3), tone(0.11, E5, 0.3), tone(0.22, G5, 0.3), tone(0.33, C6, 0.7, 0.6)],
};

const CALM = 0.5;

/** Return the notes of a cue; calmer, they are softer, and no more than the last two of them. */
export function notesOf(cue: Cue, calm: boolean): Note[] {
  if (!calm) return NOTES[cue];
  const last = NOTES[cue].slice(-2);
  return last.map((each) => ({ ...each, at: each.at - last[0]!.at, loudness: each.loudness * CALM }));
}

export class Synthesiser implements Instrument {
  private readonly context = new AudioContext();
  private readonly out = this.context.createGain();
  private readonly hiss = this.makeHiss();

  constructor() {
    this.out.connect(this.context.destination);
  }

  play(cue: Cue, volume: number, calm: boolean): void {
    // A browser lets a page sound only after the first tap: what comes before that is left out, not played later.
    if (this.context.state !== "running") {
      void this.context.resume();
      return;
    }
    this.out.gain.value = volume;
    for (const each of notesOf(cue, calm)) this.sound(each);
  }

  private sound({ kind, at, length, frequency, loudness }: Note): void {
    const begins = this.context.currentTime + at;
    const swell = this.context.createGain();
    swell.gain.setValueAtTime(0.0001, begins);
    swell.gain.exponentialRampToValueAtTime(loudness, begins + 0.008);
    swell.gain.exponentialRampToValueAtTime(0.0001, begins + length);
    swell.connect(this.out);
    const source = kind === "tone" ? this.makeTone(frequency, swell) : this.makeNoise(frequency, swell);
    source.start(begins);
    source.stop(begins + length + 0.02);
    source.onended = () => swell.disconnect();
  }

  private makeTone(frequency: number, into: AudioNode): AudioScheduledSourceNode {
    const source = this.context.createOscillator();
    source.type = "triangle";
    source.frequency.value = frequency;
    source.connect(into);
    return source;
  }

  private makeNoise(frequency: number, into: AudioNode): AudioScheduledSourceNode {
    const source = this.context.createBufferSource();
    source.buffer = this.hiss;
    const band = this.context.createBiquadFilter();
    band.type = "bandpass";
    band.frequency.value = frequency;
    source.connect(band).connect(into);
    return source;
  }

  private makeHiss(): AudioBuffer {
    const buffer = this.context.createBuffer(1, this.context.sampleRate / 2, this.context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let each = 0; each < samples.length; each++) samples[each] = 2 * Math.random() - 1;
    return buffer;
  }
}
