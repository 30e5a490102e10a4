/** Listens to an event of the window while its host is on the page. */
import type { ReactiveController, ReactiveControllerHost } from "lit";

export class ListenerController<Name extends keyof WindowEventMap> implements ReactiveController {
  constructor(
    host: ReactiveControllerHost,
    private readonly name: Name,
    private readonly listener: (event: WindowEventMap[Name]) => void,
    private readonly source: EventTarget = window,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.source.addEventListener(this.name, this.listener as EventListener);
  }

  hostDisconnected(): void {
    this.source.removeEventListener(this.name, this.listener as EventListener);
  }
}
