/** Names of patrons, where the house knows them by an opaque id only. */

/** Shorten an id to as much of it as tells patrons apart. */
export const patronName = (id: string) => (id.length > 8 ? `${id.slice(0, 7)}…` : id);
