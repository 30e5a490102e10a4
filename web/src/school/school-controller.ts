/** The state of the dealer school: what to practise, the lesson, its score sheet. */
import type { ReactiveControllerHost } from "lit";
import { Refusal } from "../api/http";
import { schoolShown } from "../api/school";
import type { Drill, SchoolShown, SheetShown } from "../api/types";
import { PageController } from "../controllers/page-controller";
import { currentLanguage, type Language, t } from "../i18n/catalogue";
import { refusalText } from "../i18n/refusal-text";
import { Lesson, type Saved } from "./lesson";

const SEEDS = 1_000_000_000;
const LESSON_KEY = "punto.lesson";

/** What a learner chooses before a lesson; an empty game or drill is all of them. */
export interface LessonChoice {
  game: string;
  drill: Drill | "";
  questions: number;
  /** As it was typed; empty for a random one. */
  seed: string;
}

export interface SchoolState {
  school: SchoolShown | null;
  choice: LessonChoice;
  lesson: Lesson | null;
  sheet: SheetShown | null;
  language: Language;
  busy: boolean;
  refusal: string;
}

export class SchoolController extends PageController<SchoolState> {
  constructor(
    host: ReactiveControllerHost,
    game: string,
    /** Keeps a lesson when the page is loaded again. */
    private readonly storage: Storage,
  ) {
    super(host, {
      school: null,
      choice: { game, drill: "", questions: 10, seed: "" },
      lesson: null,
      sheet: null,
      language: currentLanguage(),
      busy: false,
      refusal: "",
    });
  }

  override hostConnected(): void {
    void this.load();
  }

  private async load(): Promise<void> {
    this.change({ school: await schoolShown() });
    const saved = this.storage.getItem(LESSON_KEY);
    if (saved) await this.begin(Lesson.resumed(JSON.parse(saved) as Saved));
  }

  choose(changes: Partial<LessonChoice>): void {
    this.change({ choice: { ...this.state.choice, ...changes } });
  }

  async start(): Promise<void> {
    const { game, drill, questions, seed } = this.state.choice;
    const typed = seed.trim();
    if (typed && !/^\d{1,9}$/.test(typed)) {
      this.change({ refusal: t("school.seed_wrong") });
      return;
    }
    const number = typed ? Number(typed) : Math.floor(Math.random() * SEEDS);
    await this.begin(
      new Lesson({ game: game || null, drill: drill || null, seed: number, questions, begun: Date.now() }),
    );
  }

  private begin(lesson: Lesson): Promise<boolean> {
    return this.run(async () => {
      await lesson.ask(currentLanguage());
      this.change({ lesson });
    });
  }

  /** Ask again for what the server puts into words, in another language. */
  speak(language: Language): void {
    if (language === this.state.language) return;
    this.change({ language });
    const { lesson, sheet } = this.state;
    if (lesson && !sheet) void this.run(() => lesson.ask(language));
  }

  /** Return whether the answer was taken. */
  answer(text: string): Promise<boolean> {
    return this.run(() => this.state.lesson!.answer(text, currentLanguage()));
  }

  /** Whether there is a rule to show that is not in sight already. */
  get canHint(): boolean {
    const question = this.state.lesson?.shown;
    return Boolean(question?.ask && !question.verdict?.hint);
  }

  next(): Promise<boolean> {
    return this.run(() => this.state.lesson!.next(currentLanguage()));
  }

  finish(): Promise<boolean> {
    return this.run(async () => this.change({ sheet: await this.state.lesson!.sheet() }));
  }

  again(): void {
    this.change({ lesson: null, sheet: null });
  }

  /** Run one task at a time and show what the server refuses; return whether the task was done. */
  private async run(task: () => Promise<void>): Promise<boolean> {
    if (this.state.busy) return false;
    this.change({ busy: true, refusal: "" });
    try {
      await task();
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.change({ refusal: refusalText(error.refused) });
      return false;
    } finally {
      this.save();
      this.change({ busy: false });
    }
  }

  /** Keep the lesson until its sheet is shown. */
  private save(): void {
    const { lesson, sheet } = this.state;
    if (lesson && !sheet) this.storage.setItem(LESSON_KEY, JSON.stringify(lesson.saved));
    else this.storage.removeItem(LESSON_KEY);
  }
}
