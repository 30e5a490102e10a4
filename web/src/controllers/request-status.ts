/** Status of the last request or command, shown beside the control that sent it. */
import { html, nothing, type ReactiveController, type ReactiveControllerHost } from "lit";
import type { Answer } from "../api/connection";
import { Refusal } from "../api/http";
import { refusalText } from "../i18n/refusal-text";

export class RequestStatus implements ReactiveController {
  private sentence = "";
  private refused = false;
  busy = false;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostConnected(): void {}

  /** Follow a command that was given; return whether it was carried out. */
  async followCommand(answer: Promise<Answer>, done = ""): Promise<boolean> {
    this.begin();
    const told = await answer;
    this.end(told.type === "refused" ? refusalText(told) : done, told.type === "refused");
    return told.type === "done";
  }

  /** Follow a request; return the server's answer, or null if it refused. */
  async followRequest<T>(work: Promise<T>, done = ""): Promise<T | null> {
    this.begin();
    try {
      const answer = await work;
      this.end(done, false);
      return answer;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.end(refusalText(error.refused), true);
      return null;
    }
  }

  say(sentence: string, refused = false): void {
    this.end(sentence, refused);
  }

  view() {
    return this.sentence
      ? html`<p class="said ${this.refused ? "lost" : "won"}"
        role=${this.refused ? "alert" : "status"}>${this.sentence}</p>`
      : nothing;
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
