// Where the source of a page begins: in its own folder, unless it is a room of another page.
const ROOMS = { tables: "seat/tables" };

export const entryOf = (page) => `web/src/${ROOMS[page] ?? page}/${page}.ts`;
