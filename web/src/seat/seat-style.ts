/** The style of a seat. */
import { css } from "lit";
import { common } from "../components/style";
import { tableStyle } from "../table-view/table-style";

export const seatStyle = [
  common,
  tableStyle,
  css`
  main {
    display: grid; grid-template-columns: minmax(0, 1fr) minmax(19rem, 24rem); gap: .9rem;
    padding: .6rem clamp(.4rem, 1.2vw, 1rem) 1rem; max-width: 100rem; margin: 0 auto;
  }
  .loading { text-align: center; margin-top: 20vh; }
  .noticed {
    margin: 0; padding: .4rem 1rem; background: var(--notice); color: var(--notice-ink); display: flex; gap: .4rem 1rem;
    align-items: center; justify-content: center; flex-wrap: wrap; font-weight: 600;
  }
  .noticed button { min-height: 2rem; padding: .1rem .7rem; }
  .lifted {
    position: fixed; left: -1.6rem; top: -1.6rem; width: 3.2rem; height: 3.2rem; z-index: 20; pointer-events: none;
    filter: drop-shadow(0 8px 8px rgb(0 0 0 / .55));
  }
  .table { display: grid; grid-template-columns: minmax(0, 1fr); gap: .6rem; align-content: start; min-width: 0; }
  .head { display: flex; gap: .3rem .8rem; align-items: center; flex-wrap: wrap; min-height: 2.9rem; }
  .phase { font-weight: 750; font-size: 1.1rem; white-space: nowrap; }
  .phase.betting { color: var(--tie-ink); } .phase.held { color: var(--warn); }
  .money-line { margin-left: auto; display: flex; gap: .2rem .9rem; align-items: center; flex-wrap: wrap; }
  .money-line strong { color: var(--gold); font-variant-numeric: tabular-nums; font-size: 1.05rem; }
  .money-line button { padding: .3rem .7rem; min-height: 2.4rem; }
  .felt {
    background: radial-gradient(ellipse at 50% 0, #12694a, var(--felt) 55%, var(--felt-deep));
      border: 8px solid var(--rail);
    border-radius: 18px 18px 42% 42% / 18px 18px 90px 90px;
    padding: .35rem .5rem .5rem; display: grid; grid-template-columns: minmax(0, 1fr); position: relative;
      --card-width: clamp(44px, 4.6vw, 62px);
    box-shadow: inset 0 2px 14px rgb(0 0 0 / .55);
  }
  punto-felt { margin-top: -2.2rem; }
  .felt > punto-clock {
    background: var(--felt-deep); border-radius: 50%; z-index: 1; position: absolute; top: 2.6rem;
    left: calc(50% - 1.7rem);
  }
  .result {
    min-height: 1.9rem; position: relative; z-index: 1; display: flex; gap: .3rem 1rem; justify-content: center;
    align-items: baseline; flex-wrap: wrap; text-align: center;
  }
  .outcome { font-size: 1.1rem; font-weight: 650; }
  .net { font-weight: 750; font-variant-numeric: tabular-nums; }
  details.mine summary { cursor: pointer; }
  details.mine .list {
    position: absolute; z-index: 3; top: 100%; left: 50%; transform: translateX(-50%); width: min(100%, 44rem);
    background: var(--panel); border: 1px solid var(--line); padding: .4rem .6rem; border-radius: 10px;
    text-align: left; box-shadow: 0 6px 24px rgb(0 0 0 / .6);
  }
  .list td, .rounds td { word-break: keep-all; }
  .clause { white-space: nowrap; min-height: 0; padding: 0 .4rem; font-size: .82rem; }
  .device { justify-content: center; }
  punto-withdrawal, punto-my-cards, punto-cut, .device { position: relative; z-index: 1; }
  punto-withdrawal, punto-my-cards, .device { margin-bottom: 2.6rem; }
  .own { display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem; }
  .refused { color: var(--warn); font-weight: 600; flex: 1; }
  .place { justify-content: space-between; min-height: 2.4rem; }
  .inline { display: flex; align-items: center; gap: .5rem; }
  .inline select { min-height: 2.2rem; padding: .2rem .5rem; }
  .keys { font-size: .8rem; }
  .guest { background: var(--panel); padding: 1rem; border-radius: 12px; }
  .rounds .net { margin-left: auto; } .rounds table th, .rounds table td { font-size: .8rem; padding: .2rem .25rem; }
  @media (max-width: 900px) { main { grid-template-columns: minmax(0, 1fr); } .keys { display: none; } }
  @media (max-width: 480px) {
    .felt {
      --card-width: 41px; border-width: 5px; border-radius: 14px 14px 40% 40% / 14px 14px 40px 40px;
      padding: .4rem .3rem .5rem;
    }
    .head { gap: .2rem .6rem; }
    .money-line {
      width: 100%; margin: 0; justify-content: space-between; font-size: .8rem; flex-wrap: nowrap; gap: .4rem;
    }
    .money-line > span { white-space: nowrap; }
    .money-line strong { font-size: .92rem; }
    .money-line button { min-height: 2.3rem; padding: .2rem .5rem; white-space: nowrap; font-size: .82rem; }
    punto-felt { margin-top: 0; }
    .felt > punto-clock { width: 2.3rem; height: 2.3rem; top: .2rem; left: calc(50% - 1.15rem); }
    details.mine .list { padding: .1rem; width: calc(100vw - 1.5rem); }
    .list th, .list td, .rounds table th, .rounds table td { font-size: .8rem; padding: .2rem .22rem; }
    .list .clause, .rounds .clause { padding: 0 .25rem; font-size: .76rem; }
    .soft-narrow { display: none; }
    .phase { font-size: 1rem; }
  }
`,
];
