/** What its host opens over the page. It closes by a press outside of the host, and by Escape within it. */
import type { LitElement } from "lit";
import { ListenerController } from "./listener-controller";

export class PopoverController {
  opened = false;

  constructor(private readonly host: LitElement) {
    const pressed = (event: PointerEvent) => {
      if (!event.composedPath().includes(host)) this.close();
    };
    const keyed = (event: KeyboardEvent) => {
      if (event.key === "Escape") this.close();
    };
    new ListenerController(host, "pointerdown", pressed, window, true);
    new ListenerController(host, "keydown", keyed, host);
  }

  readonly toggle = (): void => this.change(!this.opened);
  readonly close = (): void => this.change(false);

  private change(opened: boolean): void {
    if (opened === this.opened) return;
    this.opened = opened;
    this.host.requestUpdate();
  }
}
