/** Base class of a page's controller. */
import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Releases a subscription, a listener or a timer. */
export type Release = () => void;

/**
 * Holds the state of a page and the intents that change it.
 *
 * The state is one immutable value; every change of it renders the host again. What `hostConnected` subscribes to is
 * handed to `releaseLater`, and is released when the host leaves the page.
 */
export abstract class PageController<State extends object> implements ReactiveController {
  private current: Readonly<State>;
  private releases: Release[] = [];

  constructor(
    private readonly host: ReactiveControllerHost,
    initial: State,
  ) {
    this.current = initial;
    host.addController(this);
  }

  get state(): Readonly<State> {
    return this.current;
  }

  abstract hostConnected(): void;

  hostDisconnected(): void {
    for (const release of this.releases.splice(0)) release();
  }

  protected change(changes: Partial<State>): void {
    this.current = { ...this.current, ...changes };
    this.host.requestUpdate();
  }

  protected releaseLater(...releases: Release[]): void {
    this.releases.push(...releases);
  }
}
