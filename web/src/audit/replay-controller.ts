/** The replay of a round: its steps, which of them is shown, and playing them one after the other. */
import type { ReactiveControllerHost } from "lit";
import * as auditApi from "../api/audit";
import { Refusal } from "../api/http";
import * as tablesApi from "../api/tables";
import type { GameShown, RoundReplayed, StillReading } from "../api/types";
import { PageController } from "../controllers/page-controller";
import { Timeout } from "../controllers/timeout";
import type { Language } from "../i18n/catalogue";
import { refusalText } from "../i18n/refusal-text";
import { keyTarget, type Step, stepsOf } from "./replay-steps";

/** Milliseconds from one step to the next while playing. */
const PACE = 900;

export interface ReplayState {
  table: string;
  round: number | null;
  language: Language;
  replayed: RoundReplayed | null;
  game: GameShown | null;
  steps: Step[];
  /** The index of the step that is shown. */
  at: number;
  isPlaying: boolean;
  /** How far the server has read the log, while the round is waited for. */
  progress: StillReading | null;
  refusal: string;
}

export class ReplayController extends PageController<ReplayState> {
  private readonly pace = new Timeout(PACE, () => this.playOn());
  /** The number of the last request: answers to earlier ones are dropped. */
  private requested = 0;

  constructor(host: ReactiveControllerHost, language: Language) {
    super(host, {
      table: "",
      round: null,
      language,
      replayed: null,
      game: null,
      steps: [],
      at: 0,
      isPlaying: false,
      progress: null,
      refusal: "",
    });
  }

  override hostConnected(): void {}

  override hostDisconnected(): void {
    super.hostDisconnected();
    this.stop();
  }

  get last(): number {
    return this.state.steps.length - 1;
  }

  /** Show a round in a language; nothing happens if it is shown already. */
  show(table: string, round: number | null, language: Language): void {
    const isOther = table !== this.state.table || round !== this.state.round;
    if (!isOther && language === this.state.language) return;
    this.requested++;
    this.stop();
    if (isOther) this.change({ table, round, replayed: null, steps: [], at: 0, progress: null, refusal: "" });
    this.change({ language });
    if (round !== null) void this.load(this.requested, round);
  }

  private async load(request: number, round: number): Promise<void> {
    const isCurrent = () => request === this.requested;
    try {
      const parts = await this.readParts(round, isCurrent);
      const replayed = parts[0]!;
      const game = await this.gameOf(replayed);
      if (isCurrent()) this.change({ replayed, game, steps: stepsOf(parts) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (isCurrent()) this.change({ refusal: refusalText(error.refused) });
    }
    if (isCurrent()) this.change({ progress: null });
  }

  /** Ask for the round part by part: a long one comes in several. */
  private async readParts(round: number, isCurrent: () => boolean): Promise<RoundReplayed[]> {
    const { table, language } = this.state;
    const report = (progress: StillReading) => {
      if (isCurrent()) this.change({ progress });
    };
    const parts = [await auditApi.replayRound(table, round, language, 0, report)];
    for (let more = parts[0]!.more; more !== null && isCurrent(); more = parts.at(-1)!.more)
      parts.push(await auditApi.replayRound(table, round, language, more, report));
    return parts;
  }

  private async gameOf({ game }: RoundReplayed): Promise<GameShown | null> {
    return game && game !== this.state.game?.game ? tablesApi.game(game) : this.state.game;
  }

  /** Stop playing and show a step. */
  goTo(step: number): void {
    this.stop();
    this.move(step);
  }

  private move(step: number): void {
    this.change({ at: Math.max(0, Math.min(this.last, step)) });
  }

  private stop(): void {
    this.pace.stop();
    if (this.state.isPlaying) this.change({ isPlaying: false });
  }

  /** Play from the step that is shown, or from the first after the last; or stop playing. */
  togglePlay(): void {
    if (this.state.isPlaying) {
      this.stop();
      return;
    }
    this.change({ isPlaying: true, at: this.state.at === this.last ? 0 : this.state.at });
    this.pace.restart();
  }

  private playOn(): void {
    this.move(this.state.at + 1);
    if (this.state.at === this.last) this.stop();
    else this.pace.restart();
  }

  /** Act on a key; return whether it is used up. On a control the space bar presses that control. */
  pressKey(key: string, onControl: boolean): boolean {
    if (!this.state.steps.length) return false;
    const target = keyTarget(key, this.state.at, this.state.steps.length);
    if (target !== null) this.goTo(target);
    else if (key === " " && !onControl) this.togglePlay();
    else return false;
    return true;
  }
}
