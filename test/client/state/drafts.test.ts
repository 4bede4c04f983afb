import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import type { Draft, RegisterReply } from '#client/api/wire.ts'
import { createDrafts } from '#client/compose/drafts.ts'
import { topicConversation } from '#client/state/from-wire.ts'
import { registration } from '#client/state/registration.ts'
import type { KeyValues } from '#client/ui/browser-storage.ts'
import { startServer } from '#test/support/server.ts'
import { apiOf, follow, memoryStorage } from './support.ts'

const server = await startServer()
after(server.close)
const { shared } = server.channels
const member = server.as('member')
const plans = topicConversation(shared, 'plans')

const running: { stop(): void }[] = []
afterEach(async () => {
  for (const part of running.splice(0)) part.stop()
  await member.patch('/settings', { enable_drafts_synchronization: true })
  for (const { id } of await onServer()) await member.del(`/drafts/${id}`)
})

/** A browser of the same user. */
async function open(storage: KeyValues = memoryStorage()) {
  const api = apiOf(member)
  const { store, catchUp } = await follow(server, member)
  const drafts = createDrafts({ api, store, storage, clock: server.clock })
  running.push(drafts)
  return { api, store, catchUp, drafts, storage }
}

async function onServer(): Promise<Draft[]> {
  return (await member.get<{ drafts: Draft[] }>('/drafts')).drafts
}

const contents = (list: readonly { readonly content: string }[]) =>
  list.map(({ content }) => content).sort()

test('every keystroke is kept here at once, and on the server a little later', async () => {
  const { drafts, storage } = await open()
  let key: string | undefined
  for (const text of ['H', 'He', 'Hel', 'Hello']) key = drafts.write(key, plans, text)
  assert.deepEqual(contents(drafts.all.value), ['Hello'])
  assert.ok(storage.getItem(`parley:drafts:${member.id}`)?.includes('Hello'))
  assert.deepEqual(await onServer(), [])
  await drafts.flush()
  const [draft] = await onServer()
  assert.deepEqual(
    { ...draft, id: 0 },
    {
      id: 0,
      type: 'stream',
      to: [shared],
      topic: 'plans',
      content: 'Hello',
      timestamp: Math.floor(server.clock.now() / 1000),
    },
  )
})

test('a draft is found in another browser, edited there, and removed', async () => {
  const [here, there] = [await open(), await open()]
  const key = here.drafts.write(undefined, { kind: 'direct', userIds: [server.ids.owner] }, 'Dear')
  await here.drafts.flush()
  await here.catchUp()
  await there.catchUp()
  const [found] = there.drafts.all.value
  assert.deepEqual(found?.target, { kind: 'direct', userIds: [server.ids.owner] })
  server.clock.advance(5000)
  there.drafts.write(found?.key, found?.target ?? plans, 'Dear Desdemona')
  await there.drafts.flush()
  await here.catchUp()
  assert.deepEqual(contents(here.drafts.all.value), ['Dear Desdemona'])
  here.drafts.remove(key ?? '')
  await here.drafts.flush()
  await there.catchUp()
  assert.deepEqual(there.drafts.all.value, [])
  assert.deepEqual(await onServer(), [])
})

test('two versions that say different things are both kept', async () => {
  const [here, there] = [await open(), await open()]
  const key = here.drafts.write(undefined, plans, 'We begin')
  await here.drafts.flush()
  await here.catchUp()
  await there.catchUp()
  const [found] = there.drafts.all.value
  here.drafts.write(key, plans, 'We begin on Monday')
  server.clock.advance(1000)
  there.drafts.write(found?.key, plans, 'We begin on Tuesday')
  await there.drafts.flush()
  await here.catchUp()
  assert.deepEqual(contents(here.drafts.all.value), ['We begin on Monday', 'We begin on Tuesday'])
  assert.equal(here.drafts.all.value.find((one) => one.key === key)?.content, 'We begin on Monday')
  await here.drafts.flush()
  assert.deepEqual(contents(await onServer()), ['We begin on Monday', 'We begin on Tuesday'])
})

test('of two versions of which one goes on, the newer one wins', async () => {
  const [here, there] = [await open(), await open()]
  const key = here.drafts.write(undefined, plans, 'We begin')
  await here.drafts.flush()
  await here.catchUp()
  await there.catchUp()
  here.drafts.write(key, plans, 'We begin on')
  server.clock.advance(1000)
  there.drafts.write(there.drafts.all.value[0]?.key, plans, 'We begin on Tuesday')
  await there.drafts.flush()
  await here.catchUp()
  assert.deepEqual(contents(here.drafts.all.value), ['We begin on Tuesday'])
})

test('what is typed on survives that the draft was removed elsewhere', async () => {
  const [here, there] = [await open(), await open()]
  const key = here.drafts.write(undefined, plans, 'Do not lose')
  await here.drafts.flush()
  await here.catchUp()
  await there.catchUp()
  here.drafts.write(key, plans, 'Do not lose this')
  there.drafts.remove(there.drafts.all.value[0]?.key ?? '')
  await there.drafts.flush()
  await here.catchUp()
  await here.drafts.flush()
  assert.deepEqual(contents(here.drafts.all.value), ['Do not lose this'])
  assert.deepEqual(contents(await onServer()), ['Do not lose this'])
})

test('a target that is not finished stays as it is here', async () => {
  const { drafts, catchUp } = await open()
  const target = { kind: 'topic', channelId: undefined, topic: 'Where to? ' } as const
  const key = drafts.write(undefined, target, 'Somewhere')
  await drafts.flush()
  await catchUp()
  assert.deepEqual(drafts.all.value[0]?.target, target)
  drafts.write(key, { ...target, channelId: shared }, 'Somewhere')
  await drafts.flush()
  await catchUp()
  assert.deepEqual(drafts.all.value[0]?.target, { ...target, channelId: shared })
  assert.equal((await onServer())[0]?.topic, 'Where to?')
})

test('a draft is hidden while it is sent, and shown again if that fails', async () => {
  const { drafts } = await open()
  const key = drafts.write(undefined, plans, 'To be sent') ?? ''
  await drafts.flush()
  drafts.send(key, 'local')
  assert.deepEqual(drafts.all.value, [])
  assert.equal((await onServer()).length, 1)
  drafts.settle('local', 'taken')
  assert.deepEqual(contents(drafts.all.value), ['To be sent'])
  drafts.send(key, 'another')
  drafts.settle('another', 'sent')
  await drafts.flush()
  assert.deepEqual(await onServer(), [])
})

test('drafts wait in the browser without a network, and while the window is closed', async () => {
  const { api, drafts, storage } = await open()
  api.isCut = true
  drafts.write(undefined, plans, 'Offline')
  await drafts.flush()
  drafts.stop()
  const next = await open(storage)
  assert.deepEqual(contents(next.drafts.all.value), ['Offline'])
  await next.drafts.flush()
  assert.deepEqual(contents(await onServer()), ['Offline'])
  await next.catchUp()
  assert.deepEqual(contents(next.drafts.all.value), ['Offline'])
})

test('drafts follow a topic that moves as a whole', async () => {
  const { drafts, catchUp } = await open()
  const id = await server.say('owner', 'shared', 'moving')
  drafts.write(undefined, topicConversation(shared, 'Moving'), 'Wait for me')
  await server.as('owner').patch(`/messages/${id}`, {
    topic: 'moved',
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
  })
  await catchUp()
  assert.deepEqual(drafts.all.value[0]?.target, topicConversation(shared, 'moved'))
  assert.equal(drafts.find(topicConversation(shared, 'Moved'))?.content, 'Wait for me')
})

test('what the server would refuse as too long stays in the browser until it is shorter', async () => {
  const { api, store, drafts } = await open()
  const most = store.realm.peek().max_message_length
  for (const character of ['a', '🎉']) {
    const key = drafts.write(undefined, plans, character.repeat(most + 1))
    await drafts.flush()
    assert.deepEqual(await onServer(), [])
    assert.equal(api.calls.includes('POST /drafts'), false)
    drafts.write(key, plans, character.repeat(most))
    await drafts.flush()
    assert.deepEqual(contents(await onServer()), [character.repeat(most)])
    drafts.remove(key ?? '')
    await drafts.flush()
    api.calls.length = 0
  }
})

test('without synchronization they stay in the browser', async () => {
  const { drafts, catchUp } = await open()
  const key = drafts.write(undefined, plans, 'Mine')
  await drafts.flush()
  await catchUp()
  await member.patch('/settings', { enable_drafts_synchronization: false })
  await catchUp()
  drafts.write(key, plans, 'Mine alone')
  await drafts.flush()
  assert.deepEqual(contents(drafts.all.value), ['Mine alone'])
  await member.patch('/settings', { enable_drafts_synchronization: true })
  assert.deepEqual(await onServer(), [])
  await catchUp()
  await drafts.flush()
  await catchUp()
  await drafts.flush()
  assert.deepEqual(contents(drafts.all.value), ['Mine alone'])
  assert.deepEqual(contents(await onServer()), ['Mine alone'])
})

describe('on a server that was restored from a backup', () => {
  /** What the registration with a restored server says: it lacks the newest messages. */
  const restored = async (drafts: Draft[]) => ({
    ...(await member.post<RegisterReply>('/register', registration)),
    drafts,
    max_message_id: 1,
  })

  const setBack = async ({ id, ...draft }: Draft) => {
    assert.equal((await member.patch(`/drafts/${id}`, { draft })).status, 200)
  }

  test('drafts that it lost are there, and it gets them again', async () => {
    const { store, drafts, catchUp } = await open()
    await server.say('owner', 'shared', 'plans', 'After the backup.')
    await catchUp()
    drafts.write(undefined, plans, 'Typed after the backup')
    await drafts.flush()
    await catchUp()
    const [sent] = await onServer()
    await member.del(`/drafts/${sent?.id}`)
    store.restart(await restored([]))
    assert.deepEqual(contents(drafts.all.value), ['Typed after the backup'])
    await drafts.flush()
    assert.deepEqual(contents(await onServer()), ['Typed after the backup'])
  })

  test('another draft that has the ID of a lost one is another one', async () => {
    const { store, drafts, catchUp } = await open()
    await server.say('owner', 'shared', 'plans', 'After the backup.')
    await catchUp()
    drafts.write(undefined, plans, 'Typed after the backup')
    await drafts.flush()
    await catchUp()
    const [sent] = await onServer()
    assert.ok(sent)
    const other = { ...sent, content: 'Something else' }
    await setBack(other)
    store.restart(await restored([other]))
    const both = ['Something else', 'Typed after the backup']
    assert.deepEqual(contents(drafts.all.value), both)
    await drafts.flush()
    assert.deepEqual(contents(await onServer()), both)
  })

  test('an older version of a draft gives way to what was typed since', async () => {
    const { store, drafts, catchUp } = await open()
    await server.say('owner', 'shared', 'plans', 'After the backup.')
    await catchUp()
    drafts.write(undefined, plans, 'Typed before, and after')
    await drafts.flush()
    await catchUp()
    const [sent] = await onServer()
    assert.ok(sent)
    const older = { ...sent, content: 'Typed before', timestamp: sent.timestamp - 60 }
    await setBack(older)
    store.restart(await restored([older]))
    assert.deepEqual(contents(drafts.all.value), ['Typed before, and after'])
    await drafts.flush()
    assert.deepEqual(contents(await onServer()), ['Typed before, and after'])
  })

  test('drafts that it lost are there, also once new messages have overtaken it', async () => {
    const { store, drafts, catchUp } = await open()
    drafts.write(undefined, plans, 'Typed after the backup')
    await drafts.flush()
    await catchUp()
    const [sent] = await onServer()
    await member.del(`/drafts/${sent?.id}`)
    await server.say('owner', 'shared', 'plans', 'After the restored backup.')
    const reply = await member.post<RegisterReply>('/register', registration)
    store.restart({ ...reply, server_data_id: 'of the restored data' })
    assert.deepEqual(contents(drafts.all.value), ['Typed after the backup'])
    await drafts.flush()
    assert.deepEqual(contents(await onServer()), ['Typed after the backup'])
  })

  test('what was deleted elsewhere stays deleted where nothing was lost', async () => {
    const { store, drafts, catchUp } = await open()
    drafts.write(undefined, plans, 'Deleted on the phone')
    await drafts.flush()
    await catchUp()
    const [sent] = await onServer()
    await member.del(`/drafts/${sent?.id}`)
    store.restart(await member.post<RegisterReply>('/register', registration))
    assert.deepEqual(drafts.all.value, [])
  })
})
