/** The notation of chips laid out for a payment. */
import { short } from "../i18n/money";

/** Write chips as the server reads them: 3x100+2x25. */
export function asTyped(laid: readonly number[]): string {
  const counts = new Map<number, number>();
  for (const each of [...laid].sort((one, other) => other - one)) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].map(([value, count]) => `${count}x${short(value).replaceAll(",", "")}`).join("+");
}
