import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Event, startServer } from '#test/support/server.ts'

/*
 * What zulip-terminal makes of the server's answers. It names who reacted by the `user` of what it
 * holds, and ends where that is no object.
 */

const server = await startServer()
after(server.close)

interface HeldReaction {
  readonly emoji_code: unknown
  readonly user_id?: unknown
  /** Fetched messages have none; those from events have what the event says. */
  readonly user?: unknown
}
type Held = { id: number; reactions: HeldReaction[] }

/** Who reacted, as it asks both of what it holds and of an event. */
function reactorOf(reaction: object): number {
  const { user = {}, user_id } = reaction as HeldReaction
  assert.ok(typeof user === 'object' && user !== null, 'its assertion about `user`')
  const { id, user_id: own } = user as { id?: unknown; user_id?: unknown }
  const who = id ?? own ?? user_id
  assert.ok(typeof who === 'number', 'its assertion about the ID')
  return who
}

/** It holds what an event lacks as null. */
function show(message: Held, event: Event): void {
  const { emoji_code, user_id = null, user = null } = event as Event & HeldReaction
  if (event.op === 'add') {
    message.reactions.push({ emoji_code, user_id, user })
    return
  }
  const gone = message.reactions.findIndex(
    (one) => reactorOf(one) === reactorOf(event) && one.emoji_code === emoji_code,
  )
  message.reactions.splice(gone, 1)
}

describe('zulip-terminal, started when everything is read', async () => {
  const member = server.as('member')
  await server.say('cordelia', ['member'], '', 'Are you there?')
  await member.post('/mark_all_as_read')
  const queue = await member.watchWith({ event_types: ['message', 'reaction'] })
  const { messages } = await member.get<{ messages: Held[] }>('/messages', {
    anchor: 0,
    use_first_unread_anchor: true,
    num_before: 30,
    num_after: 10,
    apply_markdown: true,
    client_gravatar: true,
    narrow: [],
  })

  for (const [what, find] of [
    ['a message that it fetched', async () => messages.at(-1)?.id ?? 0],
    ['a message that comes', () => server.say('cordelia', ['member'], '', 'I have news.')],
  ] as const) {
    test(`shows the reactions to ${what}, and their removal`, async () => {
      const id = await find()
      const held = messages.find((one) => one.id === id) ?? { id, reactions: [] }
      const [mine, hers] = [
        { emoji_name: 'octopus', reaction_type: 'unicode_emoji' },
        { emoji_name: 'heart', reaction_type: 'unicode_emoji' },
      ]
      const path = `/messages/${id}/reactions`
      await member.post(path, mine)
      for (const emoji of [mine, hers]) await server.as('cordelia').post(path, emoji)
      await server.as('cordelia').del(path, mine)
      for (const event of await queue.drain()) if (event.type === 'reaction') show(held, event)
      const { ids } = server
      const shown = held.reactions.map((one) => [one.emoji_code, reactorOf(one)])
      assert.deepEqual(shown, [
        ['1f419', ids.member],
        ['2764', ids.cordelia],
      ])
    })
  }
})
