/** The style of a patron's history. */
import { css } from "lit";
import { common } from "../components/style";

export const historyStyle = [
  common,
  css`
  main { max-width: 70rem; margin: 0 auto; padding: .8rem clamp(.5rem, 2vw, 1.4rem) 2rem; display: grid; gap: .8rem; }
  form.row { align-items: end; }
  .export, .statement { padding: .55rem .2rem; }
  .total, .day { background: var(--panel); border: 1px solid var(--line); border-radius: 14px; padding: .6rem .9rem; }
  .total { border-color: var(--gold); }
  h2 { font-size: 1.05rem; }
  .day header, .total { display: flex; gap: .3rem 1.6rem; align-items: baseline; flex-wrap: wrap; }
  .sums { display: flex; gap: .2rem 1.4rem; flex-wrap: wrap; margin: 0 0 0 auto; font-size: .9rem; }
  .sums div { display: flex; gap: .4rem; } dt { color: var(--ink-soft); }
  dd { margin: 0; font-weight: 650; font-variant-numeric: tabular-nums; }
  .tables { list-style: none; display: flex; gap: .2rem 1.2rem; flex-wrap: wrap; margin: .2rem 0 0; padding: 0; }
  .tables { font-size: .9rem; }
  .session { border-top: 1px solid var(--line); padding: .35rem 0; margin-top: .35rem; }
  .session > summary {
    cursor: pointer; display: grid; grid-template-columns: minmax(0, 1fr) auto 6.5rem 7rem; gap: .2rem 1rem;
    align-items: baseline; padding: .2rem 0;
  }
  .session > summary > span:first-child::before { content: "▸ "; color: var(--ink-soft); }
  .session[open] > summary > span:first-child::before { content: "▾ "; }
  .session > summary b:last-child { text-align: right; font-variant-numeric: tabular-nums; }
  .session > p { margin: .2rem 0; font-size: .9rem; }
  ol { list-style: none; margin: 0; padding: 0; }
  li[data-line] {
    display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .1rem .8rem; padding: .3rem 0;
    border-top: 1px solid var(--line); font-size: .92rem;
  }
  .line { grid-column: 1 / 3; display: flex; gap: .15rem .8rem; flex-wrap: wrap; align-items: baseline; }
  .end { margin-left: auto; display: flex; gap: .1rem .8rem; flex-wrap: wrap; font-variant-numeric: tabular-nums; }
  .balance { color: var(--ink-soft); }
  .player { color: var(--player-ink); } .banker { color: var(--banker-ink); } .tie { color: var(--tie-ink); }
  .bets summary { cursor: pointer; color: var(--ink-soft); }
  .bets[open] { grid-column: 1 / 3; }
  .acts { grid-column: 2; align-self: start; display: flex; gap: .3rem; }
  .acts button, .about button { min-height: 2rem; padding: .1rem .6rem; font-size: .85rem; }
  .session > .about { display: flex; gap: .2rem .8rem; flex-wrap: wrap; align-items: baseline; }
  .about button { margin-left: auto; }
  .clause { min-height: 0; padding: 0 .35rem; font-size: .8rem; white-space: nowrap; }
  dialog.replay, dialog.receipts, dialog.shoes { width: min(40rem, calc(100vw - 1rem)); }
  dialog.replay > button, dialog.receipts > button, dialog.shoes > button { margin-top: .6rem; }
  .receipt-shown { border-top: 1px solid var(--line); padding: .5rem 0; text-align: center; }
  .receipt-shown svg { width: min(24rem, 100%); } .receipt-shown p { margin: .2rem 0; }
  @media (max-width: 620px) {
    .session > summary { grid-template-columns: minmax(0, 1fr) auto; }
    .sums { margin: 0; }
    .end { margin-left: 0; width: 100%; justify-content: space-between; }
    .bets th, .bets td { font-size: .8rem; padding: .2rem .22rem; }
    .soft-narrow { display: none; }
    dialog.replay { padding: .7rem; }
  }
`,
];
