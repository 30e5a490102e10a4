/** Tells its host when a press lands outside of it, so that what it has opened can close. */
import type { LitElement } from "lit";
import { ListenerController } from "./listener-controller";

export class OutsidePress {
  constructor(host: LitElement, pressed: () => void) {
    const outside = (event: PointerEvent) => {
      if (!event.composedPath().includes(host)) pressed();
    };
    new ListenerController(host, "pointerdown", outside, window, true);
  }
}
