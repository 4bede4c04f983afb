import { typeface } from '#platform/pages/typeface.ts'
import { tokens } from '#shared/tokens.ts'

/** The CSS of the help centre. */
export const helpStyle = `${tokens}${typeface}
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body {
  font: 1rem/1.6 var(--font); margin: 0; color: var(--ink);
  background: var(--paper); display: grid; grid-template-columns: 17.5rem minmax(0, 1fr); min-height: 100dvh
}
a { color: var(--link); text-underline-offset: .15em }
a:not(:hover) { text-decoration-color: color-mix(in srgb, currentColor 35%, transparent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.skip { position: absolute; inset-inline-start: -100vw }
.skip:focus { inset-inline-start: 1rem; top: 1rem; background: var(--paper-raised); padding: .5rem 1rem; z-index: 2 }
.side {
  position: sticky; top: 0; height: 100dvh; overflow-y: auto; padding: 1.25rem 1rem 3rem; scrollbar-width: thin;
  background: var(--paper-side); border-inline-end: 1px solid var(--line-soft); font-size: .875rem
}
.home { display: flex; align-items: center; gap: .5rem; font-weight: 700; font-size: 1.05rem; color: inherit; text-decoration: none }
.home svg { width: 1.5rem; height: 1.5rem; fill: var(--accent) }
.side h2 { font-size: .8125rem; margin: 1.25rem 0 .25rem; color: var(--ink-soft); font-weight: 600 }
.side ul { list-style: none; margin: 0; padding: 0 }
.side li a { display: block; padding: .2rem .5rem; margin: 0 -.5rem; border-radius: 6px; color: inherit; text-decoration: none }
.side li a:hover { background: var(--paper-hover) }
.side [aria-current] { background: var(--paper-hover); font-weight: 600 }
summary { cursor: pointer; font-weight: 600 }
.pages > summary { display: none }
main { padding: 2.5rem clamp(1rem, 5vw, 4rem) 6rem; max-width: 52rem }
form { position: relative; margin: 0 0 2rem }
form input {
  font: inherit; width: 100%; min-height: 2.75rem; padding: .55rem .9rem; border-radius: 10px; color: inherit;
  background: var(--paper); border: 1px solid var(--line-control)
}
.found { list-style: none; padding: 0; margin: 0 }
.found li { padding: .75rem 0; border-bottom: 1px solid var(--line-soft) }
.found p { margin: .1rem 0 0; color: var(--ink-soft); font-size: .9375rem }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; margin: 0 0 .75rem }
h2 { font-size: 1.3rem; line-height: 1.3; letter-spacing: -.01em; margin: 2.5rem 0 .5rem }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .25rem }
main :is(h2, h3) a { color: inherit; text-decoration: none }
main :is(h2, h3) a:hover { text-decoration: underline }
p, ul, ol { margin: .6rem 0 }
li { margin: .2rem 0 }
ul, ol { padding-inline-start: 1.4rem }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875em }
code { background: var(--paper-sunken); border-radius: 5px; padding: .1rem .3rem; overflow-wrap: anywhere }
pre { background: var(--paper-sunken); border: 1px solid var(--line-soft); border-radius: 10px; padding: .8rem 1rem; overflow-x: auto; line-height: 1.5 }
pre code { background: none; padding: 0; overflow-wrap: normal }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; margin: .75rem 0 }
th, td { text-align: start; vertical-align: top; padding: .45rem .9rem .45rem 0; border-bottom: 1px solid var(--line-soft) }
th { font-size: .8125rem; color: var(--ink-soft); font-weight: 600 }
td code { white-space: nowrap }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1rem; padding: 0; list-style: none }
.cards > li { border: 1px solid var(--line-soft); border-radius: 14px; padding: 1rem 1.1rem; margin: 0; background: var(--paper-raised) }
.cards h2 { margin: 0 0 .35rem; font-size: 1.05rem }
.cards ul { list-style: none; padding: 0; margin: 0 }
main:has(> .cards) { max-width: 76rem }
.cards a:not(:hover) { color: var(--ink); text-decoration: none }
.contents { display: none }
@media (min-width: 84rem) {
  body:has(> .contents) { grid-template-columns: 17.5rem minmax(0, 52rem) minmax(0, 15rem) }
  .contents { display: block; position: sticky; top: 0; max-height: 100dvh; overflow-y: auto; padding: 2.75rem 1rem; align-self: start; font-size: .8125rem }
  .contents h2 { font-size: inherit; color: var(--ink-soft); margin: 0 0 .5rem; letter-spacing: 0 }
  .contents ul { list-style: none; margin: 0; padding: 0; border-inline-start: 1px solid var(--line-soft) }
  .contents a { display: block; padding: .15rem .75rem; color: var(--ink-soft); text-decoration: none }
  .contents a:hover { color: var(--link) }
}
.next { display: flex; justify-content: space-between; gap: 1rem; margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line-soft) }
@media (max-width: 56rem) {
  body { display: block }
  .side { position: static; height: auto; border-inline-end: 0; border-bottom: 1px solid var(--line-soft); padding-bottom: 1rem }
  .pages > summary { display: block; margin-top: .75rem }
  main { padding-top: 1.5rem }
}
@media (pointer: coarse) {
  .side li a, .cards li li a { display: block; padding-block: .6rem }
  .side > p a { display: inline-block; padding-block: .6rem }
}
@media print { .side, form, .next, .contents { display: none } body { display: block } }
`

/**
 * Shows results while someone types; without it the form asks for a page of them. On narrow screens it folds
 * the list of pages.
 */
export const helpScript = `'use strict'
const form = document.querySelector('form')
const input = form.elements.q
const list = document.querySelector('.found')
const said = document.querySelector('[role=status]')
let asked = 0
if (matchMedia('(max-width: 56rem)').matches) document.querySelector('.pages').open = false
input.addEventListener('input', async () => {
  const mine = ++asked
  const words = input.value.trim()
  if (words === '') {
    list.replaceChildren()
    said.textContent = ''
    return
  }
  const reply = await fetch('/help/results?q=' + encodeURIComponent(words)).catch(() => undefined)
  if (!reply || !reply.ok || mine !== asked) return
  const results = await reply.json()
  if (mine !== asked) return
  const { found, nothing } = said.dataset
  const count = results.length.toLocaleString(document.documentElement.lang + '-u-nu-latn')
  said.textContent = results.length === 0 ? nothing : found.replace('{count}', count)
  list.replaceChildren(...results.map((result) => {
    const item = document.createElement('li')
    const link = document.createElement('a')
    link.href = result.address
    link.textContent = result.heading ? result.title + ' › ' + result.heading : result.title
    const text = document.createElement('p')
    text.textContent = result.excerpt
    item.append(link, text)
    return item
  }))
})
`
