/** Pay ratios as people read them in each language. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadLanguage } from "../src/i18n/catalogue";
import { paysText } from "../src/i18n/pays-text";

test("a ratio says in each language what people would say there", async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  const said = () => ["12/1", "19/20", "1/2", "1/3"].map(paysText);
  await loadLanguage("zh");
  assert.deepEqual(said(), ["1 赔 12", "1 赔 0.95", "1 赔 0.5", "3 赔 1"]);
  await loadLanguage("en");
  assert.deepEqual(said(), ["12 to 1", "0.95 to 1", "1 to 2", "1 to 3"]);
});
