/** Listens to an event of the window, or of another source, while its host is on the page. */
import type { ReactiveController, ReactiveControllerHost } from "lit";

export class ListenerController<Name extends keyof WindowEventMap> implements ReactiveController {
  constructor(
    host: ReactiveControllerHost,
    private readonly name: Name,
    private readonly listener: (event: WindowEventMap[Name]) => void,
    private readonly source: EventTarget = window,
    /** Whether it listens before the elements on the page do. */
    private readonly first = false,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.source.addEventListener(this.name, this.listener as EventListener, this.first);
  }

  hostDisconnected(): void {
    this.source.removeEventListener(this.name, this.listener as EventListener, this.first);
  }
}
