/** The style that all elements share. */
import { css } from "lit";

export const common = css`
  * { box-sizing: border-box; }
  :host { display: block; }
  [hidden] { display: none !important; }
  /* Felt is dark in both themes, and so is all that lies on it. */
  .felt { color-scheme: dark; color: var(--ink); }
  h1, h2, h3 { margin: 0; line-height: 1.2; }
  a { color: var(--gold); }
  :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
  button, input, select { font: inherit; color: inherit; }
  button {
    cursor: pointer; padding: .5rem .9rem; min-height: 2.6rem; border-radius: var(--radius);
    border: 1px solid var(--line); background: var(--panel-high); color: var(--ink);
  }
  button:hover:not(:disabled) { border-color: var(--gold); }
  button:disabled { opacity: .55; cursor: not-allowed; }
  button.main { background: var(--gold); color: var(--on-gold); border-color: var(--gold); font-weight: 650; }
  /* A small button in a line of text is larger to a finger than it looks. */
  button.clause { position: relative; }
  @media (pointer: coarse) { button.clause::after { content: ""; position: absolute; inset: -.65rem -.4rem; } }
  button.quiet { background: transparent; border-color: transparent; }
  input, select {
    padding: .5rem .7rem; min-height: 2.6rem; border-radius: var(--radius); border: 1px solid var(--line);
    background: var(--felt-deep); color: var(--ink); max-width: 100%;
  }
  label { display: grid; gap: .25rem; font-size: .9rem; color: var(--ink-soft); }
  table { border-collapse: collapse; width: 100%; }
  th { text-align: left; font-weight: 600; color: var(--ink-soft); font-size: .82rem; }
  th, td { padding: .3rem .4rem; border-bottom: 1px solid var(--line); vertical-align: baseline; }
  .num { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
  .soft { color: var(--ink-soft); }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .won { color: var(--tie-ink); }
  .lost { color: var(--banker-ink); }
  dialog {
    color: var(--ink); background: var(--panel); border: 1px solid var(--line); border-radius: 14px; padding: 1.2rem;
    width: min(30rem, calc(100vw - 2rem)); max-height: 85vh; overflow: auto;
  }
  dialog::backdrop { background: rgb(0 0 0 / .6); }
  .row { display: flex; gap: .5rem; flex-wrap: wrap; align-items: center; }
  .stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; }
  @media (prefers-reduced-motion: reduce) {
    *, *::before, *::after {
      animation-duration: 1ms !important; animation-delay: 0s !important; transition-duration: 1ms !important;
    }
  }
`;
