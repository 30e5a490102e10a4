/** What became of something somebody did: a sentence beside where he did it. */
import { html, nothing, type ReactiveController, type ReactiveControllerHost } from "lit";
import { Refusal } from "../server/http";
import type { Answer } from "../server/socket";
import type { RefusedMessage } from "../generated/api";
import { because, named, t } from "../words/words";

/** Why something could not be done now, for a button that waits for its time. */
export function whyNot(refused: RefusedMessage): string {
  const needed = refused.values?.needed;
  return refused.code === "wrong-phase" ? t("pit.only_when",
    { phase: String(needed).split(" or ").map((each) => named("phase", each)).join(" / ") }) : because(refused);
}

export class Said implements ReactiveController {
  private sentence = "";
  private refused = false;
  busy = false;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostConnected(): void {}

  /** A command was given; whether it was carried out. */
  async given(answer: Promise<Answer>, done = ""): Promise<boolean> {
    this.begin();
    const told = await answer;
    this.end(told.type === "refused" ? because(told) : done, told.type === "refused");
    return told.type === "done";
  }

  /** Something was asked of the server; what it answered, or null if it refused. */
  async asked<T>(work: Promise<T>, done = ""): Promise<T | null> {
    this.begin();
    try {
      const answer = await work;
      this.end(done, false);
      return answer;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.end(because(error.refused), true);
      return null;
    }
  }

  say(sentence: string, refused = false): void {
    this.end(sentence, refused);
  }

  shown() {
    return this.sentence ? html`<p class="said ${this.refused ? "lost" : "won"}" role=${this.refused ? "alert" : "status"}>${this.sentence}</p>` : nothing;
  }

  private begin(): void {
    this.busy = true;
    this.sentence = "";
    this.host.requestUpdate();
  }

  private end(sentence: string, refused: boolean): void {
    this.busy = false;
    this.sentence = sentence;
    this.refused = refused;
    this.host.requestUpdate();
  }
}
