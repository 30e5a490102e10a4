/** Hosts controllers that come and go while a page stays: they render the page, and their owner releases them. */
import type { ReactiveController, ReactiveControllerHost } from "lit";

export class ChildHost implements ReactiveControllerHost {
  constructor(private readonly page: ReactiveControllerHost) {}

  get updateComplete(): Promise<boolean> {
    return this.page.updateComplete;
  }

  addController(_: ReactiveController): void {}

  removeController(_: ReactiveController): void {}

  requestUpdate(): void {
    this.page.requestUpdate();
  }
}
