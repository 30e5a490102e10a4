/** A table as one watcher knows it, put together from what he is told. */
import type { EventsMessage, MineMessage, PrivateView, PublicView, TableMessage, Told } from "./types";

export class KnownTable {
  view: PublicView | null = null;
  mine: PrivateView | null = null;
  /** The number of the last event that is in the view. */
  number: number | null = null;

  constructor(readonly name: string) {}

  /** The table as it is; the events that were missed, none of them known before. */
  shown(message: TableMessage): Told[] {
    const known = this.number ?? message.number;
    this.view = message.view;
    this.number = message.number;
    return message.events.filter((each) => each.number > known);
  }

  /** What has happened since; null if something between is missing, and one has to ask again. */
  happened(message: EventsMessage): Told[] | null {
    if (this.view === null || this.number === null || message.first > this.number + 1) return null;
    if (message.last <= this.number) return [];
    const known = this.number;
    this.view = { ...this.view, ...(message.view as Partial<PublicView>) };
    this.number = message.last;
    return message.events.filter((each) => each.number > known);
  }

  told(message: MineMessage): Told[] {
    this.mine = message.view;
    return [];
  }
}
