import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { findChannel } from '#features/foundation/channels/queries.ts'
import { findReading } from '#features/foundation/read-state/readings.queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { authorLookups } from '#features/messaging/messages/lookups.queries.ts'
import { createCaller, noCredential } from '#platform/http/caller.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { context } = server.server
const author = findUser(context.store, server.ids.othello)
assert.ok(author)
const { recipientId = 0 } = findChannel(context.store, server.channels.public) ?? {}
const reading = findReading(context.store, author.id, recipientId)
assert.ok(reading)
const caller = createCaller(context, author, 'test', noCredential(context, author))

/**
 * V8 makes accessors of an object's own in the old generation: whatever they refer to, such as the
 * whole request, lives until the next full garbage collection.
 */
describe('without an accessor of its own is', () => {
  const made = {
    'a caller': caller,
    'the lookups of an author': authorLookups(context.store, author, 'http://x.invalid'),
    'what a user has read': reading,
  }
  for (const [what, object] of Object.entries(made)) {
    test(what, () => {
      const own = Object.entries(Object.getOwnPropertyDescriptors(object))
      assert.deepEqual(
        own.filter(([, { get }]) => get).map(([name]) => name),
        [],
      )
    })
  }
})
