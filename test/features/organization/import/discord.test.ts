import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { discordExport } from '#test/support/exports/discord.ts'
import { dumpOf } from '#test/support/exports/dump.ts'
import { importFiles } from '#test/support/exports/importing.ts'
import { itemsOf } from '#test/support/exports/items.ts'
import { assertLinear } from './linear.ts'

const options = {
  addresses: new Map([['ann', 'ann@example.com']]),
  owner: 'ann@example.com',
  source: { privateChannels: ['#Staff'] },
}
const head = '"guild": {"id": "1"}, "channel": {"id": "2", "type": "GuildTextChat", "name": "a"}'
const content = async (text: string) => {
  const message = {
    id: '5',
    timestamp: '2024-03-01T00:00:00Z',
    type: 'Default',
    author: { id: '3' },
  }
  const { items } = await itemsOf({
    'a.json': `{${head}, "messages": [${JSON.stringify({ ...message, content: text })}]}`,
  })
  return items.find((item) => item.type === 'message')?.content
}

test('an export with every construct becomes what it should', async () => {
  const made = await importFiles(discordExport(), options)
  try {
    const expected = new URL('../../../support/exports/discord.txt', import.meta.url)
    assert.equal(dumpOf(made), readFileSync(expected, 'utf8'))
    const [icon] = made.rows("SELECT kind FROM realm_pictures WHERE kind = 'icon'")
    assert.deepEqual(icon, { kind: 'icon' })
    const avatars = made.rows("SELECT full_name AS name FROM users WHERE avatar_hash <> ''")
    assert.deepEqual(avatars, [{ name: 'Ann' }])
  } finally {
    made.close()
  }
})

test('what is in no thread goes to a topic for each day, if asked', async () => {
  const { items } = await itemsOf(discordExport(), { topics: 'daily' })
  const topics = items.flatMap((item) =>
    item.type === 'message' && 'topic' in item.place ? [item.place.topic] : [],
  )
  assert.deepEqual([...new Set(topics)], ['2024-03-01'])
})

test('a reply to a message of long ago is a link without a quote', async () => {
  const message = (id: number, more = {}) => ({
    id: String(id),
    timestamp: '2024-03-01T00:00:00Z',
    type: 'Default',
    content: 'x',
    author: { id: '3' },
    ...more,
  })
  const messages = Array.from({ length: 2100 }, (_, i) => message(i + 1))
  const reply = { type: 'Reply', reference: { messageId: '1' } }
  const { items } = await itemsOf({
    'a.json': `{${head}, "messages": ${JSON.stringify([...messages, message(3000, reply)])}}`,
  })
  const last = items.findLast((item) => item.type === 'message')
  assert.deepEqual(last?.content, [{ message: '1', text: 'In reply to a message' }, '\nx'])
})

test('a file without a channel is told, and one with nothing else is refused', async () => {
  const { report } = await itemsOf({ ...discordExport(), 'zz.json': '{"guild": {"id": "1"}' })
  assert.deepEqual(report.channels?.skipped['bad-value'], { count: 1, examples: ['zz.json'] })
  await assert.rejects(itemsOf({ 'a.json': '{}' }, {}, 'discord'), /There is no channel/)
})

test('HTML and our own mentions in a text are only text', async () => {
  assert.equal(
    await content('<b>x</b> @_**Ann|1** #**general** $$x$$ <time:2024>'),
    '<b>x</b> &#64;_**Ann|1** &#35;**general** &#36;$x&#36;$ &lt;time:2024>',
  )
})

test('markup takes work in proportion to its length, whatever it is', async () => {
  for (const piece of [
    '||',
    '__a',
    '_a',
    '`',
    '``a',
    '```',
    '<@',
    '<t:',
    '>>> ',
    '\\',
    '@',
    '**',
  ]) {
    await assertLinear(piece, content)
  }
})

test('times are read in the zone of the exporter, and order what several files have', async () => {
  const said = (id: string, timestamp: string) => ({
    id,
    timestamp,
    type: 'Default',
    author: { id: '3' },
    content: id,
  })
  const { items } = await itemsOf({
    'a.json': `{${head}, "messages": [${JSON.stringify(said('5', '2024-03-01T09:00:00.5+09:30'))}, ${JSON.stringify(said('6', '2024-02-29T23:30:01Z'))}]}`,
  })
  const times = items.flatMap((item) => (item.type === 'message' ? [Math.floor(item.time)] : []))
  assert.deepEqual(times, [1_709_249_400, 1_709_249_401])
})

describe('a message of the kind', () => {
  const kinds: readonly (readonly [string, boolean])[] = [
    ['Default', true],
    ['Reply', true],
    ['ChatInputCommand', true],
    ['20', true],
    ['RecipientAdd', false],
    ['Call', false],
    ['ChannelPinnedMessage', false],
    ['GuildMemberJoin', false],
    ['ThreadCreated', false],
    ['46', false],
  ]
  for (const [type, isTaken] of kinds) {
    test(`${type} is ${isTaken ? 'taken' : 'counted'}`, async () => {
      const row = {
        ...{ id: '5', timestamp: '2024-03-01T00:00:00Z', type },
        ...{ author: { id: '3' }, content: 'said' },
      }
      const { items, report } = await itemsOf({
        'a.json': `{${head}, "messages": [${JSON.stringify(row)}]}`,
      })
      assert.equal(items.filter((item) => item.type === 'message').length, isTaken ? 1 : 0)
      const skipped = report.messages?.skipped['system-message']
      assert.deepEqual(skipped, isTaken ? undefined : { count: 1, examples: [type] })
    })
  }
})

describe('a channel of the kind', () => {
  // biome-ignore format: a table reads best in columns
  const kinds: readonly (readonly [string, string])[] = [
    ['GuildTextChat',       'channel'],
    ['GuildNews',           'channel'],
    ['GuildVoiceChat',      'channel'],
    ['GuildPublicThread',   'thread'],
    ['GuildNewsThread',     'thread'],
    ['GuildPrivateThread',  'channel'],
    ['DirectTextChat',      'conversation'],
    ['DirectGroupTextChat', 'conversation'],
  ]
  for (const [type, place] of kinds) {
    test(`${type} becomes a ${place}`, async () => {
      const channel = { id: '2', type, categoryId: '9', category: 'parent', name: 'a' }
      const message = {
        ...{ id: '5', timestamp: '2024-03-01T00:00:00Z', type: 'Default' },
        ...{ author: { id: '3' }, content: 'said' },
      }
      const { items } = await itemsOf({
        'a.json': JSON.stringify({ guild: { id: '1' }, channel, messages: [message] }),
      })
      const said = items.find((item) => item.type === 'message') ?? assert.fail()
      assert.ok(place in said.place)
      const made = items.find((item) => item.type === place) ?? assert.fail()
      assert.equal('key' in made && made.key, '2')
      if (made.type === 'channel') assert.equal(made.isPrivate, type === 'GuildPrivateThread')
    })
  }
})
