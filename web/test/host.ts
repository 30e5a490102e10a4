/** A host of controllers that a test connects and disconnects. */
import type { ReactiveController, ReactiveControllerHost } from "lit";

export class TestHost implements ReactiveControllerHost {
  updates = 0;
  readonly updateComplete = Promise.resolve(true);
  private readonly controllers = new Set<ReactiveController>();

  addController(controller: ReactiveController): void {
    this.controllers.add(controller);
  }

  removeController(controller: ReactiveController): void {
    this.controllers.delete(controller);
  }

  requestUpdate(): void {
    this.updates += 1;
  }

  connect(): void {
    for (const each of this.controllers) each.hostConnected?.();
  }

  disconnect(): void {
    for (const each of this.controllers) each.hostDisconnected?.();
  }
}

/** A target of events that counts its listeners. */
export class TestTarget extends EventTarget {
  listeners = 0;

  override addEventListener(...listener: Parameters<EventTarget["addEventListener"]>): void {
    this.listeners += 1;
    super.addEventListener(...listener);
  }

  override removeEventListener(...listener: Parameters<EventTarget["removeEventListener"]>): void {
    this.listeners -= 1;
    super.removeEventListener(...listener);
  }
}
