/** Renders its host again when the language changes. */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { onLanguageChange } from "../i18n/catalogue";

export class LanguageController implements ReactiveController {
  private release: () => void = () => {};

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostConnected(): void {
    this.release = onLanguageChange(() => this.host.requestUpdate());
  }

  hostDisconnected(): void {
    this.release();
  }
}
