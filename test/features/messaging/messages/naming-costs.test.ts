import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gatherCrowd, times } from '#test/support/limits/crowd.ts'
import { workOf } from '#test/support/limits/work.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const owner = server.as('owner')
const crowd = await gatherCrowd(server, 0.2)
const { people, channels, messages } = crowd
const linked = channels.map(({ name }) => name)

/** Groups of the same 500 people, each with all the groups before it. */
const nested = times(40, (i) => `nested ${i}`)
/** Groups that nobody may mention but who is in any of those. */
const guarded = times(60, (i) => `guarded ${i}`)

async function makeGroup(params: Record<string, unknown>): Promise<number> {
  const reply = await owner.post<{ group_id: number }>('/user_groups/create', {
    description: '',
    ...params,
  })
  assert.equal(reply.result, 'success', reply.msg)
  return reply.group_id
}

before(async () => {
  const ids: number[] = []
  const members = people.slice(0, 500)
  for (const name of nested) ids.push(await makeGroup({ name, members, subgroups: [...ids] }))
  const allowed = { direct_members: [server.ids.owner], direct_subgroups: ids }
  for (const name of guarded) await makeGroup({ name, members: [], can_mention_group: allowed })
  const all = { subscriptions: [{ name: 'named' }], principals: [...members, server.ids.owner] }
  assert.equal((await owner.post('/users/me/subscriptions', all)).result, 'success')
})

/** Statements and rows of a message, and of what the server does about it. */
async function cost(content: string): Promise<number> {
  const params = { type: 'channel', to: 'named', topic: 'costs', content }
  return await workOf(server, async () => {
    const { result, msg } = await owner.post('/messages', params)
    assert.equal(result, 'success', msg)
    await server.settled()
  })
}

const fill = (make: (i: number) => string) =>
  times(2500, (i) => `${make(i)} `)
    .join('')
    .slice(0, 9990)

describe('a message that names as much as it can costs at most so many statements and rows', () => {
  // biome-ignore format: a table reads best in columns
  const rows: [what: string, content: string, most: number][] = [
    ['nothing',                         'Hello.',                                                   60],
    ['one group, nested',               '@*nested 39*',                                         30_000],
    ['one group, nested, often',        fill(() => '@*nested 39*'),                             30_000],
    ['many nested groups',              fill((i) => `@*nested ${i % 40}*`),                     30_000],
    ['groups that are guarded',         fill((i) => `@*guarded ${i % 60}*`),                     4_000],
    ['many groups',                     fill((i) => `@*crowd ${i % 200}*`),                        500],
    ['people by name',                  fill((i) => `@**One of the Crowd ${i}**`),               4_000],
    ['people by ID',                    fill((i) => `@**|${people[i % people.length]}**`),       4_000],
    ['people silently',                 fill((i) => `@_**|${people[i % people.length]}**`),      1_000],
    ['nobody',                          fill((i) => `@**|${10_000_000 + i}**`),                  2_000],
    ['everybody',                       fill(() => '@**all**'),                                    100],
    ['the topic',                       fill(() => '@**topic**'),                                  100],
    ['channels',                        fill((i) => `#**${linked[i % linked.length]}**`),        1_200],
    ['topics',                          fill((i) => `#**Verona>topic ${i % 50}**`),                300],
    ['topics that do not exist',        fill((i) => `#**Verona>no ${i}**`),                      2_500],
    ['messages',                        fill((i) => `#**Verona>topic ${i % 50}@${messages[i % messages.length]}**`),   700],
    ['emoji',                           fill((i) => `:emoji${i}:`),                              1_500],
    ['files',                           fill((i) => `[](/user_uploads/2/ab/${i}.png)`),          1_000],
    ['pictures elsewhere',              fill((i) => `http://a.co/${i}.png`),                       100],
    ['pages',                           fill((i) => `http://a.co/${i}`),                           100],
    ['linkifiers',                      fill((i) => `crowd${i % 98}-${i}`),                        100],
  ]
  for (const [what, content, most] of rows) {
    test(what, async () => {
      const work = await cost(content)
      assert.ok(work <= most, `${work} statements and rows`)
    })
  }
})
