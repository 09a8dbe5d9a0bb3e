"""How a report looks on a screen and on paper."""

STYLE = """
:root { color-scheme: light dark; --ink: #1f2430; --paper: #fff; --soft: #f3f5f8;
  --line: #c9d0da; --link: #1d5f9f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf0; --paper: #14171d; --soft: #1f242d;
  --line: #444c59; --link: #8fc1f0; } }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-top: 1px solid var(--line);
  padding-top: 1rem; }
a { color: var(--link); overflow-wrap: anywhere; }
table { border-collapse: collapse; font-size: 0.92rem; }
caption { text-align: left; font-weight: 600; padding: 0.4rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.7rem 0.3rem 0; text-align: left;
  vertical-align: top; overflow-wrap: break-word; } th[scope=row] { font-weight: 500; }
thead th { border-bottom: 2px solid var(--line); }
.wide { overflow-x: auto; } figure { margin: 1.2rem 0; }
svg.figure { color: var(--ink); max-width: 100%; height: auto; }
figcaption { font-size: 0.92rem; margin: 0.3rem 0; }
.room ul { list-style: none; margin: 0.7rem 0; padding: 0; } .room li { margin: 0.7rem 0; }
.room i { display: inline-block; width: 6rem; margin: 0 0.4rem; }
.room i, .room hr { border: 0; border-bottom: 1px solid var(--ink); }
.room hr { height: 1.8rem; margin: 0; } .room b { display: inline-block; width: 0.8rem;
  height: 0.8rem; margin-right: 0.6rem; border: 1px solid var(--ink); }
math { font-size: 1.05em; } code { overflow-wrap: anywhere; }
math[display=block] { display: inline math; font-size: 1.15em; }
math[display=block]:not(wbr + math) { margin-left: 1.5em; }
pre { background: var(--soft); padding: 0.8rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.save { display: inline-block; font-size: 0.88rem; margin: 0.2rem 1rem 0.2rem 0; }
@page { size: A4; margin: 15mm; }
@media print { .save, nav { display: none; } h2 { break-after: avoid; }
  nav + section:not(.kept), .page { break-before: page; }
  nav + section:not(.kept) h2, .page h2 { margin-top: 0; border: 0; }
  figure, tr, .room, .kept { break-inside: avoid; } .kept p { margin: 0.4em 0; }
  .kept h2 { margin-top: 1rem; padding-top: 0.6rem; } .kept .room { overflow: hidden; }
  .kept .lines { clear: both; margin-bottom: 4mm; }
  .kept figure:has(+ .room) { float: left; width: 112mm; margin: 0 6mm 0 0; }
  .kept figure:has(+ p) { float: right; width: 88mm; margin: 0 0 2mm 6mm; }
  .kept svg.figure { max-height: 80mm; } .kept { display: flow-root; }
  :root { font-size: 10pt; }
  body { font-size: 1rem; line-height: 1.4; } p { margin: 0.7em 0; }
  main { max-width: none; padding: 0; } .wide { overflow: visible; }
  .dense { font-size: 0.95rem; line-height: 1.35; } .dense > h1 { margin: 0 0 0.6rem; }
  .dense p { margin: 0.45em 0; } .dense table { font-size: 0.9rem; }
  .dense th, .dense td { padding-top: 0.12rem; padding-bottom: 0.12rem; } }
"""
