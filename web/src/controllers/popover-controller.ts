/**
 * What its host opens over the page. It closes by a press outside of the host, and by Escape within it. Such a press on
 * the areas of the felt does nothing else: a patron who closes something stakes nothing.
 */
import type { LitElement } from "lit";
import { ListenerController } from "./listener-controller";

export class PopoverController {
  opened = false;

  constructor(private readonly host: LitElement) {
    let swallowed = false;
    const pressed = (event: PointerEvent) => {
      swallowed = this.opened && onAreas(event);
      if (swallowed) event.stopPropagation();
      if (!event.composedPath().includes(host)) this.close();
    };
    const clicked = (event: MouseEvent) => {
      if (swallowed && onAreas(event)) event.stopPropagation();
      swallowed = false;
    };
    const keyed = (event: KeyboardEvent) => {
      if (event.key === "Escape") this.close();
    };
    new ListenerController(host, "pointerdown", pressed, window, true);
    new ListenerController(host, "click", clicked, window, true);
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

const onAreas = (event: Event) => event.composedPath().some((each) => (each as Element).localName === "punto-areas");
