/** How one of several tables differs from a seat that has the page for itself. */
import { css } from "lit";

export const paneStyle = css`
  :host { display: block; height: auto; min-width: 0; min-height: 0; overflow: hidden; }
  .pane {
    position: relative; height: 100%; display: grid; gap: .2rem .35rem; padding: .2rem .3rem .3rem;
    grid-template: 1.9rem minmax(0, 1fr) / minmax(0, 1fr) clamp(8rem, 10vw, 13rem);
    background: var(--panel); border: 2px solid var(--line); border-radius: 14px;
  }
  .pane:focus { outline: none; } /* its frame says it */
  :host([active]) .pane { border-color: var(--gold); }
  .pane-head { grid-column: 1 / -1; display: flex; gap: .6rem; align-items: center; min-width: 0; white-space: nowrap; }
  h2 { font-size: .98rem; overflow: hidden; text-overflow: ellipsis; }
  .pane-head .phase { font-size: .85rem; margin-right: auto; color: var(--ink-soft); flex: none; }
  .pane-head .phase.betting { color: var(--tie-ink); } .pane-head .phase.held { color: var(--warn); }
  .pane-head button, .sign { min-height: 1.8rem; padding: 0 .6rem; font-size: .88rem; }
  .money { color: var(--gold); font-weight: 700; font-variant-numeric: tabular-nums; }
  .money.main { color: var(--on-gold); }
  .sign {
    display: grid; place-items: center; width: 1.9rem; padding: 0; border-radius: var(--radius); text-decoration: none;
    border: 1px solid var(--line); background: var(--panel-high); color: var(--ink); flex: none;
  }
  .felt { border-width: 4px; border-radius: 12px; }
  .beside { display: grid; gap: .3rem; align-content: space-between; min-height: 0; }
  .roads svg { display: block; width: 100%; border-radius: 4px; }
  .roads { display: grid; gap: .3rem; }
  .bet { font-size: .8rem; color: var(--ink-soft); display: flex; justify-content: space-between; }
  .bet strong { color: var(--gold); font-variant-numeric: tabular-nums; }
  .actions { display: grid; grid-template-columns: 1fr 1fr; gap: .3rem; }
  .actions button { padding: 0 .2rem; min-height: clamp(1.9rem, 6vh, 2.6rem); font-size: .84rem; white-space: nowrap; }
  .refused { bottom: .6rem; max-width: 90%; }
  .soft-narrow { display: none; }
  @media (max-height: 480px) { .roads svg:not(:first-child) { display: none; } }
  /* Low: cards to the left, bets to the right. */
  @container (min-width: 400px) and (max-height: 400px) {
    .on-felt {
      --hand-name: .74rem; --card-width: min((40cqw - 2rem) / 4, (100cqh - 5rem) / 2.45);
      grid-template: minmax(0, 1fr) 2.3rem / 40% minmax(0, 1fr); column-gap: .4rem; padding: .15rem .3rem;
    }
    .on-felt > punto-areas { grid-row: 1 / 3; grid-column: 2; }
    .on-felt > punto-clock { width: 2.5rem; height: 2.5rem; top: auto; bottom: 2.5rem; left: calc(20% - 1.2rem); }
    .result { flex-direction: column; align-items: start; justify-content: center; gap: 0; line-height: 1.2; }
    .outcome, .net, .net.won { font-size: .82rem; }
  }
  /* Narrow: two cards side by side in each hand, the third below them, and the bets under the cards. */
  @container (max-width: 620px) and (min-height: 400.1px) {
    .on-felt {
      --card-width: min((100cqw - 2.6rem) / 4, (44cqh - 2.4rem) / 2.45);
      padding: .2rem .25rem .3rem; grid-template-rows: auto 1.6rem minmax(0, 1fr);
    }
    .on-felt > punto-clock { width: 2.5rem; height: 2.5rem; top: .1rem; left: calc(50% - 1.25rem); }
    .outcome, .net, .net.won { font-size: .9rem; }
  }
  @media (max-width: 620px) {
    .pane-head .phase { visibility: hidden; }
    .pane { grid-template: 1.9rem minmax(0, 1fr) auto / minmax(0, 1fr); }
    .beside { grid-template-columns: 8.4rem minmax(0, 1fr); align-items: center; }
    .roads { grid-row: 1 / 3; } .roads svg:not(:first-child) { display: none; }
  }
`;
