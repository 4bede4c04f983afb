import { typeface } from '#platform/pages/typeface.ts'
import { tokens } from '#shared/tokens.ts'

/** The CSS of the page that describes the API. */
export const style = `${tokens}${typeface}:root {
  --get: var(--code-name); --post: var(--code-string); --patch: var(--warning)
}
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body {
  font: 1rem/1.55 var(--font); margin: 0; color: var(--ink); background: var(--paper);
  display: grid; grid-template-columns: 19rem minmax(0, 1fr)
}
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .15em }
a:not(:hover) { text-decoration-color: transparent }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem 1rem 3rem;
  background: var(--paper-side); border-inline-end: 1px solid var(--line-soft); font-size: .875rem
}
nav > a { font-size: 1.15rem; font-weight: 700; color: inherit; display: block; margin-bottom: .75rem }
nav h2 { font-size: .875rem; margin: 1rem 0 .25rem; border: 0; padding: 0 }
nav h2 a { color: inherit }
nav ul { list-style: none; margin: 0; padding: 0 }
nav li a {
  overflow-wrap: anywhere;
  display: flex; gap: .5rem; align-items: baseline; padding: .1rem 0; color: var(--ink-soft);
  line-height: 1.35
}
nav .method { flex: none; width: 2.9rem }
main { padding: 2rem clamp(1rem, 4vw, 3.5rem) 6rem; max-width: 64rem }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .75rem }
h2 { font-size: 1.45rem; margin: 3.5rem 0 1rem; padding-bottom: .3rem; border-bottom: 2px solid var(--line-soft) }
h3 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; font-weight: 600 }
h3 a { color: inherit }
h4 { font-size: .8rem; margin: 1.25rem 0 .4rem; color: var(--ink-soft); text-transform: uppercase; letter-spacing: .05em }
article { padding: 1.5rem 0; border-bottom: 1px solid var(--line-soft) }
article:last-of-type { border: 0 }
p { margin: .5rem 0 }
.method { font: 700 .75rem/1.5 ui-monospace, monospace; color: var(--patch) }
h3 .method { font-size: .85rem; margin-right: .6rem }
.get { color: var(--get) } .post { color: var(--post) } .delete { color: var(--danger) }
.tag { font-size: .75rem; padding: .1rem .45rem; border: 1px solid var(--line-soft); border-radius: 1rem; color: var(--ink-soft); font-weight: 400; white-space: nowrap }
code, pre { font-family: ui-monospace, monospace; font-size: .86em }
h3 code { font-size: 1em }
code { overflow-wrap: anywhere }
pre {
  background: var(--paper-side); border: 1px solid var(--line-soft); border-radius: .5rem; padding: .8rem 1rem;
  overflow-x: auto; margin: .5rem 0; line-height: 1.5
}
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .9rem }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-top: 1px solid var(--line-soft) }
thead th { border: 0; font-size: .8rem; color: var(--ink-soft); font-weight: 600 }
tbody th { font-weight: 400; width: 30%; min-width: 11rem }
tbody td:nth-child(2) { width: 30%; min-width: 9rem }
td ul { margin: 0; padding-left: 1.1rem }
.options { columns: 17rem; padding-left: 1.1rem }
small, .soft { color: var(--ink-soft) }
small { white-space: nowrap }
.must { color: var(--danger) }
.old { text-decoration: line-through }
details summary { cursor: pointer }
.more > summary { color: var(--link) }
@media (max-width: 56rem) {
  body { display: block }
  nav { position: static; height: auto; border-inline-end: 0; border-bottom: 1px solid var(--line-soft); padding-bottom: 1rem }
  nav ul { display: none }
  nav h2 { display: inline-block; margin: .2rem 0; margin-inline-end: .9rem }
  thead { display: none }
  table, tbody, tr, tbody th, tbody td { display: block }
  tbody tr { border-top: 1px solid var(--line-soft); padding: .5rem 0 }
  tbody th, tbody td, tbody td:nth-child(2) { width: auto; border: 0; padding: .1rem 0 }
  tbody td, tbody td:nth-child(2) { padding-left: 1rem }
}
@media print { nav { display: none } body { display: block } }
`
