/** Everything that is said in Chinese: the pages' words, what is refused, and why. */
import refusals from "./refusals.zh.json";
import whys from "./whys.zh.json";
import words from "./zh.json";

const said: Record<string, string> = { ...words };
for (const [code, sentence] of Object.entries(refusals)) said[`refusal.${code}`] = sentence;
for (const [why, sentence] of Object.entries(whys)) said[`why.${why}`] = sentence;
export default said;
