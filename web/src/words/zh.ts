/** Everything that is said in Chinese: the pages' words, and why something is refused. */
import refusals from "./refusals.zh.json";
import words from "./zh.json";

const said: Record<string, string> = { ...words };
for (const [code, sentence] of Object.entries(refusals)) said[`refusal.${code}`] = sentence;
export default said;
