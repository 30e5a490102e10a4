/** How several tables share a screen. */
import { css } from "lit";

export const tablesStyle = css`
  :host { display: flex; flex-direction: column; height: 100dvh; overflow: hidden; }
  main {
    flex: 1; min-height: 0; display: grid; gap: .35rem; padding: .3rem .4rem;
    grid-template: minmax(0, 1fr) / minmax(0, 1fr);
  }
  main[data-tables="2"] { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  main[data-tables="3"], main[data-tables="4"] {
    grid-template: repeat(2, minmax(0, 1fr)) / repeat(2, minmax(0, 1fr));
  }
  .none { text-align: center; margin-top: 20vh; }
  .add { min-height: 2.2rem; padding: .1rem .5rem; max-width: 14rem; }
  footer {
    position: relative; display: flex; gap: 1.2rem; align-items: center; justify-content: center;
    padding: .1rem .6rem .35rem; min-height: 3.4rem;
  }
  footer p { margin: 0; } .keys { font-size: .8rem; }
  .lifted {
    position: fixed; left: -1.6rem; top: -1.6rem; width: 3.2rem; height: 3.2rem; z-index: 20; pointer-events: none;
    filter: drop-shadow(0 8px 8px rgb(0 0 0 / .55));
  }
  .switch { display: none; }
  /* A phone shows one table, and the others as tabs. */
  @media (max-width: 900px) {
    .switch { display: flex; gap: .25rem; padding: .25rem .3rem 0; }
    .switch button {
      flex: 1; min-width: 0; padding: .1rem .2rem; min-height: 2.6rem; display: grid; gap: 0; justify-items: center;
      font-size: .74rem; line-height: 1.2;
    }
    .switch button[aria-selected="true"] { border-color: var(--gold); }
    .switch .betting .now { color: var(--tie-ink); } .switch .held .now { color: var(--warn); }
    .game { width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .now { display: flex; gap: .3rem; align-items: center; height: 1.5rem; white-space: nowrap; }
    .now b { color: var(--gold); } .now b.won { color: var(--tie-ink); } .now b.lost { color: var(--banker-ink); }
    .now punto-clock { width: 1.5rem; height: 1.5rem; }
    main, main[data-tables="2"], main[data-tables="3"], main[data-tables="4"] {
      grid-template: minmax(0, 1fr) / minmax(0, 1fr); padding: .25rem .3rem;
    }
    punto-pane:not(.shown) { display: none; }
    .keys { display: none; }
    .add { max-width: 7rem; }
  }
  @media (max-height: 480px) {
    .switch button { min-height: 1.9rem; grid-auto-flow: column; gap: .5rem; align-items: center; }
    footer { min-height: 0; padding: 0 .4rem .1rem; }
  }
`;
