/** The page's check of receipts: what holds, from file and QR code, and everything that was changed. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { check, NotInOrder, type ReceiptFile } from "../src/receipt/receipt-check";

const WITNESS = "punto-witness+ff4ab9c2+BCF2OF7kioKVPc/yTT12m/rcPBLsuEtU43QNQe7UpL6i";
const written = readFileSync("../tests/audit/receipt.json", "utf8");
const file: ReceiptFile = JSON.parse(written);

test("a receipt holds, from its file and from its QR code", async () => {
  for (const text of [written, readFileSync("../tests/audit/receipt.txt", "utf8")]) {
    const found = await check(text, file.key, WITNESS);
    assert.deepEqual([found.receipt.wager, found.receipt.returned], ["Banker", 2340]);
    assert.deepEqual([found.leaf, found.size, found.witnessed], [322, 1680, true]);
  }
});

const changed = (change: Partial<ReceiptFile>) => JSON.stringify({ ...file, ...change });
const WRONG: Record<string, [string, string, string, string]> = {
  "another amount": [changed({ receipt: file.receipt.replace("2340", "9340") }), "", "", "leaf"],
  "another salt": [changed({ salt: `A${file.salt.slice(1)}` }), "", "", "leaf"],
  "another leaf": [changed({ proof: file.proof.replace("index 322", "index 323") }), "", "", "leaf"],
  "a larger log": [changed({ proof: file.proof.replace("\n1680\n", "\n1681\n") }), "", "", "signature"],
  "a key that is not the house's": [written, file.key.replace("punto/", "punta/"), "", "key"],
  "a witness that has not cosigned": [written, "", file.key, "witness"],
  "something else": ['{"format":"punto-receipt-1"}', "", "", "form"],
};
for (const [what, [text, key, witness, why]] of Object.entries(WRONG)) {
  test(`what is wrong is found: ${what}`, async () => {
    await assert.rejects(check(text, key, witness), (error) => error instanceof NotInOrder && error.message === why);
  });
}
