/** Drags chips: from the rack onto an area, from one area to another, or off the layout. */
import { type LitElement, type ReactiveController, render } from "lit";
import { chip } from "../../components/chip";

export interface Area {
  position: number;
  wager: string;
  /** The table it is on, where a page shows several. */
  table?: string;
}

export interface LiftedChip {
  amount: number;
  /** The area it comes from; null for a chip from the rack. */
  from: Area | null;
}

/** Pixels that a pointer moves before a tap becomes a drag. */
const NO_TAP = 7;

/** Return the innermost element at a point, through all shadow roots. */
function under(x: number, y: number): Element | null {
  let found = document.elementFromPoint(x, y);
  while (found?.shadowRoot) {
    const inner = found.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === found) break;
    found = inner;
  }
  return found;
}

type Drawn = HTMLElement | SVGElement;
const areaOf = ({ dataset: { position, wager, table } }: Drawn): Area => ({
  position: Number(position),
  wager: wager!,
  ...(table && { table }),
});

/** Elements name themselves by `data-chip` or `data-stake`, and an area by `data-position` and `data-wager`. */
export class DragController implements ReactiveController {
  private lifted: LiftedChip | null = null;
  private began: PointerEvent | null = null;
  private shown: HTMLElement | null = null;
  private over: Drawn | null = null;

  constructor(
    private readonly host: LitElement,
    private readonly allowed: () => boolean,
    private readonly dropped: (lifted: LiftedChip, on: Area | null) => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.host.addEventListener("pointerdown", this.begin);
  }

  hostDisconnected(): void {
    this.host.removeEventListener("pointerdown", this.begin);
    this.end();
  }

  private begin = (event: PointerEvent) => {
    if (event.button || !event.isPrimary || !this.allowed()) return;
    const source = (event.composedPath() as Drawn[]).find((each) => each.dataset?.chip || each.dataset?.stake);
    if (!source) return;
    const { chip: value, stake } = source.dataset;
    this.lifted = { amount: Number(value ?? stake), from: value ? null : areaOf(source) };
    this.began = event;
    addEventListener("pointermove", this.move);
    addEventListener("pointerup", this.drop);
    addEventListener("pointercancel", this.end);
    addEventListener("keydown", this.cancel, true);
  };

  private move = (event: PointerEvent) => {
    if (event.pointerId !== this.began?.pointerId) return;
    if (!this.shown) {
      if (Math.hypot(event.clientX - this.began.clientX, event.clientY - this.began.clientY) < NO_TAP) return;
      this.show();
    }
    this.shown!.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
    this.mark(this.areaAt(event));
  };

  private show() {
    this.shown = document.createElement("div");
    this.shown.className = "lifted";
    this.shown.setAttribute("aria-hidden", "true");
    render(chip(this.lifted!.amount, "#ffe08a"), this.shown);
    this.host.renderRoot.append(this.shown);
  }

  private areaAt(event: PointerEvent): Drawn | null {
    return under(event.clientX, event.clientY)?.closest<Drawn>("[data-wager]") ?? null;
  }

  private mark(area: Drawn | null) {
    if (area === this.over) return;
    this.over?.removeAttribute("data-over");
    area?.setAttribute("data-over", "");
    this.over = area;
  }

  private drop = (event: PointerEvent) => {
    if (event.pointerId !== this.began?.pointerId) return;
    const { lifted, shown } = this;
    const area = shown && this.areaAt(event);
    this.end();
    if (!lifted || !shown) return; // a tap: the element under it handles the click
    addEventListener("click", silence, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", silence, true), 50);
    this.dropped(lifted, area && areaOf(area));
  };

  private cancel = (event: KeyboardEvent) => {
    if (event.key === "Escape") this.end();
  };

  private end = () => {
    this.mark(null);
    this.shown?.remove();
    this.shown = this.lifted = this.began = null;
    removeEventListener("pointermove", this.move);
    removeEventListener("pointerup", this.drop);
    removeEventListener("pointercancel", this.end);
    removeEventListener("keydown", this.cancel, true);
  };
}

/** Swallow the click that a browser sends after a drag. */
function silence(event: Event) {
  event.preventDefault();
  event.stopPropagation();
}
