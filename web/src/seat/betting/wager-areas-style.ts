/** How the areas of the felt look, and how chips come and go. Only transforms and opacity move. */
import { css } from "lit";

export const wagerAreasStyle = css`
  :host { min-height: 0; height: 100%; }
  .areas { display: grid; gap: .35rem; height: 100%; grid-template-rows: auto minmax(0, 1fr); }
  .side { display: grid; gap: .35rem; grid-template-columns: repeat(var(--columns), minmax(0, 1fr)); }
  .main { display: grid; gap: .35rem; grid-auto-flow: column; grid-auto-columns: minmax(0, 5fr); min-height: 0; }
  /* A name, and below it the payouts and the chips, which share one room: the chips stand to the right of the words. */
  button {
    position: relative; isolation: isolate; display: grid; padding: .35rem .5rem;
    grid-template: auto minmax(0, 1fr) / minmax(0, 1fr) auto;
    min-height: 0; min-width: 0; color: #fff; overflow: hidden; border: 2px solid var(--line-of); border-radius: 12px;
    text-align: left; line-height: 1.2; background: color-mix(in srgb, var(--felt-of) 62%, transparent);
  }
  .side button { min-height: clamp(3.2rem, 15cqh, 7rem); }
  button[aria-disabled] { cursor: default; }
  button[aria-disabled]:hover { border-color: var(--line-of); }
  @media (hover: hover) { :host([open]) button:hover { background: var(--felt-of); } }
  :host([open]) button:active { transform: scale(.985); }
  button[data-over] { outline: 3px solid var(--gold); outline-offset: 1px; }
  .name { font-weight: 800; font-size: .92rem; letter-spacing: .02em; min-width: 0; }
  .main .name {
    font-size: clamp(1rem, 5cqh, 1.6rem); text-transform: uppercase; letter-spacing: .05em; color: var(--line-of);
  }
  .streak { font-size: .75em; color: #fff; white-space: nowrap; }
  .text, .foot { grid-area: 2 / 1 / 3 / 3; min-width: 0; }
  .text { position: relative; display: flex; flex-direction: column; gap: .1rem; }
  .main .text { padding-right: calc(var(--pile) + .9rem); }
  .pays { font-size: .78rem; } .pays.best { display: none; }
  .line { display: block; } .line > span { color: #f6f1e0; }
  .fine { font-size: .7rem; color: #f6f1e0; } .edge { margin-right: .4em; } .limits { white-space: nowrap; }
  .side .fine { display: none; }
  /* In a small area the best ratio stands for all of them as long as chips lie there; once it is over, none. */
  .side .staked .pays.all, .over .pays, .over .fine { visibility: hidden; }
  .side .staked .pays.best { display: block; position: absolute; inset: 0 calc(var(--pile) + .6rem) auto 0; }
  /* It takes the room there is and asks for none, so that an area never grows. */
  .foot { position: relative; contain: size; display: flex; align-items: end; gap: .3rem; pointer-events: none; }
  .stake {
    margin-left: auto; display: flex; flex-direction: column; align-items: center; justify-content: end;
    height: 100%; min-width: var(--pile);
  }
  .stake > * { pointer-events: auto; }
  :host([open]) .stake[data-stake] { cursor: grab; touch-action: none; }
  .own, .winnings { display: flex; min-height: 0; align-items: end; justify-content: center; }
  .stake > .own, .piles { flex: 1; }
  .side { --pile: 2.1rem; } .main { --pile: clamp(2.4rem, 11cqh, 4.6rem); }
  .pile {
    width: var(--pile); min-height: 0; max-height: 100%; display: block; overflow: visible;
    filter: drop-shadow(0 2px 2px rgb(0 0 0 / .5));
  }
  .amount {
    font-size: .74rem; font-weight: 750; padding: 0 .4em; border-radius: 99px; background: rgb(0 0 0 / .62);
    font-variant-numeric: tabular-nums; flex: none;
  }
  .amount:empty { visibility: hidden; }
  .main .amount { font-size: .86rem; }
  .waiting { opacity: .5; }
  .others { display: flex; gap: .25rem; align-items: start; font-size: .7rem; color: #f6f1e0; opacity: .92; height: 0; }
  .others .pile { width: 1rem; max-height: none; }
  .share {
    font-size: .8rem; font-weight: 750; padding: .05rem .45rem; border-radius: 99px; background: rgb(0 0 0 / .4);
    font-variant-numeric: tabular-nums;
  }
  .winning { border-color: #fff3c4; }
  /* It lies on the cloth: words and chips stand on it. */
  .winning::after {
    content: ""; position: absolute; z-index: -1; inset: 0; border-radius: 9px; pointer-events: none; opacity: .9;
    box-shadow: inset 0 0 22px 6px #ffe08a; animation: glow 1.1s ease-in-out 4 alternate;
  }
  .piles { display: flex; gap: .2rem; min-height: 0; }
  :host([open]) .stake .own { animation: laid .18s ease-out; }
  .was-win .winnings { animation: paid .7s .5s cubic-bezier(.2, .8, .3, 1) backwards; }
  .was-lose .own { animation: collected .8s .4s ease-in forwards; }
  @keyframes laid { from { transform: translateY(-.9rem); opacity: .3; } }
  @keyframes glow { from { opacity: .25; } }
  @keyframes paid { from { transform: translateY(-30vh); opacity: 0; } }
  @keyframes collected { to { transform: translateY(-30vh); opacity: 0; } }
  @container (max-width: 620px) or (max-height: 330px) {
    .pays.all, .fine { display: none; } .pays.best { display: block; }
    .side { --pile: 1.6rem; grid-template-columns: repeat(var(--narrow, 3), minmax(0, 1fr)); }
    .main { --pile: 2.1rem; }
    .side button { min-height: 0; height: clamp(2.6rem, 15cqh, 3.4rem); padding: .2rem .35rem; }
    .side .name { font-size: .78rem; line-height: 1.1; } .pays.best { font-size: .7rem; }
    .many button { height: clamp(2.7rem, 9cqh, 3.2rem); padding: .1rem .25rem; line-height: 1.08; }
    .many .name, .many .pays.best { font-size: .66rem; }
    .main .name { font-size: 1rem; letter-spacing: 0; white-space: nowrap; }
    .streak { font-size: .62em; display: block; }
    .main .text { padding: 0; } .winning::after { box-shadow: inset 0 0 14px 3px #ffe08a; }
    /* Chips take the place of the ratio: side by side with their amount, as low as the line they stand on. */
    .side .staked .pays.best { visibility: hidden; }
    .side .stake { flex-direction: row-reverse; align-items: end; gap: .2rem; }
    .side .stake > .own, .side .piles { flex: none; height: 100%; }
    .others span { display: none; }
  }
  /* One of four tables on a small screen. */
  @container (max-width: 500px) and (max-height: 400px) {
    .side .name, .side .pays.best { font-size: .68rem; line-height: 1.1; }
    .side .pays.best { white-space: nowrap; } .side button { height: 2.9rem; }
    .side button { padding: .15rem .3rem; } .main button { padding: .3rem .35rem; }
    .main .name { font-size: .86rem; }
    .main .others { transform: translateY(2.2rem); } /* below the words */
    .share { display: none; }
  }
  /* Where a screen is low, chips need the room of the words. */
  @media (max-height: 480px) { .streak { display: none; } }
`;
