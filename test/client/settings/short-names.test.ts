import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortNameOf } from '#client/settings/people/short-names.ts'

const cases: readonly (readonly [name: string, short: string])[] = [
  ['Weather', 'weather'],
  ['Deploy Watch', 'deploy-watch'],
  // The address ends in `-bot` anyway.
  ['Deploy Bot', 'deploy'],
  ['Bot', 'bot'],
  ['Émile (Zürich)', 'emile-zurich'],
  ['v2.1_final', 'v2.1_final'],
  [' ..a.. ', 'a'],
  // Nothing that an address could have.
  ['天気', ''],
]
for (const [name, short] of cases) {
  test(`the short name of "${name}" is "${short}"`, () => assert.equal(shortNameOf(name), short))
}
