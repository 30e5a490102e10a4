/**
 * Passes on keys pressed anywhere on the page, except shortcuts of the browser and keys meant for a field.
 *
 * While a modal dialog is open nothing behind it hears a key.
 */
import type { ReactiveControllerHost } from "lit";
import { ListenerController } from "./listener-controller";

export class KeyController extends ListenerController<"keydown"> {
  /** `ignoredIn` selects elements that handle their keys, and those of all within them, themselves. */
  constructor(
    host: ReactiveControllerHost,
    ignoredIn: string,
    press: (event: KeyboardEvent, target: HTMLElement) => void,
    source?: EventTarget,
  ) {
    const listener = (event: KeyboardEvent) => {
      const path = event.composedPath() as HTMLElement[];
      const ignored = path.some((each) => each.matches?.(ignoredIn));
      if (event.ctrlKey || event.metaKey || event.altKey || ignored || hasModal(globalThis.document)) return;
      press(event, path[0]!);
    };
    super(host, "keydown", listener, source);
  }
}

/** Whether a modal dialog is open, also within elements: keys may go to the page itself while one is. */
function hasModal(root?: ParentNode): boolean {
  const all = root?.querySelectorAll?.("*") ?? [];
  return [...all].some((each) => each.matches("dialog:modal") || (each.shadowRoot && hasModal(each.shadowRoot)));
}
