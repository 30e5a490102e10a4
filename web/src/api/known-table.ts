/** A table as the page knows it, put together from the messages it gets. */
import type { EventsMessage, MineMessage, PrivateView, PublicView, TableMessage, Told } from "./types";

export class KnownTable {
  view: PublicView | null = null;
  mine: PrivateView | null = null;
  /** The number of the last event in the view. */
  number: number | null = null;

  constructor(readonly name: string) {}

  /** Take the whole table; return the events that the page had missed. */
  takeTable(message: TableMessage): Told[] {
    const known = this.number ?? message.number;
    this.view = message.view;
    this.number = message.number;
    return message.events.filter((each) => each.number > known);
  }

  /** Take further events and return those that are new; null if some are missing and must be asked for. */
  takeEvents(message: EventsMessage): Told[] | null {
    if (this.view === null || this.number === null || message.first > this.number + 1) return null;
    if (message.last <= this.number) return [];
    const known = this.number;
    this.view = { ...this.view, ...(message.view as Partial<PublicView>) };
    this.number = message.last;
    return message.events.filter((each) => each.number > known);
  }

  takePrivate(message: MineMessage): Told[] {
    this.mine = message.view;
    return [];
  }
}
