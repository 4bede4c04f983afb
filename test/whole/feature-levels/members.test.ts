import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { extendedErrorMembers } from '#platform/http/extended-errors.ts'
import { apiDocument } from '#platform/openapi/document.ts'
import { featureLevel } from '#platform/version.ts'
import { listEndpoints } from '#program/features.ts'
import { fillUp } from '#test/support/filled.ts'
import { success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'
import { type DescribedMember, listed, type MemberLevel, membersOf } from './members.ts'
import { eventMembers } from './members-of-events.ts'
import { replyMembers } from './members-of-replies.ts'
import { shapeMembers } from './members-of-shapes.ts'

/*
 * Clients that decode strictly break on members that the announced feature level lacks, so each is
 * sent to those alone who ask for it. Others need what only a later level takes away.
 */

const document = apiDocument(listEndpoints())
const lives = new Map(listed({ ...shapeMembers, ...eventMembers, ...replyMembers }))
const levels = new Map<string, MemberLevel>()
for (const [name, { added, removed }] of lives) if (removed > featureLevel) levels.set(name, added)
const members = new Map<string, DescribedMember>()
for (const [name, schema] of Object.entries(document.components.schemas)) {
  for (const member of membersOf(schema, name)) members.set(member.name, member)
}
const webhook = 'POST /external/{integration}'
const ofEveryReply = / (result|msg|ignored_parameters_unsupported)$/
for (const [path, operations] of Object.entries(document.paths)) {
  for (const [method, { responses }] of Object.entries(operations)) {
    const replies = Object.entries(responses).filter(([status]) => status.startsWith('2'))
    // All services that post to the server get the same replies.
    const place = `${method.toUpperCase()} ${path}`.replace(/.* \/external\/.*/, webhook)
    for (const member of membersOf(replies, place)) {
      if (!ofEveryReply.test(member.name)) members.set(member.name, member)
    }
  }
}

/** What errors say to clients that ask for it with each request; success may have it nowhere. */
const inErrors = new RegExp(`^POST /external/.* (${Object.keys(extendedErrorMembers).join('|')})$`)

const isLater = (level: MemberLevel) => level === 'own' || level > featureLevel

/** What only the endpoints and events that are later themselves show, or those who ask otherwise. */
const askedOtherwise: Readonly<Record<string, string>> = {
  'POST /register idle_queue_timeout_secs': 'the parameter `idle_queue_timeout`',
  'GET /users/{user_id}/channels subscribed_channel_ids': 'an endpoint of that level',
  'GET /bots/{bot_id}/api_key api_key': 'an endpoint of that level',
  'POST /calls/constructorgroups/create url': 'an endpoint of that level',
  'POST /calls/nextcloud_talk/create url': 'an endpoint of that level',
  'GET /thumbnail/status/{realm_id}/{filename} has_thumbnail': 'an endpoint of that level',
}
const eventsAskedFor =
  /^CustomEmoji(Add|UpdateOne)Event|^(ServerBackups|QuietTimes|PinAdd|PinRemove)Event/
const ownEndpoints =
  /^[A-Z]+ \/(bots\/\{bot_id\}\/deliveries|pinned_messages|export\/history|gifs|integrations|server|web_push|settings\/declarations|users\/me\/(assistants|quiet_times|two_factor|sessions|channel_email_addresses)|realm\/(assistants|linkifiers\/preview))/
const ownShapes =
  /^(ChannelEmailAddress|ConnectedAssistant|Gif|HealthResult|HistoryExport(\.\w+)?|Integration(\.\w+)?|LinkedText|NewerRelease|PinnedMessage|QrCode|Quiet(Schedule|Times)|RegularBackups|ServerBackup|Session|SettingDeclaration|StorageUse|WebhookDelivery|WebPushSubscription) /

test('every member of the API description has a level', () => {
  const missing = [...members.keys()].filter((name) => !levels.has(name))
  const gone = [...levels.keys()].filter((name) => !members.has(name))
  assert.deepEqual({ missing, gone }, { missing: [], gone: [] })
})

/** The members of an object that a level above the announced one takes away. */
const takenLater = (object: string) =>
  [...lives].flatMap(([name, { removed }]) => {
    const isLater = removed > featureLevel && removed < Number.POSITIVE_INFINITY
    return isLater && name.startsWith(`${object} `) ? [name.slice(object.length + 1)] : []
  })

/** In partial objects, and in parts of the state that not everyone fetches. */
const sentAtTimes =
  /^(BotChanges|RealmChanges|POST \/register|DisplaySettingsEvent language_name|PushDeviceEvent error_code)/

test('what only a later level takes away is described as always there', () => {
  const taken = [...lives].filter(
    ([, { removed }]) => removed > featureLevel && removed < Number.POSITIVE_INFINITY,
  )
  assert.ok(taken.length > 0)
  const optional = taken.filter(
    ([name]) => !sentAtTimes.test(name) && !members.get(name)?.isRequired,
  )
  assert.deepEqual(optional, [])
})

test('what the announced level lacks is described as sent on request', () => {
  const unasked = [...members.values()].filter(({ name, isRequired, description }) => {
    if (!isLater(levels.get(name) ?? featureLevel)) return false
    if ([eventsAskedFor, ownEndpoints, ownShapes].some((known) => known.test(name))) return false
    if (name in askedOtherwise || inErrors.test(name)) return false
    return isRequired || !description.includes('`extended_members`')
  })
  assert.deepEqual(
    unasked.map(({ name }) => name),
    [],
  )
})

/** What marks an answer as later: names that no object up to the announced level has. */
const usual = new Set(
  [...levels].filter(([, level]) => !isLater(level)).map(([name]) => name.replace(/.* /, '')),
)
const later = new Set(
  [...levels]
    .filter(([name, level]) => isLater(level) && !inErrors.test(name))
    .filter(([name]) => !ownEndpoints.test(name) && !ownShapes.test(name))
    .map(([name]) => name.replace(/.* /, ''))
    .filter((name) => !usual.has(name))
    .concat('is_imported_stub'),
)

/** The later names among all members, and values of `property`, in an answer. */
function laterIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(laterIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [
    ...(later.has(name) ? [name] : []),
    ...(name === 'property' && later.has(String(member)) ? [String(member)] : []),
    ...laterIn(member),
  ])
}
const namesIn = (value: unknown) => [...new Set(laterIn(value))].sort()

describe('in what the server sends', async () => {
  const server = await startServer({ channelNotices: true })
  after(server.close)
  await fillUp(server)
  const owner = server.as('owner')
  const usualCapabilities = {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    empty_topic_name: true,
  }
  const watch = (actor: Actor, capabilities: object) =>
    server.as(actor).watchWith({ client_capabilities: capabilities })

  /** Changes that show each later member or property in an event. */
  async function change(): Promise<void> {
    const done = async (reply: Promise<{ result: string; msg: string }>) => {
      const { result, msg } = await reply
      assert.equal(result, success.result, msg)
    }
    await done(owner.post('/channels/create', { name: 'later', subscribers: [8, 9, 10, 11] }))
    const { stream_id: id } = await owner.get<{ stream_id: number }>('/get_stream_id', {
      stream: 'later',
    })
    await done(owner.patch(`/streams/${id}`, { default_push_notifications: true }))
    await done(owner.patch(`/streams/${id}`, { can_create_topic_group: { new: 4 } }))
    await done(owner.del(`/streams/${id}`))
    await done(owner.patch(`/streams/${id}`, { is_archived: false }))
    await done(
      owner.post('/realm/filters', {
        pattern: 'z(?P<id>[0-9]+)',
        url_template: 'https://z.org/{id}',
      }),
    )
    const settings = {
      send_channel_events_messages: false,
      message_content_allowed_in_push_notifications: false,
      two_factor_required: true,
      can_connect_assistants_group: { new: 4 },
      digest_weekday: 3,
    }
    await done(owner.patch('/realm', settings))
    await done(owner.patch('/realm', { two_factor_required: false }))
    const person = {
      email: 'later@zulip.com',
      full_name: 'Late Comer',
      password: 'a long pass phrase',
    }
    await done(owner.post('/users', person))
    const said = await server.say('owner', ['owner'], '', 'Do not forget')
    await done(owner.post(`/messages/${said}/pin`))
    const end = { scheduled_end_time: 2 ** 34 }
    await done(owner.post('/users/me/status', { status_text: 'Out', ...end }))
    await done(owner.patch('/users/me/quiet_times', { paused_until: 2 ** 34 }))
  }

  test('clients of the announced level find nothing later, and others find all', async () => {
    const plain = await watch('owner', usualCapabilities)
    const archiving = await watch('owner', { ...usualCapabilities, archived_channels: true })
    const bare = await watch('owner', {})
    const extended = await watch('owner', { ...usualCapabilities, extended_members: true })
    const states = [plain.state, archiving.state, bare.state].map(namesIn)
    assert.deepEqual(states, [[], [], []])
    await change()
    for (const queue of [plain, archiving, bare]) {
      assert.deepEqual(namesIn(await queue.drain()), [])
    }
    const shown = namesIn([extended.state, await extended.drain()])
    const elsewhere = new Set([
      'emoji_id',
      'has_thumbnail',
      'is_imported_stub',
      'subscribed_channel_ids',
    ])
    assert.deepEqual(shown, [...later].filter((name) => !elsewhere.has(name)).sort())
  })

  test('lists are the same for those who do not ask, with or without an account', async () => {
    const paths = ['/streams', '/streams/3', '/users/me/subscriptions', '/realm/linkifiers']
    for (const path of [...paths, '/users', '/users/me', '/users/10', '/server_settings']) {
      assert.deepEqual(namesIn(await owner.get(path)), [], path)
    }
    for (const path of paths) {
      assert.notDeepEqual(namesIn(await owner.get(path, { extended_members: true })), [], path)
    }
    const consents = await owner.get<{ export_consents: object[] }>('/export/realm/consents')
    assert.deepEqual(Object.keys(consents.export_consents[0] ?? {}), ['user_id', 'consented'])
  })

  test('what only a later level takes away is sent to who declares nothing', async () => {
    const queue = await watch('owner', {})
    const wanted = takenLater('POST /register')
    assert.deepEqual(
      wanted.filter((name) => !(name in queue.state)),
      [],
    )
    const said = await server.say('owner', ['owner'], '', 'Well done')
    await owner.post(`/messages/${said}/reactions`, { emoji_name: 'octopus' })
    await owner.del(`/messages/${said}/reactions`, { emoji_name: 'octopus' })
    await owner.post('/bots', { full_name: 'Old Hand', short_name: 'old-hand' })
    await owner.patch('/settings', { high_contrast_mode: true, enable_sounds: false })
    const events = await queue.drain()
    const rows: [type: string, op: string | undefined, object: string, member?: string][] = [
      ['reaction', 'add', 'ReactionEvent'],
      ['reaction', 'remove', 'ReactionEvent'],
      ['reaction', 'add', 'Reactor', 'user'],
      ['realm_bot', 'add', 'Bot', 'bot'],
      ['update_display_settings', undefined, 'DisplaySettingsEvent'],
      ['update_global_notifications', undefined, 'GlobalNotificationsEvent'],
    ]
    for (const [type, op, object, member] of rows) {
      const event = events.find((one) => one.type === type && one.op === op)
      const shown = { id: 0, ...((member ? event?.[member] : event) as object) }
      const missing = takenLater(object).filter(
        (name) => name !== 'language_name' && !(name in shown),
      )
      assert.deepEqual([missing, takenLater(object).length > 0], [[], true], object)
    }
  })

  test('a timeout of the queue is told to those who choose one', async () => {
    const { state } = await owner.watchWith({ idle_queue_timeout: 600 })
    assert.deepEqual(namesIn(state), ['idle_queue_timeout_secs'])
  })
})
