import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startServer } from '#test/support/server.ts'
import { connections } from './connect.ts'

const server = await startServer()
const { open, closeAll } = connections(server)
after(async () => {
  await closeAll()
  await server.close()
})
const member = await open(server.as('member'))
const guest = await open(server.as('guest'))

/** The text of a resource. */
const read = async (client: typeof member, uri: string) => {
  const { contents } = await client.readResource({ uri })
  const [first] = contents
  return first && 'text' in first ? first.text : ''
}

describe('resources', () => {
  test('they are the channels that the person may read', async () => {
    const names = async (client: typeof member) =>
      (await client.listResources()).resources.map(({ name }) => name)
    assert.ok((await names(member)).includes('core team'))
    assert.ok(!(await names(guest)).includes('core team'))
    assert.ok(!(await names(guest)).includes('Denmark'))
  })

  test('a channel and a topic are read by ID and by name', async () => {
    await server.say('admin', 'shared', 'a/b c', 'In the topic.')
    for (const uri of [
      'parley://channel/3',
      'parley://channel/Verona',
      'parley://channel/Verona/topic/a%2Fb%20c',
    ]) {
      assert.match(await read(member, uri), /\n> In the topic\./, uri)
    }
  })

  for (const uri of [
    'parley://channel/8',
    'parley://channel/core%20team',
    'parley://channel/nowhere',
    'parley://channel/%E0%A4%A',
    'parley://channel/3/secret',
    'file:///etc/passwd',
  ]) {
    test(`${uri} is not found, whether it is hidden or was never there`, async () => {
      await assert.rejects(read(guest, uri), /not found/i)
    })
  }

  test('completion continues the names of channels and their topics', async () => {
    const ref = { type: 'ref/resource', uri: 'parley://channel/{channel}/topic/{topic}' } as const
    const complete = async (client: typeof member, name: string, value: string) => {
      const context = { arguments: { channel: 'core team' } }
      const { completion } = await client.complete({ ref, argument: { name, value }, context })
      return completion.values
    }
    await server.say('admin', 'private', 'budget')
    assert.deepEqual(await complete(member, 'channel', 'den'), ['Denmark'])
    assert.deepEqual(await complete(member, 'topic', 'bud'), ['budget'])
    assert.deepEqual(await complete(guest, 'channel', 'core'), [])
    assert.deepEqual(await complete(guest, 'topic', 'bud'), [])
  })
})

describe('subscriptions', () => {
  test('a session hears of changes in what it subscribed to, as long as it may read it', async () => {
    const person = await server.enroll('Reading Person')
    const subscriptions = [{ name: 'core team' }]
    const principals = [person.id]
    await server.as('owner').post('/users/me/subscriptions', { subscriptions, principals })
    const client = await open(person)
    const heard: string[] = []
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      heard.push(params.uri)
    })
    const [channel, topic] = ['parley://channel/8', 'parley://channel/8/topic/news']
    await client.subscribeResource({ uri: channel })
    await client.subscribeResource({ uri: topic })
    const heardBy = async (count: number) => {
      while (heard.length < count) await client.ping()
      return heard.splice(0)
    }
    await server.say('admin', 'private', 'other')
    assert.deepEqual(await heardBy(1), [channel])
    await server.say('admin', 'private', 'news')
    assert.deepEqual(await heardBy(2), [channel, topic])
    await client.unsubscribeResource({ uri: channel })
    await server
      .as('owner')
      .del('/users/me/subscriptions', { subscriptions: ['core team'], principals })
    await server.say('admin', 'private', 'news')
    await client.ping()
    assert.deepEqual(heard, [])
  })

  test('what the person may not read cannot be subscribed to', async () => {
    await assert.rejects(guest.subscribeResource({ uri: 'parley://channel/8' }), /not found/i)
  })

  test('a client of the newest revision listens without a session', async () => {
    const client = await open(server.as('member'), { mode: 'auto' })
    const uri = 'parley://channel/3'
    const heard = new Promise<string>((resolve) => {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        resolve(params.uri)
      })
    })
    const subscription = await client.listen({ resourceSubscriptions: [uri] })
    await server.say('admin', 'shared', 'listening')
    assert.equal(await heard, uri)
    await subscription.close()
  })
})

describe('prompts', () => {
  test('two prompts are listed and made', async () => {
    const { prompts } = await member.listPrompts()
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ['catch_up', 'summarize_topic'],
    )
    const catchUp = await member.getPrompt({ name: 'catch_up', arguments: { channel: 'Verona' } })
    assert.match(JSON.stringify(catchUp.messages), /whats_new/)
    await server.say('admin', 'shared', 'decisions', 'We take the train.')
    const args = { channel: 'Verona', topic: 'decisions' }
    const summary = await member.getPrompt({ name: 'summarize_topic', arguments: args })
    assert.match(JSON.stringify(summary.messages.at(-1)), /> We take the train\./)
  })

  for (const [name, args, said] of [
    ['unknown', {}, /Unknown prompt/],
    ['summarize_topic', {}, /Missing arguments/],
    ['summarize_topic', { channel: 'core team', topic: 'budget' }, /not found/i],
  ] as const) {
    test(`${name} with ${JSON.stringify(args)} is refused: ${said}`, async () => {
      await assert.rejects(guest.getPrompt({ name, arguments: args }), said)
    })
  }
})
