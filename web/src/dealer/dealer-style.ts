/** The style of the Dealer's page: the next step is read at arm's length, the rest stands beside it. */
import { css } from "lit";
import { common } from "../components/style";
import { tableStyle } from "../table-view/table-style";

export const dealerStyle = [
  common,
  tableStyle,
  css`
  main {
    display: grid; grid-template-columns: minmax(0, 1fr) minmax(18rem, 34%); gap: .9rem;
    padding: .7rem clamp(.4rem, 1.2vw, 1rem) 1.2rem; max-width: 104rem; margin: 0 auto;
  }
  .loading, .stranger { text-align: center; margin: 15vh auto; max-width: 30rem; }
  .left { display: grid; gap: .7rem; align-content: start; min-width: 0; }
  .now {
    background: var(--panel); border: 1px solid var(--line); border-radius: 18px;
    padding: 1rem clamp(.8rem, 2vw, 1.6rem) 1.2rem; display: grid; gap: .8rem; min-height: 23.5rem;
    align-content: start; position: relative;
  }
  .now.held { border: 2px solid var(--warn); background: var(--held); }
  .head { display: flex; gap: .2rem .9rem; align-items: center; flex-wrap: wrap; }
  .head button { padding: .35rem .7rem; min-height: 2.4rem; }
  .phase { font-weight: 750; font-size: 1.15rem; } .phase.betting { color: var(--tie-ink); }
  .held .phase { color: var(--warn); }
  .head punto-clock { margin-left: auto; }
  .head .at-hand { margin-left: auto; display: flex; gap: .4rem; align-items: center; flex-wrap: wrap; }
  .head punto-clock + .at-hand { margin-left: 0; }
  .head .trouble { border-color: var(--warn); color: var(--warn); }
  .now.betting { min-height: 0; grid-template-columns: minmax(0, 1fr) auto; padding-block: .7rem .9rem; gap: .5rem; }
  .now.betting > * { grid-column: 1 / -1; }
  .now.betting > .spoken { grid-column: 1; } .now.betting > .big { grid-column: 2; min-width: 0; }
  .now.betting .call { font-size: clamp(1.6rem, 2.6vw, 2.4rem); }
  .felt.input { border-radius: 18px; }
  .felt.input :is(punto-hands, .with) { display: none; }
  .say { margin: 0; color: var(--gold); font-weight: 650; }
  .watching { margin: 0; color: var(--warn); font-size: 1.1rem; }
  button.sure { border-color: var(--warn); color: var(--warn); font-weight: 700; }
  button.armed { outline: 3px solid var(--warn); }
  .calling { grid-template-columns: minmax(0, 1fr) auto; align-items: end; width: 100%; }
  .entry {
    background: var(--panel); border: 1px solid var(--line); border-radius: 14px; padding: .6rem .8rem; display: grid;
    gap: .5rem;
  }
  .entry.open { border-color: var(--gold); }
  .entry p { margin: 0; }
  .entry .line { display: flex; gap: .5rem .8rem; align-items: center; flex-wrap: wrap; }
  .entry .area { font-size: 1.2rem; } .entry select { max-width: 12rem; }
  .entry .amount { font-size: 1.5rem; font-weight: 750; min-width: 5rem; font-variant-numeric: tabular-nums; }
  .entry .amount.soft { font-size: 1rem; font-weight: 400; }
  .entry .chips { display: flex; gap: .2rem; }
  .entry .chip { width: 2.6rem; padding: 0; background: none; border-color: transparent; }
  .entry .chip svg { width: 100%; display: block; }
  .entry kbd, .keying kbd { margin-left: .4rem; }
  .lies span { display: inline-flex; gap: .4rem; align-items: center; }
  .answers form { display: flex; gap: .5rem; align-items: end; flex-wrap: wrap; }
  .answers .check { display: flex; gap: .3rem; align-items: center; }
  .answers form > :is(.check, .soft) { min-height: 2.6rem; align-content: center; }
  .answers td:first-child { white-space: nowrap; }
  .answers .said { margin-right: .6rem; }
  .call {
    margin: 0; font-size: clamp(1.9rem, 3.6vw, 3.2rem); font-weight: 750; line-height: 1.12; letter-spacing: -.01em;
    text-wrap: balance;
  }
  .call::before { content: open-quote; color: var(--gold); } .call::after { content: close-quote; color: var(--gold); }
  :lang(zh) .call { quotes: "“" "”"; }
  .reasons { margin: 0; font-size: clamp(1.1rem, 1.7vw, 1.45rem); }
  .reasons .player { color: var(--player-ink); } .reasons .banker { color: var(--banker-ink); }
  .title { margin: 0; font-size: clamp(1.3rem, 2.2vw, 1.9rem); font-weight: 700; }
  .title::first-letter { text-transform: uppercase; }
  .waiting {
    margin: 0; font-size: clamp(1.4rem, 2.6vw, 2.2rem); font-weight: 650; color: var(--ink-soft); text-wrap: balance;
  }
  .task { margin: 0; font-size: clamp(1.3rem, 2.2vw, 1.8rem); font-weight: 700; }
  .task.player { color: var(--player-ink); } .task.banker { color: var(--banker-ink); }
  button.big {
    font-size: clamp(1.2rem, 2vw, 1.6rem); font-weight: 750; min-height: 4.2rem; padding: .6rem 1.6rem;
    border-radius: 14px; justify-self: start; min-width: min(100%, 22rem);
  }
  button.big kbd {
    font: inherit; font-size: .75rem; font-weight: 600; opacity: .75; margin-left: .8rem;
    border: 1px solid currentColor; border-radius: 5px; padding: .05rem .4rem; vertical-align: middle;
  }
  .keying { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .7rem 1.1rem; align-items: start; }
  .keying .task { grid-column: 1 / -1; }
  .keying .row { grid-column: 1 / -1; flex-wrap: nowrap; gap: 1.1rem; }
  .keyed {
    --card-width: 6.2rem; display: grid; place-items: center; width: 6.2rem; aspect-ratio: 100 / 140;
    border: 2px dashed var(--line); border-radius: 10px; color: var(--ink-soft); font-size: 2.2rem; font-weight: 750;
  }
  .keyed.whole { border-color: transparent; }
  .keyed svg { width: 100%; }
  .now > [data-do=one-card] { justify-self: start; }
  .more { display: flex; gap: .5rem; flex-wrap: wrap; align-items: start; }
  .more .soft { align-self: center; font-size: .9rem; }
  .form {
    background: var(--panel-high); border-radius: 12px; padding: .9rem; width: min(100%, 34rem); display: grid;
    gap: .6rem;
  }
  .form h3 { font-size: 1.05rem; }
  .refused { margin: 0; color: var(--warn); font-weight: 650; font-size: 1.1rem; }
  .keys { font-size: .82rem; margin: 0; }
  .clause { white-space: nowrap; min-height: 0; padding: 0 .45rem; font-size: .85rem; vertical-align: middle; }
  .walk {
    margin: 0; padding: .7rem .8rem .7rem 2rem; display: grid; gap: .4rem; background: var(--shade);
    border-radius: 12px; font-size: 1rem;
  }
  .walk b { color: var(--gold); font-weight: 650; }
  .walk li { color: var(--ink-soft); }
  .walk li.current { color: var(--ink); font-weight: 600; }
  .walk li.current::marker { content: "▸ "; color: var(--warn); }
  .answers { width: 100%; } .answers td { font-size: 1.05rem; }
  .felt {
    background: radial-gradient(ellipse at 50% 0, #12694a, var(--felt) 55%, var(--felt-deep));
    border: 7px solid var(--rail); border-radius: 18px 18px 42% 42% / 18px 18px 80px 80px; padding: .5rem;
    display: grid; grid-template-columns: minmax(0, 1fr); --card-width: clamp(44px, 4.4vw, 60px);
    box-shadow: inset 0 2px 14px rgb(0 0 0 / .55);
  }
  .with {
    display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; width: min(100%, 44rem); margin: 0 auto;
    text-align: center; font-size: .92rem; min-height: 1.4rem;
  }
  p.outcome { text-align: center; font-size: 1.1rem; font-weight: 650; margin: 0; min-height: 1.5rem; }
  .scroll { overflow: auto; max-height: 22rem; }
  .pay td { font-size: 1.05rem; }
  .pay .strong { font-weight: 750; font-size: 1.15rem; }
  .pay tr.lose td { background: rgb(200 50 47 / .1); }
  .pay tr.win td { background: rgb(28 138 78 / .14); }
  .sums { display: flex; gap: .2rem 1.6rem; flex-wrap: wrap; margin: .5rem 0 0; }
  .sums div { display: flex; gap: .5rem; align-items: baseline; }
  .sums dt { color: var(--ink-soft); }
  .sums dd { margin: 0; font-weight: 700; font-variant-numeric: tabular-nums; font-size: 1.1rem; }
  @media (max-width: 1000px) { main { grid-template-columns: minmax(0, 1fr); } }
  @media (max-width: 560px) {
    .now { padding: .8rem; min-height: 0; }
    .keying { grid-template-columns: 1fr; }
    .keyed { width: 4rem; }
    button.big { width: 100%; }
    .felt { --card-width: 40px; border-width: 5px; padding: .3rem; }
    .keys, button.big kbd { display: none; }
  }
`,
];
