import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signs } from '#features/integrations/webhook-services/signs.ts'
import { emojiByName } from '#platform/emoji-data/unicode.ts'

test('every sign is an emoji of this server', () => {
  const names = Object.values(signs).map((sign) => sign.slice(1, -1))
  assert.deepEqual(
    names.filter((name) => emojiByName(name) === undefined),
    [],
  )
})
