/** The style that the patron's and the Dealer's page share. */
import { css } from "lit";

export const tableStyle = css`
  punto-hands { width: min(100%, 44rem); margin: 0 auto; }
  .tag {
    font-size: .78rem; background: var(--notice); color: var(--warn); padding: .05rem .45rem; border-radius: 99px;
  }
  aside {
    background: var(--panel); border: 1px solid var(--line); border-radius: 14px; padding: .4rem .8rem;
    align-self: start; min-width: 0;
  }
  .rounds { list-style: none; margin: 0; padding: 0; max-height: 34rem; overflow: auto; }
  .rounds li { border-bottom: 1px solid var(--line); padding: .35rem 0; font-size: .88rem; }
  .rounds .line { display: flex; gap: .1rem .7rem; flex-wrap: wrap; }
  .banker { color: var(--banker-ink); } .player { color: var(--player-ink); } .tie { color: var(--tie-ink); }
`;
