import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setCatalogue, t, tn } from '#client/ui/t.ts'
import { english } from '#translations/translate.ts'

after(() => setCatalogue(english))

test('a text without a translation is English, with its values', () => {
  assert.equal(t('Message {name}', { name: 'Iago' }), 'Message Iago')
  assert.equal(t('Left as {it} is'), 'Left as {it} is')
  assert.equal(tn(1, 'one message', '{count} messages'), 'one message')
  assert.equal(tn(3, 'one message', '{count} messages'), '3 messages')
  assert.equal(tn(12_345, 'one message', '{count} messages'), '12,345 messages')
})

test('a language is a list of texts, with the plural forms that it has', () => {
  const forms = { one: '{count} wiadomość', few: '{count} wiadomości', many: '{count} wiadomości.' }
  setCatalogue({
    language: 'pl',
    texts: { 'one message | {count} messages': forms, 'Message {name}': 'Do {name}' },
  })
  assert.equal(t('Message {name}', { name: 'Iago' }), 'Do Iago')
  assert.deepEqual(
    [1, 3, 5].map((count) => tn(count, 'one message', '{count} messages')),
    ['1 wiadomość', '3 wiadomości', '5 wiadomości.'],
  )
})
