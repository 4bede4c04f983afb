import assert from 'node:assert/strict'
import { type DefaultTreeAdapterMap, parse } from 'parse5'

type Node = DefaultTreeAdapterMap['node']

const elements = new Set(
  `html head meta title style body div p a span strong em del code pre blockquote ul ol li br hr h1
  h2 h3 h4 h5 h6 table thead tbody tr th td`.split(/\s+/),
)
const attributes = new Set('lang dir charset name content style class href start'.split(' '))

/** Checks that the HTML of a mail loads and runs nothing, and that its links are absolute. */
export function requireMailHtml(html: string): void {
  assert.match(html, /^<!doctype html>\n/)
  assert.doesNotMatch(html, /url\(|@import/)
  check(parse(html))
}

function check(node: Node): void {
  if ('tagName' in node) {
    assert.ok(elements.has(node.tagName), `<${node.tagName}>`)
    for (const { name, value } of node.attrs) {
      assert.ok(attributes.has(name), `${node.tagName} ${name}`)
      if (name === 'href') assert.match(value, /^(https?|mailto):/)
    }
  }
  for (const child of 'childNodes' in node ? node.childNodes : []) check(child)
}
