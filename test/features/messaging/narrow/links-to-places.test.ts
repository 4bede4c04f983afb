import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listMigrations } from '#platform/store/migrations.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

async function linking(): Promise<number[]> {
  const { messages } = await server.as('member').get<{ messages: { id: number }[] }>('/messages', {
    narrow: [
      { operator: 'topic', operand: 'places' },
      { operator: 'has', operand: 'link' },
    ],
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
  })
  return messages.map(({ id }) => id)
}

test('has:link finds links to places, also in messages from before they counted', async () => {
  const told = await server.say('owner', 'public', 'places', 'Read this.')
  const texts = ['#**Verona**', 'in #**Verona>plans**!', `#**Denmark>places@${told}**`]
  const ids = await Promise.all(
    texts.map((content) => server.say('owner', 'public', 'places', content)),
  )
  await server.say('owner', 'public', 'places', '`#**Verona**` and <a class="stream">')
  assert.deepEqual(await linking(), ids)
  const { $client } = server.server.context.store.db
  $client.exec('UPDATE messages SET has_link = 0')
  assert.deepEqual(await linking(), [])
  const migration = listMigrations().find((part) => part.join().includes('SET `has_link` = 1'))
  $client.exec(migration?.join(';') ?? '')
  assert.deepEqual(await linking(), ids)
})
