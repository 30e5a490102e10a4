/** A patron's receipts as markup: what each says, its QR code, and the file to keep. */
import { html, type TemplateResult } from "lit";
import { receiptPdf } from "../api/history";
import type { ReceiptShown } from "../api/types";
import { nameOf, t } from "../i18n/catalogue";
import { amount } from "../i18n/money";
import type { OpenedReceipts } from "./history-controller";

export function receiptsView(opened: OpenedReceipts): TemplateResult {
  if (opened.state !== "sealed") return html`<p>${t(`history.receipt_${opened.state}`)}</p>`;
  return html`<p class="soft">${t("history.receipt_how")} <a href="/receipt" target="_blank">${t(
    "history.receipt_check",
  )}</a></p>${opened.receipts.map((each) => receiptView(opened, each))}`;
}

function receiptView({ table, number }: OpenedReceipts, { leaf, receipt, file, code }: ReceiptShown): TemplateResult {
  const whole = `data:application/json,${encodeURIComponent(JSON.stringify(file, null, 1))}`;
  const pdf = receiptPdf(table, number, leaf, document.documentElement.lang.startsWith("zh") ? "zh" : "en");
  return html`<section class="receipt-shown" data-leaf=${leaf}>
    <svg viewBox="0 0 ${code.size} ${code.size}" shape-rendering="crispEdges" role="img" aria-label="QR">
      <rect width=${code.size} height=${code.size} fill="#fff"></rect><path d=${code.path}></path></svg>
    <p><b>${nameOf("wager", receipt.wager)}</b> ${amount(receipt.stake)} → <b>${amount(receipt.returned)}</b></p>
    <p><a href=${whole} download="punto-receipt-${leaf}.json">${t("history.receipt_file")}</a> ·
      <a href=${pdf} download>PDF</a></p></section>`;
}
