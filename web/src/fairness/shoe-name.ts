/** Return the number of a table's shoe: its name without the table's, which says nothing to a patron. */
export function shoeNumber(table: string, shoe: string): string {
  return shoe.startsWith(`${table} `) ? shoe.slice(table.length + 1) : shoe;
}
