/** The state of the design page: one file, its figures as one types, and what is tried with it. */
import type { ReactiveControllerHost } from "lit";
import * as api from "../api/design";
import { Refusal } from "../api/http";
import type {
  ConditionKnown,
  CoupSettled,
  DesignedGame,
  DesignListed,
  Mistake,
  RatiosFound,
  Unusual,
} from "../api/types";
import { PageController } from "../controllers/page-controller";
import { refusalText } from "../i18n/refusal-text";

export type Panel = "file" | "figures" | "whatif" | "compare" | "play";

interface State {
  text: string;
  /** What the text was when it was opened or saved. */
  kept: string;
  view: "text" | "form";
  panel: Panel;
  game: DesignedGame | null;
  mistake: Mistake | null;
  unusual: Unusual[];
  decks: number | null;
  /** Ratios that are tried without being written into the file. */
  tried: api.Pays;
  trial: DesignedGame | null;
  found: RatiosFound[];
  files: DesignListed[];
  conditions: ConditionKnown[];
  other: DesignedGame | null;
  coup: CoupSettled | null;
  /** What became of the last request, and whether it was refused. */
  said: { text: string; bad: boolean } | null;
  /** Milliseconds from the last key to its figures on the page. */
  took: number | null;
}

const PAUSE = 60;
const DRAFT = "punto.design.draft";
const STAKE = 10_000;

export class DesignController extends PageController<State> {
  private timer = 0;
  private asking = false;
  private again = false;
  /** How often another file was chosen. */
  private chosen = 0;
  private typedAt = 0;

  constructor(
    host: ReactiveControllerHost,
    private readonly permitted: boolean,
  ) {
    super(host, {
      text: "",
      kept: "",
      view: "text",
      panel: "figures",
      game: null,
      mistake: null,
      unusual: [],
      decks: null,
      tried: {},
      trial: null,
      found: [],
      files: [],
      conditions: [],
      other: null,
      coup: null,
      said: null,
      took: null,
    });
  }

  override hostConnected(): void {
    if (this.permitted) void this.guarded(this.begin());
  }

  /** Open the one file, or the draft that this browser keeps, or a new game. */
  private async begin(): Promise<void> {
    const [files, conditions] = await Promise.all([api.list(), api.conditions()]);
    const single = document.body.dataset.file;
    const own = single ? await api.file(files[0]!.digest) : null;
    const draft = single ? null : localStorage.getItem(DRAFT);
    const text = own?.text ?? draft ?? (await api.newGame()).text;
    this.change({ files, conditions, text, kept: text });
    await this.work();
  }

  type(text: string): void {
    this.typedAt = performance.now();
    this.change({ text, said: null });
    if (!document.body.dataset.file) localStorage.setItem(DRAFT, text);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.guarded(this.work()), PAUSE);
  }

  show(changes: Partial<Pick<State, "view" | "panel">>): void {
    this.change(changes);
  }

  setDecks(decks: number): void {
    this.change({ decks });
    void this.guarded(this.work());
  }

  /** Ask for the figures of the text as it is; while an answer is under way, once more after it. */
  private async work(): Promise<void> {
    if (this.asking) {
      this.again = true;
      return;
    }
    this.asking = true;
    try {
      do {
        this.again = false;
        await this.ask();
      } while (this.again);
    } finally {
      this.asking = false;
    }
  }

  private async ask(): Promise<void> {
    const { text, decks, tried } = this.state;
    const since = this.typedAt;
    const told = await api.figures(text, decks);
    const game = told.found ?? null;
    this.change({ game: game ?? this.state.game, mistake: told.mistake ?? null });
    requestAnimationFrame(() => since && this.change({ took: performance.now() - since }));
    if (!game) return;
    if (Object.keys(tried).length) await this.askTrial();
    if (this.again) return;
    const { found } = await api.checks(text, decks);
    this.change({ unusual: found ?? [] });
  }

  private async askTrial(): Promise<void> {
    const { text, decks, tried } = this.state;
    const told = await api.figures(text, decks, tried);
    this.change({ trial: told.found ?? null });
  }

  // --- what if

  tryRatio(wager: string, outcome: string, ratio: string): void {
    const tried = { ...this.state.tried, [wager]: { ...this.state.tried[wager], [outcome]: ratio } };
    this.change({ tried });
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.guarded(this.askTrial()), PAUSE);
  }

  stopTrying(): void {
    this.change({ tried: {}, trial: null, found: [] });
  }

  findRatios(wager: string, target: string, allowed: Record<string, string>): void {
    const { text, decks } = this.state;
    const asked = api.ratios(text, decks, wager, target, allowed).then(({ found, mistake }) => {
      this.change({ found: found ?? [], said: mistake ? { text: mistake.sentence, bad: true } : null });
    });
    void this.guarded(asked);
  }

  // --- files

  /** Open another file; a later choice wins, and so does what is typed before the file is there. */
  open(digest: string): void {
    const [before, number] = [this.state.text, ++this.chosen];
    const opened = digest ? api.file(digest) : api.newGame();
    const begun = opened.then(async ({ text }) => {
      if (number !== this.chosen || this.state.text !== before) return;
      this.change({ text, kept: text, tried: {}, trial: null, found: [], coup: null, decks: null, other: null });
      await this.work();
    });
    void this.guarded(begun);
  }

  compareWith(digest: string): void {
    const text = digest ? api.file(digest).then((each) => each.text) : Promise.resolve(this.state.kept);
    const asked = text
      .then((each) => api.figures(each, this.state.decks))
      .then(({ found }) => this.change({ other: found ?? null }));
    void this.guarded(asked);
  }

  async save(done: (answer: { game?: string; version?: string; file?: string }) => string): Promise<void> {
    await this.guarded(
      api.save(this.state.text).then(async (answer) => {
        if (answer.mistake) {
          this.change({ mistake: answer.mistake });
          return;
        }
        const { game, version, file } = answer;
        const about = { game: game ?? "", version: version ?? "", file: file ?? "" };
        const files = await api.list();
        this.change({ kept: this.state.text, files, said: { text: done(about), bad: false } });
      }),
    );
  }

  // --- a coup

  deal(cards: string): void {
    const { text, decks } = this.state;
    const asked = api.coup(text, decks, cards || null, STAKE).then(({ found, mistake }) => {
      this.change({
        coup: found ?? this.state.coup,
        said: mistake ? { text: mistake.sentence, bad: true } : null,
      });
    });
    void this.guarded(asked);
  }

  private async guarded(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.change({ said: { text: refusalText(error.refused), bad: true } });
    }
  }
}
