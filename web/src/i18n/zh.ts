/** The Chinese catalogue: texts of the pages, refusals by code, and reasons by their English prose. */
import pages from "../../../src/punto/texts/zh/pages.json";
import reasons from "../../../src/punto/texts/zh/reasons.json";
import refusals from "../../../src/punto/texts/zh/refusals.json";

const under = (prefix: string, texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [`${prefix}.${key}`, text]));

const catalogue: Record<string, string> = { ...pages, ...under("refusal", refusals), ...under("why", reasons) };
export default catalogue;
