/** The style of one table's details. */
import { css } from "lit";
import { common } from "../components/style";

export const detailStyle = [
  common,
  css`
  .panel { display: grid; gap: .8rem; align-content: start; min-height: 22rem; }
  h3 { font-size: 1rem; color: var(--gold); }
  p { margin: 0; }
  .columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem 2rem; align-items: start; }
  @media (max-width: 720px) { .columns { grid-template-columns: minmax(0, 1fr); } }
  dl { display: grid; grid-template-columns: 1fr auto; gap: .25rem 1rem; margin: 0; }
  dt { color: var(--ink-soft); }
  dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
  .sum { font-weight: 700; border-top: 1px solid var(--line); padding-top: .25rem; margin: 0; }
  .hands { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .7rem; }
  .hand { background: var(--felt-deep); border-radius: 10px; padding: .5rem .7rem; border-top: 3px solid var(--line); }
  .hand.Player { border-color: var(--player); }
  .hand.Banker { border-color: var(--banker); }
  .hand.over { border-color: var(--warn); }
  .hand h4 { margin: 0; font-size: .85rem; color: var(--ink-soft); font-weight: 600; }
  .hand strong { font-size: 1.15rem; font-variant-numeric: tabular-nums; }
  .hand ul { list-style: none; margin: .3rem 0 0; padding: 0; font-size: .85rem; }
  .hand li { display: flex; justify-content: space-between; gap: .5rem; flex-wrap: wrap; overflow-wrap: anywhere; }
  .limits + .row { margin-top: .5rem; }
  form.row { align-items: end; }
  form.row label { flex: 1 1 9rem; }
  form.row input { width: 100%; }
  form.row .soft { flex-basis: 100%; font-size: .85rem; }
  .limits td { padding: .15rem .4rem; }
  .limits input { width: 7.5rem; text-align: right; min-height: 2.1rem; padding: .15rem .5rem; }
  .steps {
    border: 1px solid var(--line); border-radius: 10px; display: flex; gap: .2rem 1rem; flex-wrap: wrap; margin: 0;
    padding: .3rem .7rem .5rem;
  }
  legend { color: var(--ink-soft); font-size: .85rem; padding: 0 .3rem; }
  .check { display: flex; gap: .4rem; align-items: center; color: var(--ink); }
  .check input { min-height: 1.2rem; width: 1.2rem; }
  .acting { list-style: none; padding: 0; margin: 0 0 .8rem; display: grid; gap: .4rem; }
  .acting li { display: flex; gap: .6rem; align-items: center; justify-content: space-between; flex-wrap: wrap; }
  .events { list-style: none; margin: 0; padding: 0; max-height: 28rem; overflow: auto; font-size: .92rem; }
  .events li {
    display: grid; grid-template-columns: 10.5rem 1fr; gap: .6rem; padding: .3rem 0;
    border-bottom: 1px solid var(--line); overflow-wrap: anywhere;
  }
  .events time { color: var(--ink-soft); font-variant-numeric: tabular-nums; }
  .events b { font-weight: 600; color: var(--gold); }
  @media (max-width: 560px) { .events li { grid-template-columns: 1fr; gap: 0; }
  .hands { grid-template-columns: minmax(0, 1fr); } }
`,
];
