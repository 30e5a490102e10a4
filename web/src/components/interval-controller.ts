/** Does something again and again, as long as an element is on the page. */
import type { ReactiveController, ReactiveControllerHost } from "lit";

export class IntervalController implements ReactiveController {
  private timer = 0;

  constructor(
    host: ReactiveControllerHost,
    private readonly milliseconds: number,
    private readonly act: () => void = () => host.requestUpdate(),
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.timer = window.setInterval(this.act, this.milliseconds);
  }

  hostDisconnected(): void {
    clearInterval(this.timer);
  }
}
