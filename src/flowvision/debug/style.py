"""How the debug page looks, and the little it does by itself."""

from __future__ import annotations

from flowvision.theme import theme_css

STYLE = (
    theme_css()
    + """
body { margin: 0 auto; padding: 1rem; max-width: 1280px; overflow-wrap: anywhere; }
h1 { font-size: 1.05rem; font-weight: 500; color: var(--dim); margin: 0 0 .6rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; } h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
  p { margin: .4rem 0; }
code, pre { font: .9em/1.45 ui-monospace, monospace; }
  code { white-space: pre-wrap; }
.verdict { border-left: 7px solid var(--good); background: var(--card); padding: .8rem 1.1rem; }
.verdict.failed { border-color: var(--bad); }
  .verdict b { font-size: 1.25rem; display: block; line-height: 1.35; }
.dim, td.why { color: var(--dim); } .bad { color: var(--bad); } .good { color: var(--good); }
.look { border: 3px solid var(--bad); border-radius: 8px; background: var(--card); padding: .8rem 1rem; }
.look > b { color: var(--bad); }
.pictures { display: flex; flex-wrap: wrap; gap: .6rem; }
.pictures img, .pictures svg { max-width: 100%; max-height: 88vh; width: auto; height: auto;
  border-radius: 4px; background: #0b0c0e; }
.top { display: grid; gap: 1rem; align-items: start; margin: 0 0 1rem; }
.look { margin: 0; } .look .pictures :is(img, svg) { max-height: 68vh; }
@media (min-width: 900px) { .top { grid-template: "verdict look" auto "more look" 1fr / 5fr 6fr; }
  .top .verdict { grid-area: verdict; } .top .look { grid-area: look; } .top .more { grid-area: more; } }
details { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0;
  padding: 0 .9rem; }
summary { padding: .55rem 0; cursor: pointer; }
.stage > summary { display: flex; gap: .9rem; align-items: center; }
.stage:not([open]) > summary :is(img, svg) { width: 62px; height: 62px; object-fit: cover;
  border-radius: 4px; }
.stage:not([open]) > summary .pictures { flex: none; gap: .2rem; flex-wrap: nowrap; }
.stage[open] > summary { flex-direction: column-reverse; align-items: stretch; }
summary span { min-width: 0; } summary b { display: block; } details > :last-child { margin-bottom: .8rem; }
summary:has(+ *) { margin-bottom: 0; }
.stage.marked { border: 3px solid var(--bad); }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 330px), 1fr)); gap: 1rem;
  align-items: start; }
.slider { position: relative; }
  .slider :is(img, svg) { display: block; width: 100%; height: auto; border-radius: 6px; }
.slider img { position: absolute; inset: 0; clip-path: inset(0 0 0 var(--at, 50%)); }
input[type=range] { width: 100%; margin: .5rem 0; accent-color: var(--link); }
pre { background: var(--back); border: 1px solid var(--line); border-radius: 6px; padding: .7rem;
  margin: .3rem 0; white-space: pre-wrap; }
button { font: inherit; color: var(--link); background: var(--card); border: 1px solid var(--line);
  border-radius: 6px; padding: .25rem .7rem; cursor: pointer; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
td, th { text-align: left; padding: .25rem .8rem .25rem 0; vertical-align: top;
  border-top: 1px solid var(--line); }
th { color: var(--dim); font-weight: 500; }
  td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
tr.decided td { background: var(--mark); }
  tr.decided td:first-child { box-shadow: inset 5px 0 var(--bad); padding-left: .7rem; }
ol.tried { list-style: none; padding: 0; margin: 0; }
  ol.tried > li { border-top: 1px solid var(--line); padding: .35rem 0; }
ol.tried li.skipped { color: var(--dim); }
  ol.tried details { display: inline-block; border: 0; padding: 0; margin: 0; background: none;
  max-width: 100%; }
ol.tried summary { display: list-item; padding: 0; color: var(--link); }
svg.fit { display: block; width: min(100%, 440px); height: auto; max-height: 80vh; background: #0b0c0e;
  margin: .4rem 0; border-radius: 4px; }
svg.fit path { fill: none; stroke: #5aff82; stroke-width: 2; vector-effect: non-scaling-stroke; }
svg.fit circle { fill: none; stroke: #fff; stroke-width: 3; vector-effect: non-scaling-stroke; }
@media (max-width: 640px) { td.why, th.why { display: none; } body { padding: .6rem; }
  .verdict b { font-size: 1.1rem; } }
"""
)

SCRIPT = """
for (const range of document.querySelectorAll('input[type=range]'))
  range.addEventListener('input', () => document.querySelector('.slider').style.setProperty('--at',
  range.value + '%'));
for (const button of document.querySelectorAll('button[data-copy]'))
  button.addEventListener('click', async () => {
    const text = document.getElementById(button.dataset.copy).textContent;
    try { await navigator.clipboard.writeText(text); }
    catch {
      const area = Object.assign(document.createElement('textarea'), { value: text });
      document.body.append(area); area.select(); document.execCommand('copy'); area.remove();
    }
    button.textContent = 'Copied';
  });
"""
