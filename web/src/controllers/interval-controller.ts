/** Repeats an action while its host is on the page; by default it renders the host. */
import type { ReactiveController, ReactiveControllerHost } from "lit";

export class IntervalController implements ReactiveController {
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    host: ReactiveControllerHost,
    private readonly milliseconds: number,
    private readonly action: () => void = () => host.requestUpdate(),
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.timer = setInterval(this.action, this.milliseconds);
  }

  hostDisconnected(): void {
    clearInterval(this.timer);
  }
}
