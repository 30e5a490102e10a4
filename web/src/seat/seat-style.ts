/** The style of a seat. */
import { css } from "lit";
import { common } from "../components/style";
import { tableStyle } from "../table-view/table-style";

export const seatStyle = [
  common,
  tableStyle,
  css`
  :host { display: flex; flex-direction: column; height: 100dvh; overflow: hidden; }
  main {
    flex: 1; min-height: 0; display: grid; gap: .6rem;
    grid-template-columns: minmax(0, 1fr) clamp(16rem, 23.5vw, 26rem);
    padding: .3rem .6rem .5rem; width: 100%; position: relative;
  }
  .noticed {
    margin: 0; padding: .4rem 1rem; background: var(--notice); color: var(--notice-ink); display: flex; gap: .4rem 1rem;
    align-items: center; justify-content: center; flex-wrap: wrap; font-weight: 600;
  }
  .noticed { position: fixed; z-index: 9; top: 0; left: 0; right: 0; }
  .noticed button { min-height: 2rem; padding: .1rem .7rem; }
  .lifted {
    position: fixed; left: -1.6rem; top: -1.6rem; width: 3.2rem; height: 3.2rem; z-index: 20; pointer-events: none;
    filter: drop-shadow(0 8px 8px rgb(0 0 0 / .55));
  }
  .table {
    display: grid; grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr); gap: .3rem; min-width: 0; min-height: 0;
  }
  .head { display: flex; gap: .2rem .8rem; align-items: center; min-height: 2.4rem; white-space: nowrap; }
  /* The phase has room for its longest words, so that nothing beside it moves when it changes. */
  .phase { font-weight: 750; font-size: 1.1rem; overflow: hidden; text-overflow: ellipsis; }
  .head > .phase { min-width: 13.5rem; }
  .phase.betting { color: var(--tie-ink); } .phase.held { color: var(--warn); } .phase.stale { color: var(--ink-soft); }
  .money-line { margin-left: auto; display: flex; gap: .2rem .9rem; align-items: center; }
  .money-line strong { color: var(--gold); font-variant-numeric: tabular-nums; font-size: 1.05rem; }
  .money-line button { padding: .2rem .7rem; min-height: 2.2rem; }
  .felt {
    background: var(--cloth); border: 8px solid var(--rail); border-radius: 22px; position: relative; min-height: 0;
    container-type: size; box-shadow: inset 0 0 0 2px rgb(0 0 0 / .3);
  }
  /* Two hands side by side, each with room for a third card across; and 42 of 100 parts of the felt's height. */
  .on-felt {
    --between-hands: clamp(.5rem, 5cqw, 3.6rem);
    --card-width: min(240px, (100cqw - 7.8rem) / 6.8, (42cqh - 2.4rem) / 1.4);
    height: 100%; padding: .3rem .5rem .5rem; display: grid; position: relative;
    grid-template: auto 2rem minmax(0, 1fr) / minmax(0, 1fr);
  }
  .on-felt > punto-clock {
    background: var(--felt-deep); border-radius: 50%; z-index: 1; position: absolute; top: 2.2rem;
    left: calc(50% - 1.7rem);
  }
  punto-hands { width: 100%; }
  .result {
    position: relative; z-index: 2; display: flex; gap: .3rem 1rem; justify-content: space-between; align-items: center;
    white-space: nowrap; width: min(100%, 34rem); margin: 0 auto; padding: 0 .3rem;
  }
  .result.past { opacity: .75; }
  .outcome { font-size: 1.1rem; font-weight: 650; overflow: hidden; text-overflow: ellipsis; }
  .net { font-weight: 750; font-variant-numeric: tabular-nums; }
  .net.won { color: var(--gold); font-size: 1.2rem; }
  details.mine summary { cursor: pointer; }
  details.mine .list {
    position: absolute; z-index: 3; top: 100%; left: 50%; transform: translateX(-50%); width: min(100%, 44rem);
    background: var(--panel); border: 1px solid var(--line); padding: .4rem .6rem; border-radius: 10px;
    text-align: left; box-shadow: 0 6px 24px rgb(0 0 0 / .6); white-space: normal;
  }
  .list td, .rounds td { word-break: keep-all; }
  .clause { white-space: nowrap; min-height: 0; padding: 0 .4rem; font-size: .82rem; }
  /* What waits for the patron lies over the felt, so that nothing moves. */
  .demands {
    position: absolute; inset: 0; z-index: 4; display: grid; place-content: center; gap: .5rem; overflow: auto;
    pointer-events: none; padding: .4rem;
  }
  .demands > * { pointer-events: auto; box-shadow: 0 6px 30px rgb(0 0 0 / .7); border-radius: 14px; }
  .device { justify-content: center; background: var(--felt-deep); padding: .7rem; }
  .own { position: relative; }
  /* It lies over the felt, on which nothing can be bet without chips, so that nothing moves when it comes or goes. */
  .practice-chips {
    position: absolute; z-index: 3; bottom: calc(100% + 1rem); left: 50%; transform: translateX(-50%);
    white-space: nowrap; box-shadow: 0 4px 18px rgb(0 0 0 / .6);
  }
  .refused {
    position: absolute; z-index: 5; bottom: calc(100% + .5rem); left: 50%; transform: translateX(-50%); margin: 0;
    width: max-content; max-width: 94%; padding: .35rem .8rem; border-radius: 99px; font-weight: 650;
    color: var(--warn);
    background: var(--held); border: 1px solid var(--warn);
  }
  .refused .why {
    min-height: 0; padding: 0 .3rem; margin-left: .3rem; border: 0; background: none; color: inherit; font-size: 1.1em;
    line-height: 1;
  }
  .refused.unsent {
    display: flex; flex-wrap: wrap; gap: .4rem .7rem; align-items: center; justify-content: center; border-radius: 14px;
    padding: .5rem .8rem; z-index: 6;
  }
  .refused.unsent button { min-height: 2.2rem; padding: .2rem .8rem; }
  .guest { background: var(--panel); padding: .6rem 1rem; border-radius: 12px; }
  aside { align-self: stretch; overflow: auto; min-height: 0; }
  .more { display: none; }
  .rounds .net { margin-left: auto; font-size: 1em; }
  .rounds table th, .rounds table td { font-size: .8rem; padding: .2rem .25rem; }
  /* Without room beside the felt, what is told there comes up over it. */
  @media (max-width: 900px) {
    main { grid-template: minmax(0, 1fr) auto / minmax(0, 1fr); gap: .3rem; padding: .2rem .3rem .3rem; }
    aside { display: none; }
    aside.opened {
      display: block; position: absolute; z-index: 7; inset: 0; border-radius: 14px 14px 0 0; padding-bottom: 3rem;
    }
    .more { display: block; min-height: 2.2rem; padding: .2rem .7rem; position: relative; z-index: 7; }
    main:has(aside.opened) .more {
      position: absolute; left: .3rem; right: .3rem; bottom: .3rem; box-shadow: 0 0 0 .3rem var(--panel);
    }
  }
  @media (max-width: 620px) {
    .felt { border-width: 5px; border-radius: 16px; }
    /* Two cards side by side in each hand, the third below them. */
    .on-felt {
      --card-width: min((100cqw - 2.6rem) / 4, (46cqh - 2.4rem) / 2.45);
      padding: .2rem .25rem .3rem; grid-template-rows: auto 1.6rem minmax(0, 1fr);
    }
    .on-felt > punto-clock { width: 2.5rem; height: 2.5rem; top: .1rem; left: calc(50% - 1.25rem); }
    .result { column-gap: .4rem; } .outcome { font-size: .82rem; } .net, .net.won { font-size: .85rem; }
    .head { flex-wrap: wrap; }
    .head:has(.tag) > .soft { display: none; } .head > .phase { font-size: 1rem; min-width: 0; flex: 1 1 0; }
    .money-line { flex: 0 0 100%; margin: 0; justify-content: space-between; font-size: .8rem; gap: .4rem; }
    .money-line strong { font-size: .92rem; }
    .money-line button { padding: .2rem .5rem; font-size: .82rem; }
    details.mine .list { padding: .1rem; width: calc(100vw - 1.5rem); }
    .list th, .list td, .rounds table th, .rounds table td { font-size: .8rem; padding: .2rem .22rem; }
    .list .clause, .rounds .clause { padding: 0 .25rem; font-size: .76rem; }
    .soft-narrow { display: none; }
  }
  @media (max-width: 420px) { .head > .soft { display: none; } } /* the call needs the room; History has the number */
  /* A phone on its side: cards to the left, bets to the right. */
  @media (max-height: 480px) and (min-width: 621px) {
    .head { min-height: 1.8rem; } .head > .phase { min-width: 11rem; } .head > .soft { display: none; }
    .money-line button { min-height: 1.8rem; }
    .on-felt {
      --card-width: min((40cqw - 2.2rem) / 4, (100cqh - 4.6rem) / 2.45);
      grid-template: minmax(0, 1fr) 1.6rem / 40% minmax(0, 1fr); column-gap: .5rem; padding: .15rem .3rem;
    }
    .felt { border-width: 4px; border-radius: 12px; }
    .soft-narrow { display: none; }
    /* The way to the roads stands beside the chips. */
    main { grid-template: minmax(0, 1fr) / minmax(0, 1fr); }
    .more { position: absolute; right: .4rem; bottom: .45rem; }
    .own { padding-right: 9rem; }
    .on-felt > punto-areas { grid-row: 1 / 3; grid-column: 2; }
    .on-felt > punto-clock { width: 2.4rem; height: 2.4rem; top: .1rem; left: calc(20% - 1.2rem); }
    .result { column-gap: .4rem; font-size: .82rem; } .outcome, .net, .net.won { font-size: .82rem; }
    .result.soft { font-size: .76rem; white-space: normal; line-height: 1.1; }
  }
`,
];
