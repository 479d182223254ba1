// SPDX-License-Identifier: Apache-2.0

/// How `report.html` looks: on a desk, on a phone, in the dark and on paper.
enum ReportStyle {
    static let css = #"""
        :root { --ink: #1b1f24; --soft: #59636e; --line: #d8dee4; --paper: #ffffff; --panel: #f6f8fa; --gross: #2f6fde; --refunded: #c4432b; --good: #1a7f37; --bad: #b42318; --late: #fff3d6; --late-ink: #6b4a00; }
        @media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9aa4af; --line: #343b44; --paper: #0f1318; --panel: #181d24; --gross: #6ea0ff; --refunded: #ff8a70; --good: #57c473; --bad: #ff8478; --late: #3a2d0b; --late-ink: #ffd98a; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; padding: 1.5rem 1.25rem 3rem; max-width: 76rem; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
        h1 { margin: 0; font-size: 1.5rem; line-height: 1.2; }
        h2 { margin: 2.25rem 0 .75rem; font-size: 1.15rem; }
        h3 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
        .date { margin: .15rem 0 .75rem; color: var(--soft); }
        .verdict { display: inline-block; margin: 0; padding: .2rem .7rem; border: 1px solid currentColor; border-radius: 1rem; font-weight: 600; }
        .good { color: var(--good); }
        .bad { color: var(--bad); }
        .warning { margin: .75rem 0 0; padding: .6rem .9rem; border-radius: .4rem; background: var(--late); color: var(--late-ink); overflow-wrap: anywhere; }
        .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem; margin: 0 0 1rem; padding: 0; list-style: none; }
        .cards li { display: grid; grid-template-columns: 1fr auto; align-content: start; align-items: baseline; padding: .75rem .9rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--panel); }
        .cards .label, .cards .note { grid-column: 1 / -1; }
        .cards .label { font-weight: 600; }
        .cards .figure { font-size: 1.6rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
        .cards .change { color: var(--soft); font-variant-numeric: tabular-nums; }
        .cards .note { color: var(--soft); font-size: .8rem; line-height: 1.35; }
        .formula { max-width: 46rem; color: var(--soft); font-size: .9rem; }
        .wide { overflow-x: auto; }
        table { border-collapse: collapse; min-width: 100%; font-size: .9rem; }
        th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
        th:first-child, td:first-child { padding-left: 0; }
        thead th { color: var(--soft); font-weight: 600; line-height: 1.25; vertical-align: bottom; white-space: normal; }
        .n { text-align: right; font-variant-numeric: tabular-nums; }
        .big { font-size: 1.05rem; }
        .big small { display: block; color: var(--soft); font-size: .8rem; }
        .dense { font-size: .85rem; }
        .dense th, .dense td { padding-inline: .35rem; }
        .dense th:first-child, .dense td:first-child { padding-left: 0; }
        .dense small { display: block; color: var(--soft); }
        .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: 1.25rem; }
        figure { margin: 0; }
        figcaption { font-weight: 600; font-size: .9rem; }
        svg { display: block; width: 100%; height: auto; max-height: 14rem; margin-top: .4rem; }
        svg .gross { fill: var(--gross); }
        svg .refunded { fill: var(--refunded); }
        svg line { stroke: var(--soft); stroke-width: 1; }
        .axis { display: flex; justify-content: space-between; gap: .75rem; margin: .2rem 0 0; color: var(--soft); font-size: .75rem; }
        .axis .key { text-align: center; }
        .day { white-space: nowrap; }
        details { margin-top: .75rem; }
        summary { cursor: pointer; font-weight: 600; }
        .late td { background: var(--late); color: var(--late-ink); }
        td.attention { color: var(--bad); font-weight: 600; }
        .checks { padding-left: 1.2rem; }
        .checks table { color: var(--ink); }
        dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .25rem 1rem; margin: .5rem 0; font-size: .9rem; }
        dt { color: var(--soft); overflow-wrap: anywhere; }
        dd { margin: 0; overflow-wrap: anywhere; }
        footer { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
        @media (max-width: 34rem) { body { padding: 1rem .9rem 2rem; } .cards { grid-template-columns: 1fr 1fr; gap: .5rem; } .cards li { padding: .6rem .7rem; } th, td { padding: .3rem .5rem; } }
        @media print { :root { --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --panel: #fff; --gross: #555; --refunded: #aaa; --good: #000; --bad: #000; --late: #eee; --late-ink: #000; } body { max-width: none; padding: 0; font-size: 10pt; } section { break-inside: auto; } figure, .cards li, tr { break-inside: avoid; } .wide { overflow: visible; } th, td { padding: .2rem .35rem; white-space: normal; } }
        """#
}
