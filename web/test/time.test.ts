import assert from "node:assert/strict";
import { test } from "node:test";
import { dateField, gamingDay, parseLocal } from "../src/i18n/time";

test("a time typed in is a time of the house's zone, also when clocks have changed", () => {
  assert.equal(parseLocal("2026-11-17T18:30", "Asia/Singapore"), Date.UTC(2026, 10, 17, 10, 30));
  assert.equal(parseLocal("2026-07-01T06:00", "Australia/Melbourne"), Date.UTC(2026, 5, 30, 20, 0));
  assert.equal(parseLocal("2026-12-01T06:00", "Australia/Melbourne"), Date.UTC(2026, 10, 30, 19, 0));
  assert.equal(parseLocal("2026-12-01T06:00", "UTC"), Date.UTC(2026, 11, 1, 6, 0));
  assert.equal(parseLocal("", "UTC"), null);
});

test("a field shows a time by the clock of the house, and is read back as the same time", () => {
  const at = Date.UTC(2026, 10, 17, 18, 30);
  Object.assign(globalThis, { document: { body: { dataset: { zone: "Asia/Macau" } } } });
  try {
    assert.equal(dateField(at), "2026-11-18T02:30");
    assert.equal(parseLocal(dateField(at)), at);
  } finally {
    Reflect.deleteProperty(globalThis, "document");
  }
});

test("the small hours belong to the gaming day before", () => {
  const at = Date.UTC(2026, 10, 17, 17, 30); // half past one at night in Macau
  assert.equal(gamingDay(at, "Asia/Macau", 6), "2026-11-17");
  assert.equal(gamingDay(at, "Asia/Macau", 1), "2026-11-18");
  assert.equal(gamingDay(at, "Asia/Macau", 0), "2026-11-18");
});
