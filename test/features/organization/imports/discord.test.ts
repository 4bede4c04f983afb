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
  owner: { email: 'ann@example.com' },
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

describe('a kind of channel or message', () => {
  const kinds = [
    { written: 'Default', type: 0 },
    { written: 'Reply', type: 19 },
    { written: 'ChatInputCommand', type: 20 },
  ]
  for (const { type, written } of kinds) {
    test(`is the same as ${type}, as ${String(type)} in quotes and as ${written}`, async () => {
      const all = [type, String(type), written].map(async (each) => {
        const message = { id: '5', timestamp: '2024-03-01T00:00:00Z', author: { id: '3' } }
        const { items } = await itemsOf({
          'a.json': JSON.stringify({
            guild: { id: '1' },
            channel: { id: '2', type: type === 0 ? 0 : 'GuildTextChat', name: 'a' },
            messages: [{ ...message, type: each, content: 'said' }],
          }),
          'b.json': JSON.stringify({
            guild: { id: '1' },
            channel: { id: '4', type: type === 0 ? 11 : 'GuildPublicThread', categoryId: '2' },
            messages: [{ ...message, id: '6', type: each, content: 'said' }],
          }),
        })
        return items.filter((item) => item.type === 'message')
      })
      const [number, text, name] = await Promise.all(all)
      assert.equal(name?.length, 2)
      assert.deepEqual(name[1]?.place, { thread: '4' })
      assert.deepEqual([number, text], [name, name])
    })
  }
})

test('a webhook says under which name it speaks, if it has several', async () => {
  const names = ['Bridge', 'Ann of elsewhere', 'Bridge', 'Ben of elsewhere']
  const { items } = await itemsOf({
    'a.json': `{${head}, "messages": ${JSON.stringify(
      names.map((name, i) => ({
        ...{ id: String(i + 5), timestamp: '2024-03-01T00:00:00Z', type: 'Default' },
        ...{ author: { id: '3', name, nickname: name, isBot: true }, content: 'hello' },
      })),
    )}}`,
  })
  const said = items.flatMap((item) => (item.type === 'message' ? [item.content] : []))
  const [first, second, third, fourth] = said
  assert.deepEqual([first, third], ['hello', 'hello'])
  assert.equal(second, '**Ann of elsewhere**: hello')
  assert.equal(fourth, '**Ben of elsewhere**: hello')
})

test('files and stickers without an ID are there', async () => {
  const { items } = await itemsOf({
    'a.json': `{${head}, "messages": ${JSON.stringify([
      {
        ...{ id: '5', timestamp: '2024-03-01T00:00:00Z', type: 'Default', author: { id: '3' } },
        ...{ attachments: [{ fileName: 'a.png' }, { fileName: 'b.png' }] },
        stickers: [{ name: 'Wave' }],
      },
    ])}}`,
  })
  const [content] = items.flatMap((item) => (item.type === 'message' ? [item.content] : []))
  const file = (n: number, text: string) => ({ file: `unnamed 5 ${n}`, text })
  assert.deepEqual(content, [file(0, 'a.png'), '\n', file(1, 'b.png'), '\n(sticker: Wave)'])
})

test('mentions of commands and of pages of a server are words', async () => {
  assert.equal(await content('Try </help me:123> now'), 'Try /help me now')
  assert.equal(await content('See <id:customize>, <id:other>'), 'See #Channels & Roles, #other')
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

test('what stands in a thread for its first message is no message without a text', async () => {
  const row = { id: '5', timestamp: '2024-03-01T00:00:00Z', author: { id: '3' } }
  const { items, report } = await itemsOf({
    'a.json': `{${head}, "messages": [${JSON.stringify({ ...row, type: 'ThreadStarterMessage' })}]}`,
  })
  assert.equal(items.filter((item) => item.type === 'message').length, 0)
  assert.equal(report.messages, undefined)
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
    ['ThreadStarterMessage', true],
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

describe('a folder with several servers', () => {
  const written = (guild: object, channel: object, author: string) =>
    JSON.stringify({
      guild,
      channel,
      messages: [
        {
          ...{ id: `9${author}`, timestamp: '2024-03-01T00:00:00Z', type: 'Default' },
          ...{ author: { id: author, name: `n${author}` }, content: `by ${author}` },
        },
      ],
    })
  const room = (id: string, name: string) => ({ id, type: 'GuildTextChat', name })
  const red = written({ id: '1', name: 'Red' }, room('10', 'general'), '3')
  const blue = written({ id: '2', name: 'Blue' }, room('20', 'general'), '4')
  const alsoRed = written({ id: '7', name: 'Red' }, room('70', 'general'), '7')
  const chat = { id: '30', type: 'DirectTextChat', name: 'n5' }
  const direct = written({ id: '0', name: 'Direct Messages' }, chat, '6')
  const all = { 'red.json': red, 'blue.json': blue, 'dm.json': direct }
  const authors = async (files: Record<string, string>, team?: string) => {
    const { items, report } = await itemsOf(files, team === undefined ? {} : { team }, 'discord')
    const organization = items.find((item) => item.type === 'organization')
    const found = items.flatMap((item) => (item.type === 'message' ? [item.sender] : []))
    return { name: organization?.name, found, report }
  }

  const refusals: readonly (readonly [string, Record<string, string>, string?])[] = [
    ['several servers. Name the one to import: Blue, Direct Messages, Red.', all],
    ['several servers. Name the one to import: Blue, Red.', { a: red, b: blue }],
    ['several servers. Name the one to import: Direct Messages, Red.', { a: red, b: direct }],
    ['several servers. Name the one to import: Red (1), Red (7).', { a: red, b: alsoRed }],
    ['several servers. Name the one to import: Red (1), Red (7).', { a: red, b: alsoRed }, 'Red'],
    ['no server of this name. Its servers are: Blue, Direct Messages, Red.', all, 'Green'],
    ['no server of this name. Its servers are: Red.', { a: red }, 'Blue'],
  ]
  for (const [reply, named, team] of refusals) {
    const files = Object.fromEntries(
      Object.entries(named).map(([name, text]) => [name.replace(/(\.json)?$/, '.json'), text]),
    )
    const asked = team === undefined ? 'without a name' : `with the name ${team}`
    test(`is refused ${asked} with "${reply}"`, async () => {
      await assert.rejects(authors(files, team), { message: `The export has ${reply}` })
    })
  }

  const choices: readonly (readonly [string, string, string])[] = [
    ['Red', 'Red', '3'],
    ['blue', 'Blue', '4'],
    ['2', 'Blue', '4'],
    ['Direct Messages', 'Direct Messages', '6'],
  ]
  for (const [team, name, author] of choices) {
    test(`gives only what is in ${name} if ${team} is named`, async () => {
      const found = await authors(all, team)
      assert.deepEqual({ ...found, report: {} }, { name, found: [author], report: {} })
      assert.equal(found.report.channels?.skipped['other-team']?.count, 2)
      assert.equal(found.report.messages?.skipped['other-team']?.count, 2)
    })
  }

  test('needs no name if all files are of one server', async () => {
    const { found, name } = await authors({ 'a.json': red, 'b.json': red.replaceAll('10', '11') })
    assert.deepEqual([name, found.length], ['Red', 2])
  })
})

describe('an embed', () => {
  const picture = { url: 'a.json_Files/chart.png', width: 10, height: 10 }
  const elsewhere = { url: 'https://example.com/chart.png' }
  const file = { file: 'embed 5 0', text: 'chart.png' }
  // biome-ignore format: a table reads best in columns
  const embeds: readonly (readonly [string, object, unknown])[] = [
    ['with only a picture in the export is the picture', { image: picture }, [file]],
    ['with a list of pictures has each once', { image: picture, images: [picture, elsewhere] }, [file, '\nhttps://example.com/chart.png']],
    ['with only a picture elsewhere is a link to it', { image: elsewhere }, 'https://example.com/chart.png'],
    ['with only a thumbnail is that', { thumbnail: picture }, [file]],
    ['with only a video is a link to it', { video: { url: 'https://example.com/a.mp4' } }, 'https://example.com/a.mp4'],
    ['with only an author is their name', { author: { name: 'Ann *B*', url: null } }, 'Ann &#42;B&#42;'],
    ['links to the page of its author', { author: { name: 'Ann', url: 'https://example.com/ann' } }, '[Ann](https://example.com/ann)'],
    ['with only a footer is that', { footer: { text: 'via *x*', iconUrl: 'y' } }, 'via &#42;x&#42;'],
    ['has its author first, its picture and its footer last', { author: { name: 'Ann' }, title: 'T', description: 'D', image: picture, footer: { text: 'F' } }, ['Ann\n**T**\nD\n', file, '\nF']],
    ['with text has no thumbnail', { title: 'T', thumbnail: picture }, '**T**'],
    ['with parts of wrong types keeps the others', { author: 'x', image: 3, images: {}, footer: [], title: 'T' }, '**T**'],
  ]
  for (const [what, embed, expected] of embeds) {
    for (const isForwarded of [false, true]) {
      test(`${what}${isForwarded ? ', if it was forwarded' : ''}`, async () => {
        const said = { embeds: [embed] }
        const message = {
          ...{ id: '5', timestamp: '2024-03-01T00:00:00Z', type: 'Default', author: { id: '3' } },
          ...(isForwarded ? { forwardedMessage: said } : said),
        }
        const { items } = await itemsOf({
          'a.json': `{${head}, "messages": [${JSON.stringify(message)}]}`,
          'a.json_Files/chart.png': 'png',
        })
        const { content } = items.find((item) => item.type === 'message') ?? assert.fail()
        const quoted = [expected]
          .flat()
          .map((each) => (typeof each === 'string' ? each.replaceAll('\n', '\n> ') : each))
        const forwarded =
          typeof quoted[0] === 'string' ? [`> ${quoted[0]}`, ...quoted.slice(1)] : ['> ', ...quoted]
        assert.deepEqual([content].flat(), isForwarded ? forwarded : [expected].flat())
      })
    }
  }

  test('of a message with pictures of its own keeps both', async () => {
    const embed = { image: picture }
    const message = {
      ...{ id: '5', timestamp: '2024-03-01T00:00:00Z', type: 'Default', author: { id: '3' } },
      ...{ embeds: [embed], forwardedMessage: { embeds: [embed] } },
    }
    const { items } = await itemsOf({
      'a.json': `{${head}, "messages": [${JSON.stringify(message)}]}`,
      'a.json_Files/chart.png': 'png',
    })
    const keys = items.flatMap((item) => (item.type === 'file' ? [item.key] : []))
    assert.deepEqual(keys, ['embed 5 0', 'embed 5 1'])
  })
})
