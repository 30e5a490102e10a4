/** Renders its host again when the language changes. */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { onLanguageChange } from "../i18n/catalogue";

export class LanguageController implements ReactiveController {
  private release: () => void = () => {};

  /** `changed` is called as well, where something has to be asked for in the new language. */
  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly changed: () => unknown = () => {},
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.release = onLanguageChange(() => {
      this.host.requestUpdate();
      this.changed();
    });
  }

  hostDisconnected(): void {
    this.release();
  }
}
