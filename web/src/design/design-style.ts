/** The style of the design page: the file on the left, what is known of it on the right; one of them on a phone. */
import { css } from "lit";

export const style = css`
  :host { display: flex; flex-direction: column; height: 100dvh; }
  main {
    flex: 1; min-height: 0; display: grid; grid-template: auto minmax(0, 1fr) / minmax(0, 1.25fr) minmax(0, 1fr);
    gap: .5rem .8rem; padding: .5rem clamp(.5rem, 1.5vw, 1.2rem);
  }
  main.away { display: block; }
  .bar { grid-column: 1 / -1; display: flex; gap: .5rem .8rem; align-items: center; flex-wrap: wrap; }
  .bar button, .bar select { min-height: 2.2rem; padding: .25rem .7rem; }
  .bar select { max-width: 16rem; }
  .bar [aria-pressed="true"] { border-color: var(--gold); color: var(--gold); }
  .said { margin: 0; }
  section { min-height: 0; min-width: 0; border: 1px solid var(--line); border-radius: 12px;
    background: var(--panel); }
  .file { display: flex; flex-direction: column; overflow: hidden; }
  .scroll { flex: 1; min-height: 0; overflow: auto; }
  .beside { overflow: auto; padding: .2rem .8rem; }
  .mistake { margin: 0; padding: .3rem .6rem; background: var(--bad); color: var(--bad-ink);
    overflow-wrap: anywhere; }
  .mistake button { color: inherit; text-decoration: underline; min-height: 0; padding: 0; }
  .bad { color: var(--bad-ink); }
  .note { padding: 1rem; }
  h2 { font-size: 1rem; color: var(--gold); margin-top: .6rem; }
  table { font-size: .9rem; }
  tbody tr:not(.head) th, tbody tr:not(.head) td { border-bottom: 0; padding-block: .1rem; }
  tbody .head > * { border-bottom: 0; padding-top: .45rem; }
  tbody .head th { color: var(--ink); font-size: .95rem; }
  .outcome { padding-left: 1rem; }
  .edge { color: var(--gold); font-weight: 650; font-variant-numeric: tabular-nums; }
  .unusual { margin: .3rem 0; padding-left: 1.2rem; color: var(--warn); font-size: .9rem; }
  .slider { grid-template-columns: minmax(8rem, 1fr) 2fr; align-items: center; }
  .slider input { padding: 0; min-height: 1.8rem; accent-color: var(--gold); }
  .try { border-bottom: 1px solid var(--line); padding: .3rem 0; }
  summary { cursor: pointer; padding: .2rem 0; }
  .target { align-items: end; padding: .3rem 0; }
  .short { width: 6.5rem; }
  .target [name="allowed"] { width: 7rem; }
  .found { justify-content: space-between; }
  .found button, .target button { min-height: 2.2rem; padding: .2rem .7rem; }
  .differs { background: var(--notice); color: var(--notice-ink); }
  .differs th { color: inherit; }
  .cloth { --card-width: 46px; border-radius: 12px; padding: .4rem; background: var(--cloth); margin-bottom: .5rem; }
  .form { display: grid; gap: .6rem; padding: .7rem; }
  .fields { display: flex; flex-wrap: wrap; gap: .4rem .7rem; align-items: end; }
  .fields input { width: 11rem; }
  .fields input[type="number"], .fields [name="version"] { width: 5rem; }
  .wager { border: 1px solid var(--line); border-radius: 10px; display: grid; gap: .5rem; padding: .5rem .7rem;
    margin: 0; min-width: 0; }
  legend { font-weight: 650; }
  .line {
    display: grid; grid-template-columns: minmax(0, 1fr) auto minmax(6rem, auto) auto; gap: .3rem .6rem;
      align-items: end;
    border-top: 1px dashed var(--line); padding-top: .4rem;
  }
  .line .when { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: .4rem; }
  .form input, .form select { min-height: 2.1rem; padding: .2rem .5rem; }
  .form button { min-height: 2.1rem; padding: .2rem .6rem; }
  .condition { grid-template-columns: auto auto auto; align-items: center; background: var(--panel-high);
    border-radius: 8px; padding: .1rem .4rem; }
  .condition input { width: 8rem; }
  .line input { width: 100%; }
  .line .short { width: 6.5rem; }
  .line .when input, .line .when select { width: 8rem; }
  .condition { white-space: nowrap; }
  .share { font-size: .85rem; }
  @media (max-width: 860px) {
    main { grid-template: auto auto minmax(0, 1fr) / minmax(0, 1fr); }
    main .file { display: none; }
    main.on-file { grid-template: auto auto minmax(0, 1fr) / minmax(0, 1fr); }
    main.on-file .file { display: flex; grid-row: 3; }
    main.on-file .beside { grid-row: 2; overflow: visible; border: 0; padding: 0; background: none;
      max-height: 2.8rem; overflow: hidden; }
    main:not(.on-file) .beside { grid-row: 2 / 4; }
    table { font-size: .8rem; }
    th, td { padding-inline: .15rem; }
    thead .num, .compared .num { white-space: normal; }
    td .soft { display: block; }
    .beside label { min-width: 0; grid-template-columns: minmax(0, 1fr); }
    .beside label.slider { grid-template-columns: minmax(6rem, 1fr) minmax(0, 2fr); }
    .bar { gap: .3rem .5rem; }
    .bar select { max-width: 9rem; }
  }
`;
