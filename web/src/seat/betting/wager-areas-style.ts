/** How the areas of the felt look, and how chips come and go. Only transforms and opacity move. */
import { css } from "lit";

export const wagerAreasStyle = css`
  :host { min-height: 0; height: 100%; }
  .areas { display: grid; gap: .35rem; height: 100%; grid-template-rows: auto minmax(0, 1fr); }
  .side { display: grid; gap: .35rem; grid-template-columns: repeat(var(--columns), minmax(0, 1fr)); }
  .main { display: grid; gap: .35rem; grid-auto-flow: column; grid-auto-columns: minmax(0, 5fr); min-height: 0; }
  button {
    position: relative; display: flex; padding: .35rem .5rem; min-height: 0; min-width: 0; color: #fff;
    overflow: hidden;
    border: 2px solid var(--line-of); border-radius: 12px; text-align: left; line-height: 1.2;
    background: color-mix(in srgb, var(--felt-of) 62%, transparent);
  }
  .side button { min-height: clamp(3.2rem, 15cqh, 7rem); }
  button:disabled { opacity: 1; cursor: default; }
  :host([open]) button:hover { background: var(--felt-of); }
  :host([open]) button:active { transform: scale(.985); }
  button[data-over] { outline: 3px solid var(--gold); outline-offset: 1px; }
  .text { min-width: 0; flex: 1; display: flex; flex-direction: column; gap: .1rem; }
  .name { font-weight: 800; font-size: .92rem; letter-spacing: .02em; }
  .main .name {
    font-size: clamp(1rem, 5cqh, 1.6rem); text-transform: uppercase; letter-spacing: .05em; color: var(--line-of);
  }
  .pays { font-size: .78rem; } .pays.best { display: none; }
  .line { display: block; } .line > span { color: #f6f1e0; }
  .fine { font-size: .7rem; color: #f6f1e0; } .limits { white-space: nowrap; }
  .side .fine { display: none; }
  .stake { position: absolute; right: .4rem; bottom: .25rem; display: grid; justify-items: center; }
  :host([open]) .stake[data-stake] { cursor: grab; touch-action: none; }
  .pile { width: 2.1rem; display: block; overflow: visible; filter: drop-shadow(0 2px 2px rgb(0 0 0 / .5)); }
  .main .pile { width: clamp(2.4rem, 11cqh, 4.6rem); }
  .amount {
    font-size: .74rem; font-weight: 750; padding: 0 .4em; border-radius: 99px; background: rgb(0 0 0 / .62);
    font-variant-numeric: tabular-nums;
  }
  .amount:empty { visibility: hidden; }
  .main .amount { font-size: .86rem; }
  .waiting { opacity: .5; }
  .others {
    position: absolute; right: .4rem; top: .2rem; display: flex; gap: .25rem; align-items: center; font-size: .7rem;
    color: #f6f1e0; opacity: .92;
  }
  .others .pile, .main .others .pile { width: 1rem; }
  .share {
    position: absolute; left: .5rem; bottom: .35rem; font-size: .8rem; font-weight: 750; padding: .05rem .45rem;
    border-radius: 99px; background: rgb(0 0 0 / .4); font-variant-numeric: tabular-nums;
  }
  .winning { border-color: #fff3c4; }
  .winning::after {
    content: ""; position: absolute; inset: 0; border-radius: 9px; pointer-events: none; opacity: .9;
    box-shadow: inset 0 0 22px 6px #ffe08a; animation: glow 1.1s ease-in-out 4 alternate;
  }
  .paid { grid-template-columns: auto auto; align-items: end; gap: 0 .2rem; }
  .paid .amount { grid-column: 1 / -1; }
  .was-win .winnings { animation: paid .7s .5s cubic-bezier(.2, .8, .3, 1) backwards; }
  .was-lose .own { animation: collected .8s .4s ease-in forwards; }
  @keyframes glow { from { opacity: .25; } }
  @keyframes paid { from { transform: translateY(-30vh); opacity: 0; } }
  @keyframes collected { to { transform: translateY(-30vh); opacity: 0; } }
  @container (max-width: 620px) or (max-height: 330px) {
    .pays.all, .fine { display: none; } .pays.best { display: block; }
    .side { grid-template-columns: repeat(var(--narrow, 3), minmax(0, 1fr)); }
    .side button { min-height: 0; height: clamp(2.6rem, 15cqh, 3.4rem); padding: .2rem .35rem; }
    .side .name { font-size: .78rem; } .pays.best { font-size: .7rem; }
    .many button { height: clamp(2.7rem, 9cqh, 3.2rem); padding: .1rem .25rem; line-height: 1.08; }
    .many .name, .many .pays.best { font-size: .66rem; }
    .pile { width: 1.6rem; } .main .pile { width: 2.1rem; } .main .name { font-size: 1rem; letter-spacing: 0; }
    .others span { display: none; }
  }
  /* One of four tables on a small screen. */
  @container (max-width: 500px) and (max-height: 400px) {
    .side .name, .side .pays.best { font-size: .68rem; line-height: 1.1; }
    .side .pays.best { white-space: nowrap; } .side button { height: 2.9rem; }
    .side button { padding: .15rem .3rem; } .main button { padding: .3rem .35rem; }
    .main .name { font-size: .86rem; }
    .share { display: none; }
  }
`;
