import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findUser } from '#features/foundation/users/queries.ts'
import { startOnboarding } from '#features/people/onboarding/actions.ts'
import { draw, isWhole, seed } from '#test/support/drawing.ts'
import { startServer } from '#test/support/server.ts'
import { actionsOf } from '#test/whole/replay/actions/all.ts'
import type { Action } from '#test/whole/replay/actions/stage.ts'
import { reducers } from './apply-event.ts'
import { randomActions } from './random-actions.ts'
import { modern, openViewer, type Viewer } from './viewers.ts'

/** A push service that takes every registration. */
const pushService = createHttpServer((_, response) => response.end('{"device_id": 77}'))
await new Promise<void>((listening) => pushService.listen(0, '127.0.0.1', listening))
after(() => {
  pushService.closeAllConnections()
  pushService.close()
})
const { port } = pushService.address() as AddressInfo
const pushServiceUrl = `http://organization:key@127.0.0.1:${port}`
const server = await startServer({ config: { pushServiceUrl } })
after(server.close)

// The member is new to the organization, as far as clients know.
await server.server.context.store.write((tx) => {
  const member = findUser(tx, server.ids.member)
  if (member) startOnboarding(tx, member)
})

const seen = new Set<string>()
const viewers: Viewer[] = []
for (const name of ['owner', 'admin', 'member', 'outsider', 'guest', 'bot'] as const) {
  viewers.push(await openViewer(name, server.as(name), modern, seen))
}
viewers.push(await openViewer('owner with an old client', server.as('owner'), {}, seen))
viewers.push(await openViewer('member with an old client', server.as('member'), {}, seen))

/**
 * How the kept states differ from what is registered anew.
 *
 * @param compared whether a viewer's state is compared; all of them take their events
 */
async function compareAll(
  done: string,
  all: readonly Viewer[] = viewers,
  compared = (_viewer: Viewer, _took: boolean) => true,
): Promise<string[]> {
  const problems: string[] = []
  for (const viewer of all) {
    const taken = await viewer.take(done)
    problems.push(...taken.problems)
    if (compared(viewer, taken.took)) problems.push(...(await viewer.compare(done)))
  }
  return problems
}

async function perform([title, act]: Action): Promise<void> {
  const reply = await act()
  assert.equal(reply?.result ?? 'success', 'success', `${title}: ${reply?.msg}`)
  await server.server.settled()
}

test('after each action, a registered state plus its events equals a newly registered state', async () => {
  const problems: string[] = []
  const actions = actionsOf(server)
  for (const [i, action] of actions.entries()) {
    await perform(action)
    const drawn = draw(viewers, 1 / 8, action[0])
    const isLast = i === actions.length - 1
    // An event may be missing where none waits, which takes long to look for.
    const compared = (viewer: Viewer, took: boolean) =>
      isLast || (drawn.includes(viewer) && (took || i % 12 === 0))
    problems.push(...(await compareAll(action[0], viewers, compared)))
  }
  assert.equal(problems.join('\n'), '')
})

test('the same holds after random actions with channels', async () => {
  const { act, count } = await randomActions(server, seed)
  const steps = isWhole ? 960 : 96
  for (let step = 1; step <= steps; step++) {
    await act()
    if (step % 48 > 0) continue
    const problems = await compareAll(`${step} random actions (TEST_SEED=${seed})`)
    assert.equal(problems.join('\n'), '')
  }
  assert.ok(count() > steps / 5, `${count()} of ${steps} actions did something`)
})

test('limited guests get events only about users whom they can see', async () => {
  const [owner, admin] = [server.as('owner'), server.as('admin')]
  const guest = await server.enroll('Limited Guest', 600)
  const limit = await owner.patch('/realm', { can_access_all_users_group: { new: 6 } })
  assert.equal(limit.result, 'success', limit.msg)
  await admin.post('/channels/create', { name: 'porch', subscribers: [server.ids.admin] })
  const placeholders = { ...modern, user_list_incomplete: false }
  const limited = [
    await openViewer('limited guest', guest, modern, seen),
    await openViewer('limited guest with placeholders', guest, placeholders, seen),
  ]
  const neighbour = await server.enroll('Neighbour')
  const settle = async (title: string) =>
    assert.equal((await compareAll(title, limited)).join('\n'), '')
  await settle('somebody joined whom they cannot know')
  const put = { subscriptions: [{ name: 'porch' }], principals: [guest.id, neighbour.id] }
  const subscribed = await admin.post('/users/me/subscriptions', put)
  assert.equal(subscribed.result, 'success', subscribed.msg)
  await settle('they came to share a channel')
  await neighbour.patch('/settings', { full_name: 'Good Neighbour' })
  await neighbour.post('/users/me/status', { status_text: 'At home' })
  await neighbour.post('/users/me/presence', { status: 'active' })
  await settle('the neighbour did things')
  await admin.del('/users/me/subscriptions', { subscriptions: ['porch'], principals: [guest.id] })
  await settle('they shared a channel no more')
  await neighbour.post('/messages', { type: 'direct', to: [guest.id], content: 'Hello.' })
  await settle('the neighbour wrote')
  const talk = { type: 'direct', to: [guest.id, server.ids.cordelia], content: 'Hello you two.' }
  await server.as('cordelia').post('/messages', talk)
  await settle('somebody wrote whom they did not know')
  await owner.del(`/users/${neighbour.id}`)
  await settle('the neighbour left')
  await owner.post(`/users/${neighbour.id}/reactivate`)
  await settle('the neighbour came back')
  await admin.post('/channels/create', { name: 'hall', subscribers: [guest.id, neighbour.id] })
  await settle('a channel was made for them')
  const { stream_id } = await admin.get('/get_stream_id', { stream: 'hall' })
  await admin.del(`/streams/${stream_id}`)
  await settle('that was archived')
})

// biome-ignore format: as the contract lists them
const contractTypes = [
  'alert_words', 'attachment', 'channel_folder', 'drafts', 'navigation_view', 'reaction', 'realm', 'realm_bot',
  'realm_domains', 'realm_emoji', 'realm_user', 'realm_user_settings_defaults', 'reminders', 'saved_snippets',
  'scheduled_messages', 'stream', 'subscription', 'typing', 'typing_edit_message', 'update_message_flags',
  'user_group', 'user_settings', 'update_display_settings', 'update_global_notifications', 'message', 'user_topic',
]

/** What time, other servers or the end of this one or of its organization cause has tests of its own. */
const elsewhere = ['heartbeat', 'restart', 'realm/deactivated', 'server_backups', 'has_zoom_token']

test('every type and op of event was emitted', () => {
  const types = new Set([...seen].map((name) => name.split('/')[0]))
  assert.deepEqual(
    contractTypes.filter((type) => !types.has(type)),
    [],
  )
  assert.deepEqual(
    Object.keys(reducers).filter((name) => !seen.has(name) && !elsewhere.includes(name)),
    [],
  )
})

test('every event type that the source declares has a reducer', () => {
  const source = new URL('../../../src/', import.meta.url).pathname
  const declared = new Set(['heartbeat'])
  for (const path of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('events.ts') || path.startsWith('features/integrations/incoming-webhooks'))
      continue
    const code = readFileSync(join(source, path), 'utf8')
    for (const [, type = ''] of code.matchAll(/\btype: '([a-z_]+)'/g)) declared.add(type)
  }
  const known = new Set(Object.keys(reducers).map((name) => name.split('/')[0]))
  const places = ['stream', 'private', 'direct', 'channel']
  const unknown = [...declared].filter((type) => !known.has(type) && !places.includes(type))
  assert.deepEqual(unknown, [])
})
