import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { quotas } from '#program/features.ts'
import { changeLimits } from '#test/support/limits/changing.ts'
import { type Reply, startServer } from '#test/support/server.ts'
import { type Maker, quotaMakers, usedBy } from './makers.ts'

const server = await startServer({
  config: {
    smtpUrl: 'smtp://127.0.0.1:9',
    mailGateway: '%s@mail.example.com',
    pushServiceUrl: 'http://a:b@127.0.0.1:9',
  },
})
after(server.close)
const owner = server.as('owner')
const { store } = server.server.context

let makers: Record<string, Maker>
before(async () => {
  await owner.patch('/realm', { send_welcome_emails: false, inline_url_embed_preview: true })
  makers = await quotaMakers(server)
})

/** What the limits leave alone in a fresh state. */
const volatile = ['queue_id', 'last_event_id', 'server_timestamp', 'presences']

/** What everyone's clients fetch, and the actor's. */
async function states(actor: Maker['actor']): Promise<object[]> {
  const all = await Promise.all(
    [owner, server.as(actor)].map(async (client) => await client.post('/register')),
  )
  return all.map((state) =>
    Object.fromEntries(Object.entries(state).filter(([name]) => !volatile.includes(name))),
  )
}

function period(seconds: number | undefined): string {
  if (seconds === undefined) return ''
  return { 3600: ' an hour', 86400: ' a day' }[seconds] ?? ` in ${seconds} seconds`
}

test('every limit has one function that reaches it', () => {
  assert.deepEqual(Object.keys(makers).sort(), quotas.map(({ name }) => name).sort())
})

describe('reaches its limit, but not more', () => {
  for (const quota of quotas) {
    test(quota.name, async () => {
      const maker = makers[quota.name]
      assert.ok(maker)
      // Administrators have more of some.
      const share = quota.share({ role: maker.actor === 'owner' ? 100 : 400 } as never)
      // What other tests used of it counts no longer.
      if (quota.seconds !== undefined) server.clock.advance(1000 * quota.seconds)
      const most = usedBy(server, quota, maker) + 2
      assert.equal(share, 1, 'somebody without privileges reaches it')
      changeLimits(store, { [quota.name]: most })
      const made: Reply[] = []
      for (let n = 1; n <= 2; n++) {
        const reply = await maker.make(n)
        assert.equal(reply.result, 'success', reply.msg)
        made.push(reply)
      }
      const [first] = made
      assert.ok(first)

      const before = await states(maker.actor)
      const queue = await owner.watch()
      const refused = await maker.make(3)
      if (maker.isSilent) assert.equal(refused.result, 'success', refused.msg)
      else {
        const code = quota.seconds === undefined ? 'BAD_REQUEST' : 'RATE_LIMIT_HIT'
        assert.equal(refused.code, maker.code ?? code)
        assert.ok(quota.tooMany.endsWith(` (limit: {count}${period(quota.seconds)})`))
        const message = quota.tooMany.replace('{count}', String(most))
        assert.equal(refused.msg, maker.message ?? message)
      }
      if (refused.code === 'RATE_LIMIT_HIT') {
        assert.deepEqual([refused.status, refused['retry-after']], [429, quota.seconds])
      }
      assert.deepEqual(await queue.drain(), [], 'nobody hears of it')
      assert.deepEqual(await states(maker.actor), before, 'nothing changed')
      assert.equal(usedBy(server, quota, maker), most)

      if (maker.remove) {
        const removed = await maker.remove(first)
        assert.equal(removed.result, 'success', removed.msg)
      } else server.clock.advance(1000 * Number(quota.seconds))
      const again = await maker.make(4)
      assert.equal(again.result, 'success', again.msg)
    })
  }
})
