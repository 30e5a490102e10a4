/** The style of a replayed round. */
import { css } from "lit";
import { common } from "../components/style";

export const replayStyle = [
  common,
  css`
  .round { display: grid; grid-template-columns: minmax(0, 1fr) minmax(17rem, 22rem); gap: .8rem; align-items: start; }
  .head { grid-column: 1 / -1; display: flex; gap: .3rem .8rem; align-items: center; flex-wrap: wrap; }
  .head h2 { font-size: 1.25rem; }
  .head .links { margin-left: auto; display: flex; gap: .4rem; flex-wrap: wrap; }
  .button {
    display: inline-flex; gap: .35rem; position: relative; align-items: center; min-height: 2.3rem;
    padding: .25rem .8rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--panel-high);
    color: var(--ink); text-decoration: none; font-size: .9rem;
  }
  .button:hover { border-color: var(--gold); }
  .tag { font-size: .78rem; background: var(--notice); color: var(--warn); padding: .05rem .5rem; border-radius: 99px; }
  .stage { display: grid; grid-template-columns: minmax(0, 1fr); gap: .6rem; }
  .felt {
    background: radial-gradient(ellipse at 50% 0, #12694a, var(--felt) 55%, var(--felt-deep));
    border: 6px solid var(--rail); border-radius: 16px; padding: .4rem .5rem .5rem;
    --card-width: clamp(40px, 4.2vw, 58px); box-shadow: inset 0 2px 14px rgb(0 0 0 / .5);
  }
  .felt punto-felt { margin-top: -.6rem; pointer-events: none; }
  .laid {
    list-style: none; margin: .2rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem; font-size: .84rem;
  }
  .laid li { background: rgb(0 0 0 / .35); border-radius: 99px; padding: .05rem .65rem .05rem .2rem; }
  .laid b { font-variant-numeric: tabular-nums; }
  .laid .id { color: var(--ink-soft); }
  .laid .seat {
    display: inline-grid; place-items: center; min-width: 1.4em; height: 1.4em; border-radius: 50%;
    background: var(--felt-deep); border: 1px solid var(--felt-line); font-size: .8em;
  }
  .phase {
    display: flex; gap: .6rem; justify-content: space-between; font-size: .9rem; color: var(--ink-soft);
    min-height: 1.5rem;
  }
  .phase strong { color: var(--ink); } .phase .held { color: var(--warn); }
  .transport {
    display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: .6rem; align-items: center;
    background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: .4rem .6rem;
  }
  .transport .row { gap: .25rem; flex-wrap: nowrap; }
  .transport button { min-width: 2.4rem; min-height: 2.4rem; padding: 0 .5rem; }
  .transport button.main { min-width: 3.2rem; }
  .transport svg { width: 1rem; height: 1rem; display: block; margin: auto; fill: currentColor; }
  input[type="range"] {
    width: 100%; padding: 0; min-height: 2rem; accent-color: var(--gold); background: transparent; border: 0;
  }
  .place { font-variant-numeric: tabular-nums; white-space: nowrap; font-size: .9rem; }
  .now {
    background: var(--panel); border: 1px solid var(--line); border-left: 5px solid var(--gold); border-radius: 12px;
    padding: .6rem .8rem; display: grid; gap: .3rem; min-height: 7.2rem; align-content: start;
  }
  .now.irregular { border-left-color: var(--warn); }
  .now .who { font-size: .88rem; color: var(--ink-soft); display: flex; gap: .2rem .7rem; flex-wrap: wrap; }
  .now .who b { color: var(--ink); }
  .now .told { font-size: 1.12rem; margin: 0; overflow-wrap: anywhere; }
  .id { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .82em; }
  button.clause { white-space: nowrap; min-height: 0; padding: .05rem .5rem; font-size: .85rem; color: var(--gold); }
  .now .hash {
    font-size: .72rem; color: var(--ink-soft); overflow-wrap: anywhere;
    font-family: ui-monospace, "DejaVu Sans Mono", monospace;
  }
  .money { display: flex; flex-wrap: wrap; gap: .4rem; margin: 0; }
  .money div {
    background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: .25rem .6rem;
    min-width: 7.5rem;
  }
  .money div.changed { border-color: var(--gold); }
  .money dt { font-size: .78rem; color: var(--ink-soft); } .money dd { margin: 0; font-variant-numeric: tabular-nums; }
  .money .by { font-size: .82rem; margin-left: .5rem; }
  .events {
    background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: .5rem 0 .3rem;
    min-width: 0;
  }
  .events h3 {
    font-size: .9rem; color: var(--ink-soft); padding: 0 .7rem .35rem; display: flex; justify-content: space-between;
    font-weight: 600;
  }
  .events ol {
    list-style: none; margin: 0; padding: 0 .25rem; max-height: calc(100vh - 13rem); min-height: 18rem; overflow: auto;
    position: relative;
  }
  .events button {
    display: grid; grid-template-columns: 3.1rem minmax(0, 1fr); gap: 0 .4rem; width: 100%; text-align: left; border: 0;
    border-radius: 8px; background: none; padding: .32rem .4rem; min-height: 0; font-size: .87rem;
    border-left: 3px solid transparent;
  }
  .events button:hover { background: var(--panel-high); }
  .events button[aria-current] { background: var(--panel-high); border-left-color: var(--gold); }
  .events .irregular .said { color: var(--warn); }
  .events .about { font-size: .76rem; color: var(--ink-soft); font-variant-numeric: tabular-nums; }
  .events .number { color: var(--ink-soft); font-variant-numeric: tabular-nums; text-align: right; }
  .settlement {
    background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: .5rem .8rem;
    overflow-x: auto;
  }
  .settlement h3 { font-size: .95rem; margin-bottom: .2rem; }
  .settlement h4 { margin: .5rem 0 0; font-size: .85rem; font-weight: 600; color: var(--ink-soft); }
  .settlement td, .settlement th { font-size: .88rem; }
  .unknown { color: var(--warn); padding: 2rem 1rem; text-align: center; }
  .keys { font-size: .8rem; grid-column: 1 / -1; margin: 0; }
  progress { width: 100%; accent-color: var(--gold); }
  @media (max-width: 1080px) { .round { grid-template-columns: minmax(0, 1fr); }
  .events ol { max-height: 20rem; min-height: 8rem; } }
  @media (max-width: 560px) {
    .felt { --card-width: 40px; }
    .felt punto-felt { margin-top: 0; }
    .transport { grid-template-columns: minmax(0, 1fr) auto; }
    .transport .row { grid-column: 1 / -1; justify-content: space-between; }
    .transport button { flex: 1; }
    .keys { display: none; }
    .money div { min-width: 6.2rem; flex: 1; }
  }
`,
];
