/** Colours of the areas, by the hand that a wager's name mentions. They carry no rule. */
export interface WagerColour {
  felt: string;
  line: string;
}

export function wagerColour(wager: string): WagerColour {
  if (wager.endsWith("Tie")) return { felt: "#135f3c", line: "#8ee5b0" };
  if (wager.startsWith("Player")) return { felt: "#1b4a86", line: "#9cc3ff" };
  if (wager.startsWith("Banker")) return { felt: "#7d2522", line: "#ffaca4" };
  if (wager.includes("Dragon") && !wager.includes("Tiger")) return { felt: "#2b3f78", line: "#b9c8ff" };
  return { felt: "#6b5115", line: "#f3d489" };
}
