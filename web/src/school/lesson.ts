/** A lesson: its questions, the answers given, and the time they took. The server grades them. */

import { askQuestion, scoreSheet } from "../api/school";
import type { AnswersGiven, Drill, QuestionShown, SheetShown } from "../api/types";
import type { Language } from "../i18n/catalogue";

export interface Chosen {
  game: string | null;
  drill: Drill | null;
  seed: number;
  questions: number;
  /** When it began, by the clock of the page: cases of the house after that are not asked. */
  begun: number;
}

/** The state of a lesson, to resume it when the page is loaded again. */
export interface Saved {
  chosen: Chosen;
  number: number;
  done: [number, { answers: string[]; milliseconds: number[] }][];
  before: { right: number; asked: number };
}

export class Lesson {
  number = 0;
  shown: QuestionShown | null = null;
  private done: Map<number, { answers: string[]; milliseconds: number[] }> = new Map();
  private before = { right: 0, asked: 0 };
  private since = 0;

  constructor(
    readonly chosen: Chosen,
    private readonly now: () => number = () => performance.now(),
  ) {}

  static resumed({ chosen, number, done, before }: Saved): Lesson {
    const lesson = new Lesson(chosen);
    return Object.assign(lesson, { number, done: new Map(done), before });
  }

  get saved(): Saved {
    return { chosen: this.chosen, number: this.number, done: [...this.done], before: this.before };
  }

  private get kept() {
    const kept = this.done.get(this.number) ?? { answers: [], milliseconds: [] };
    this.done.set(this.number, kept);
    return kept;
  }

  get last(): boolean {
    return this.number + 1 >= this.chosen.questions;
  }

  /** How many answers were given so far, and how many of them were right at the first try. */
  get score(): { right: number; asked: number } {
    const first = this.shown?.first ?? [];
    return { right: this.before.right + first.filter(Boolean).length, asked: this.before.asked + first.length };
  }

  /** Ask the question, or ask it again in another language. */
  async ask(language: Language): Promise<void> {
    this.shown = await this.request(this.kept.answers, language);
    this.since = this.now();
  }

  /** Answer the question; an answer that cannot be read does not count. */
  async answer(text: string, language: Language): Promise<void> {
    const { answers, milliseconds } = this.kept;
    const shown = await this.request([...answers, text], language);
    if (shown.unreadable === null) {
      answers.push(text);
      if (shown.first.length > milliseconds.length) {
        milliseconds.push(Math.round(this.now() - this.since));
        this.since = this.now();
      }
    }
    this.shown = shown;
  }

  async next(language: Language): Promise<void> {
    this.before = this.score;
    this.shown = null;
    this.number += 1;
    await this.ask(language);
  }

  sheet(): Promise<SheetShown> {
    const done: AnswersGiven[] = [...this.done].map(([number, kept]) => ({ number, ...kept }));
    const { game, drill, seed, begun } = this.chosen;
    return scoreSheet({ game, drill, seed, begun, done: done.filter((each) => each.answers.length) });
  }

  private request(answers: string[], language: Language): Promise<QuestionShown> {
    const { game, drill, seed, begun } = this.chosen;
    return askQuestion({ game, drill, seed, begun, number: this.number, answers, language });
  }
}
