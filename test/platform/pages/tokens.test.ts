import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { tokens } from '#platform/pages/tokens.ts'

const declared = (css: string) =>
  new Map([...css.matchAll(/^ {2}(--[\w-]+): (.*);$/gm)].map(([, name, value]) => [name, value]))

test('pages without the client have the colours of the client', () => {
  const ofClient = declared(readFileSync('src/client/styles/tokens.css', 'utf8'))
  const ofPages = [...declared(tokens)]
  assert.ok(ofPages.length > 10)
  for (const [name, value] of ofPages) assert.equal(value, ofClient.get(name), name)
})
