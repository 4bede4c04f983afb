import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { newestMessageId } from '#features/foundation/core/queries.ts'
import { startServer } from '#test/support/server.ts'
import { connections } from './connect.ts'

const server = await startServer()
const { open, closeAll } = connections(server)
after(async () => {
  await closeAll()
  await server.close()
})
const guest = await open(server.as('guest'))
const hidden = 'plans of the core team'
const secret = await server.say('admin', 'private', hidden, 'The secret is xyzzy.')
const direct = await server.say('admin', ['member'], undefined, 'Between us: xyzzy.')
await server.say('admin', 'shared', 'open', 'Nothing to hide.')

/** What a tool says to a guest, and whether it is an error. */
async function told(name: string, args: object): Promise<{ isError: boolean; all: string }> {
  const result = await guest.callTool({ name, arguments: { ...args } })
  return { isError: result.isError === true, all: JSON.stringify(result) }
}

describe('what a person may not see', () => {
  const link = `${server.url}/#narrow/channel/8-core-team/topic/x/near/${secret}`
  // biome-ignore format: a table reads best in columns
  const table: [tool: string, args: object, isError: boolean][] = [
    ['whats_new',         {},                                                        false],
    ['search_messages',   { query: 'xyzzy' },                                        false],
    ['search_messages',   { query: `id:${secret}` },                                 false],
    ['search_messages',   { channel: 'core team' },                                  true],
    ['search_messages',   { query: 'channel:"core team"' },                          true],
    ['search_messages',   { query: '-channel:"core team" xyzzy' },                   true],
    ['search_messages',   { channel: 8 },                                            true],
    ['read_conversation', { channel: 'core team' },                                  true],
    ['read_conversation', { channel: 'core team', topic: hidden },                   true],
    ['read_conversation', { message_id: secret },                                    true],
    ['read_conversation', { message_id: direct },                                  true],
    ['read_conversation', { channel: 'Verona', message_id: secret },                 false],
    ['read_conversation', { channel: 'Verona', cursor: `newer:${secret - 1}` },      false],
    ['read_conversation', { people: ['Iago'] },                                      false],
    ['find',              { query: 'core' },                                         false],
    ['open_link',         { url: link },                                             true],
    ['send_message',      { channel: 'core team', topic: 'x', content: 'Hello.' },   true],
    ['reply',             { message_id: secret, content: 'Hello.' },                 true],
    ['edit_message',      { message_id: secret, content: 'Hello.' },                 true],
    ['edit_message',      { message_id: secret, delete: true, confirm: true },       true],
    ['react',             { message_id: secret, emoji_name: 'tada' },                true],
    ['mark_as_read',      { channel: 'core team' },                                  true],
    ['schedule',          { at: '2100-01-01', message_id: secret },                  true],
    ['schedule',          { at: '2100-01-01', channel: 8, topic: 'x', content: 'x' }, true],
    ['ask_person',        { message_id: direct, wait_seconds: 0 },                 true],
    ['read_file',         { url: '/user_uploads/2/ab/secret.txt' },                  true],
  ]
  for (const [tool, args, isError] of table) {
    test(`${tool} with ${JSON.stringify(args)} reveals nothing of it`, async () => {
      const result = await told(tool, args)
      assert.equal(result.isError, isError, result.all)
      assert.ok(!/The secret|Between us|plans of the core/.test(result.all), result.all)
    })
  }

  test('a channel that is hidden is refused like one that was never there', async () => {
    const refusals = new Set<string>()
    for (const channel of ['core team', 'never made']) {
      const { all } = await told('read_conversation', { channel })
      refusals.add(all.replaceAll(channel, 'NAME'))
    }
    assert.equal(refusals.size, 1, [...refusals].join('\n'))
  })
})

describe('wrong calls', () => {
  test('an unknown tool is an error of the protocol', async () => {
    await assert.rejects(guest.callTool({ name: 'drop_tables', arguments: {} }), /Unknown tool/)
  })

  // biome-ignore format: a table reads best in columns
  const table: [tool: string, args: object, said: RegExp][] = [
    ['search_messages',   {},                                                 /what to search for/],
    ['search_messages',   { query: 'x', colour: 'red' },                      /colour/],
    ['search_messages',   { query: 'x'.repeat(1001) },                        /query/],
    ['search_messages',   { query: 'x', limit: 51 },                          /limit/],
    ['search_messages',   { query: 'x', cursor: '1; DROP TABLE' },            /cursor/],
    ['search_messages',   { query: 'x', after: 'yesterday' },                 /ISO 8601/],
    ['search_messages',   { query: 'is:impossible' },                         /is/],
    ['read_conversation', {},                                                 /channel or people/],
    ['read_conversation', { channel: 'Verona', people: ['Iago'] },            /channel or people/],
    ['read_conversation', { message_id: -1 },                                 /message_id/],
    ['read_conversation', { message_id: 1e300 },                              /message_id/],
    ['read_conversation', { people: ['Nobody At All'] },                      /Nobody/],
    ['find',              { cursor: '-1' },                                   /cursor/],
    ['open_link',         { url: 'https://elsewhere.example.com/#narrow/id/1' }, /no link/],
    ['open_link',         { url: 'javascript:alert(1)' },                     /no link/],
    ['read_file',         { url: '/user_uploads/../../etc/passwd' },          /no such file/],
    ['read_file',         { url: '/user_uploads/%E0%A4%A' },                  /no such file/],
    ['send_message',      { channel: 'Verona', topic: 'x', content: ' \n' },  /content/],
    ['send_message',      { channel: 'Verona', content: 'No topic.' },        /topic/i],
    ['send_message',      { people: ['Iago'], topic: 'x', content: 'x' },     /topic/],
    ['send_message',      { channel: 'Verona', topic: 'x', content: 'a\0b' }, /content: has NUL/],
    ['schedule',          { at: '2001-01-01', people: ['Iago'], content: 'x' }, /future/],
    ['schedule',          { at: 'soon', people: ['Iago'], content: 'x' },     /ISO 8601/],
    ['mark_as_read',      {},                                                 /conversation/],
    ['ask_person',        { person: 'Iago' },                                 /person and question/],
    ['attach_file',       { filename: 'x.txt', content: '' },                 /content/],
  ]
  for (const [tool, args, said] of table) {
    const shown = JSON.stringify(args).slice(0, 80)
    test(`${tool} with ${shown} says what is wrong and changes nothing`, async () => {
      const before = newestMessageId(server.server.context.store)
      const result = await told(tool, args)
      assert.equal(result.isError, true, result.all)
      assert.match(result.all, said)
      assert.ok(result.all.length < 2000, result.all)
      assert.equal(newestMessageId(server.server.context.store), before)
    })
  }
})

test('no result is longer than it says, whatever it would hold', async () => {
  const long = 'word '.repeat(1900)
  for (let n = 0; n < 12; n++) await server.say('admin', 'shared', 'long', `${n} ${long}`)
  for (const [tool, args] of [
    ['read_conversation', { channel: 'Verona', topic: 'long', limit: 50 }],
    ['search_messages', { topic: 'long', limit: 50 }],
    ['whats_new', { limit: 50 }],
  ] as const) {
    const { structuredContent, content } = await guest.callTool({ name: tool, arguments: args })
    assert.ok(JSON.stringify(structuredContent).length <= 24_000, tool)
    const [first] = content
    assert.ok(first?.type === 'text' && first.text.length <= 24_000, tool)
  }
})

test('writing has a budget of its own', async () => {
  const limited = await startServer({ config: { rateLimits: true } })
  const { open, closeAll } = connections(limited)
  try {
    const client = await open(limited.as('member'))
    const id = await limited.say('admin', 'shared')
    const mark = () => client.callTool({ name: 'mark_as_read', arguments: { message_ids: [id] } })
    let refused = ''
    for (let n = 0; n < 70 && refused === ''; n++) {
      const result = await mark()
      if (result.isError) refused = JSON.stringify(result.content)
    }
    assert.match(refused, /rate limit.*Try again in \d+ seconds/)
    const read = await client.callTool({ name: 'whats_new', arguments: {} })
    assert.equal(read.isError, undefined)
  } finally {
    await closeAll()
    await limited.close()
  }
})
