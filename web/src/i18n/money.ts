/** Amounts in cents, as people read them. */

function grouped(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Always with two places: for balances and payments. */
export function amount(cents: number): string {
  const size = Math.abs(cents);
  return `${cents < 0 ? "−" : ""}${grouped(Math.floor(size / 100))}.${String(size % 100).padStart(2, "0")}`;
}

/** Without places where there are none: for chips and limits. */
export function short(cents: number): string {
  return cents % 100 ? amount(cents) : amount(cents).slice(0, -3);
}

/** On a chip: 5, 100, 1K. */
export function onChip(cents: number): string {
  const whole = cents / 100;
  if (whole >= 1_000_000 && whole % 100_000 === 0) return `${whole / 1_000_000}M`;
  if (whole >= 1_000 && whole % 100 === 0) return `${whole / 1_000}K`;
  return Number.isInteger(whole) ? String(whole) : whole.toFixed(2);
}

/** With its sign: what was won or lost. */
export function signed(cents: number): string {
  return cents > 0 ? `+${amount(cents)}` : amount(cents);
}

/** Parse an amount into cents; null if the text is no amount. */
export function parseAmount(text: string): number | null {
  const found = /^(\d{1,10}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!found) return null;
  return Number(found[1]!.replaceAll(",", "")) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}
