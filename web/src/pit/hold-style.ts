/** How a hold looks in the pit. */
import { css } from "lit";

export const decisionStyle = css`
  section {
    display: grid; gap: .55rem; padding: .7rem .9rem; background: var(--held); border: 1px solid var(--held-line);
    border-left: 4px solid var(--gold); border-radius: 12px;
  }
  .head { display: flex; gap: .2rem .8rem; flex-wrap: wrap; align-items: baseline; }
  h3 { font-size: 1.05rem; color: var(--warn); }
  p { margin: 0; }
  .matter { font-size: 1.05rem; font-weight: 600; overflow-wrap: anywhere; }
  .held-for { font-variant-numeric: tabular-nums; font-weight: 650; color: var(--warn); }
  .clause { font-size: .88rem; }
  summary { cursor: pointer; }
  .clause ul { padding: .2rem 0 0 1rem; }
  .waits { margin-left: auto; font-weight: 650; }
  .mine { color: var(--gold); }
  ul { list-style: none; margin: 0; padding: 0; }
  .cards { display: flex; gap: .4rem 1.4rem; flex-wrap: wrap; font-size: 1.05rem; }
  .laid {
    display: grid; grid-template-columns: minmax(8rem, 14rem) 6rem minmax(10rem, 14rem) auto; justify-content: start;
    gap: .2rem 1rem; align-items: center; padding: .2rem 0; border-top: 1px solid var(--held-line);
    overflow-wrap: anywhere; font-variant-numeric: tabular-nums;
  }
  @media (max-width: 720px) { .laid { grid-template-columns: 1fr 1fr; } .waits { margin-left: 0; } }
  input.amount { width: 8rem; min-height: 2.2rem; padding: .2rem .5rem; text-align: right; }
  .group { display: flex; gap: .4rem; flex-wrap: wrap; align-items: center; }
  .group > span { min-width: 7rem; }
  .group button { min-height: 2.4rem; }
  .check { display: flex; gap: .4rem; align-items: center; min-height: 2.4rem; color: var(--ink); }
  .check input { min-height: 1.2rem; width: 1.2rem; }
  form.confirm { border: 1px solid var(--gold); border-radius: 10px; padding: .6rem .8rem; display: grid; gap: .5rem; }
  form.confirm input { flex: 1 1 12rem; min-height: 2.4rem; }
  .preview { display: grid; gap: .3rem; } .preview table { width: auto; min-width: 26rem; }
  .warn { color: var(--warn); font-weight: 650; }
`;
