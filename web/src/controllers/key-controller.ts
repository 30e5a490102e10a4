/** Passes on keys pressed anywhere on the page, except shortcuts of the browser and keys meant for a field. */
import type { ReactiveControllerHost } from "lit";
import { ListenerController } from "./listener-controller";

export class KeyController extends ListenerController<"keydown"> {
  /** `ignoredIn` selects elements that handle their keys themselves. */
  constructor(
    host: ReactiveControllerHost,
    ignoredIn: string,
    press: (event: KeyboardEvent, target: HTMLElement) => void,
    source?: EventTarget,
  ) {
    const listener = (event: KeyboardEvent) => {
      const target = event.composedPath()[0] as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || target.matches?.(ignoredIn)) return;
      press(event, target);
    };
    super(host, "keydown", listener, source);
  }
}
