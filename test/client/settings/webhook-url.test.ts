import assert from 'node:assert/strict'
import { test } from 'node:test'
import { integrationsOf, integrationsPageOf } from '#client/settings/integrations/addresses.ts'
import {
  type Destination,
  isOptionOn,
  optionValue,
  stepHtml,
  webhookUrl,
} from '#client/settings/integrations/webhook-url.ts'

const server = 'https://chat.example.com'
const nowhere: Destination = { channelId: null, topic: '', events: null, options: {} }

const urls: readonly (readonly [what: string, Partial<Destination>, query: string])[] = [
  ['for direct messages has the key alone', { topic: 'lost' }, 'api_key=k'],
  ['for a channel has its id', { channelId: 7 }, 'api_key=k&stream=7'],
  ['has the topic', { channelId: 7, topic: ' a & b ' }, 'api_key=k&stream=7&topic=a+%26+b'],
  [
    'has the events',
    { events: ['push', 'a b'] },
    'api_key=k&only_events=%5B%22push%22%2C%22a+b%22%5D',
  ],
  [
    'has options that are set',
    { options: { branches: 'main,x', other: ' ' } },
    'api_key=k&branches=main%2Cx',
  ],
]

for (const [what, part, query] of urls) {
  test(`a webhook URL ${what}`, () => {
    const url = webhookUrl(server, 'github', 'k', { ...nowhere, ...part })
    assert.equal(url, `${server}/api/v1/external/github?${query}`)
  })
}

for (const is_on_by_default of [false, true]) {
  test(`an option that is ${is_on_by_default ? 'on' : 'off'} by default is in the URL only where it is not`, () => {
    const option = { is_on_by_default }
    assert.equal(optionValue(option, is_on_by_default), '')
    assert.equal(optionValue(option, !is_on_by_default), String(!is_on_by_default))
    for (const isOn of [false, true]) {
      assert.equal(isOptionOn(option, optionValue(option, isOn)), isOn)
    }
  })
}

test('a step names the URL in its text, and has it in what is copied', () => {
  const step = '<p>Paste <code>{url}</code>:</p><pre><code>- url: "{url}"</code></pre>'
  assert.equal(
    stepHtml(step, 'https://x/?a=$&b="<', 'the <URL>'),
    '<p>Paste <strong>the &lt;URL&gt;</strong>:</p><pre><code>- url: "https://x/?a=$&amp;b=&quot;&lt;"</code></pre>',
  )
})

test('an address says the bot, the service, both or neither', () => {
  for (const place of [{}, { botId: 7 }, { service: 'github' }, { botId: 7, service: 'github' }]) {
    const address = integrationsOf(place)
    assert.ok(address.kind === 'settings')
    assert.deepEqual(JSON.parse(JSON.stringify(integrationsPageOf(address.path.slice(1)))), place)
  }
})
