/** How a tile of the lobby looks. Everything has its place at all times, so that nothing moves when a round goes on. */
import { css } from "lit";

export const tileStyle = css`
  :host { height: 100%; container-type: inline-size; }
  article {
    background: var(--panel); border: 1px solid var(--line); border-radius: 14px; padding: .7rem; display: grid;
    gap: .35rem; height: 100%; align-content: start; grid-template-columns: minmax(0, 1fr);
  }
  article:hover, article:focus-within { border-color: var(--gold); }
  article.good { box-shadow: 0 0 0 1px var(--gold); }
  .head { display: flex; justify-content: space-between; gap: .5rem; align-items: center; height: 2.3rem; }
  .how {
    display: grid; place-items: center; width: 1.5em; height: 1.5em; border-radius: 50%; font-size: .8em; flex: none;
    border: 1px solid var(--line); text-decoration: none;
  }
  h2 { font-size: min(1.02rem, 3.75cqi); display: flex; gap: .4rem; align-items: center; }
  h2 span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .facts { min-width: 0; display: flex; gap: .7rem; font-size: .88rem; color: var(--ink-soft); white-space: nowrap; }
  .facts strong { color: var(--gold); font-variant-numeric: tabular-nums; }
  .facts .mine { color: var(--gold); font-weight: 650; font-variant-numeric: tabular-nums; }
  .state {
    display: flex; align-items: center; gap: .3rem; flex: none; width: 9.6rem; height: 2.3rem;
    justify-content: space-between; padding: 0 .15rem 0 .7rem;
    border-radius: 99px; background: var(--felt-deep); color: var(--ink-soft); font-size: .85rem; white-space: nowrap;
  }
  .state.betting { color: var(--tie-ink); font-weight: 650; } .state.held { color: var(--warn); }
  .clock { width: 2rem; height: 2rem; display: block; }
  punto-clock { width: 100%; height: 100%; }
  .road { position: relative; aspect-ratio: 22.1 / 6.1; border-radius: 4px; overflow: hidden; }
  .road > button {
    position: absolute; inset: 0; width: 100%; min-height: 0; border: 0; background: none; cursor: zoom-in;
    outline-offset: -3px;
  }
  .road svg { display: block; width: 100%; }
  .new {
    position: absolute; inset: 0; display: grid; place-items: center; color: #4a4636; font-weight: 650;
  }
  .three { display: grid; grid-template-columns: repeat(3, 1fr); gap: .3rem; }
  .three > span { display: grid; gap: .1rem; min-width: 0; }
  .of { font-size: .72rem; line-height: 1.1; color: var(--ink-soft); text-align: left; white-space: nowrap; }
  .roads { display: flex; gap: .3rem; }
  .roads button {
    flex: 1; min-height: 1.9rem; padding: 0 .3rem; font-size: .8rem; background: none; color: var(--ink-soft);
    white-space: nowrap;
  }
  .roads button[aria-pressed="true"] { color: var(--ink); border-color: var(--ink-soft); }
  .signs { display: flex; gap: .35rem; align-items: center; height: 1.7rem; overflow: hidden; font-size: .82rem; }
  .streak { color: var(--ink-soft); white-space: nowrap; }
  .streak.banker strong { color: var(--banker-ink); } .streak.player strong { color: var(--player-ink); }
  .badge {
    white-space: nowrap; padding: .05rem .5rem; border-radius: 99px; border: 1px solid var(--gold); color: var(--gold);
    font-weight: 650;
  }
  .ways { display: flex; gap: .4rem; }
  .way, punto-practice-seat { flex: 1; }
  .way {
    display: grid; place-items: center; min-height: 2.6rem; padding: .2rem .6rem; border-radius: var(--radius);
    border: 1px solid var(--line); background: var(--panel-high); color: var(--ink); text-decoration: none;
    text-align: center;
  }
  .way:hover { border-color: var(--gold); }
  .way.main { background: var(--gold); color: var(--on-gold); border-color: var(--gold); font-weight: 650; }
  .pick { width: 2.6rem; padding: 0; font-size: 1.2rem; flex: none; }
  .pick[aria-pressed="true"] { border-color: var(--gold); color: var(--gold); }
`;
