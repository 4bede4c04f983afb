import { mostNewChannels } from '#features/channels/subscriptions/adding.actions.ts'
import { type PermissionRule, permissionRules } from '#features/foundation/permissions/table.ts'
import { integrations } from '#features/integrations/webhook-services/list.ts'
import type { CallParams, TestServer } from '#test/support/server.ts'
import { type Crowd, times } from './crowd.ts'

/** By endpoint and parameter. */
export type FullValues = Readonly<Record<string, Readonly<Record<string, Fill>>>>

/** Parameters of a call; made for each, as what was done once has no effect again. */
type Fill = () => CallParams | Promise<CallParams>

/** Mentions, formulas, code and links: what rendering costs most. */
const markdown = '@**King Hamlet** $$x^2$$ `a` [b](https://example.com/c) '

/** @param length in UTF-16 code units */
const textOf = (length: number) =>
  markdown.repeat(Math.ceil(length / markdown.length)).slice(0, length)

/**
 * What fills parameters up to their limits, and is taken: lists that name as much as they may, and
 * texts that cost. By endpoint and parameter, with what else that needs.
 *
 * @param share how much of that: 1 is all that is taken
 */
export function fullValues(server: TestServer, crowd: Crowd, share: number): FullValues {
  const owner = server.as('owner')
  const of = (most: number) => Math.ceil(share * most)
  const people = crowd.people.slice(0, of(5000))
  const channels = crowd.channels.slice(0, of(1000))
  const messages = crowd.messages.slice(0, of(5000))
  const groups = crowd.groups.slice(0, of(1000))
  const unique = (word: string) => `${word}${crowd.next()}`
  const aPerson = () => people[crowd.next() % people.length]
  // The owner stays able to do what other calls need.
  const some = [server.ids.owner, ...people.slice(0, of(999))]
  const group = { direct_members: some, direct_subgroups: groups }
  /** As many as a request may name. */
  const named = channels.slice(0, of(750))
  const names = named.map(({ name }) => name)
  const asked = () => names.map((name) => ({ name }))
  const message = { content: () => ({ content: textOf(of(10_000)) }) }
  const idsOf = async (path: string, list: string, params: CallParams = {}) => {
    const reply = await owner.get<Record<string, { id: number }[]>>(path, params)
    return reply[list]?.map(({ id }) => id)
  }
  /** A new group with many members and subgroups. */
  const crowdedGroup = async () => {
    const wanted = { name: unique('crowded'), description: '', members: people, subgroups: groups }
    const { group_id } = await owner.post('/user_groups/create', wanted)
    return { user_group_id: group_id }
  }
  const subscribed = async () => {
    const person = aPerson()
    await owner.post('/users/me/subscriptions', { subscriptions: asked(), principals: [person] })
    return person
  }
  const term = { operator: 'dm', operand: some.slice(0, of(400)) }
  const terms = people
    .slice(0, of(100))
    .map((operand) => ({ operator: 'sender', operand, negated: true }))
  const fields = () => idsOf('/realm/profile_fields', 'custom_fields')
  const types = { event_types: times(of(200), () => 'message'), fetch_event_types: [] }
  const fetched = { event_types: ['message'], fetch_event_types: times(of(200), () => 'message') }
  const capabilities = Object.fromEntries(times(of(100), (i) => [`capability_${i}`, true]))
  const profile = {
    profile_data: async () => ({
      profile_data: (await fields())?.slice(-of(100)).map((id) => ({ id, value: unique('value') })),
    }),
  }
  const hooks = times(of(200), (i) => `event_${i}`.padEnd(200, '*'))
  const alternatives = {
    alternative_url_templates: times(of(50), (i) =>
      `https://example.com/${i}/{id}/`.padEnd(1000, 'x'),
    ),
  }
  const options = Object.fromEntries(
    times(of(1000), (i) => [`${i}`, { text: `Option ${i}`, order: `${i}` }]),
  )
  const poll = {
    widget_type: 'poll',
    extra_data: { question: 'Which?', options: times(of(1000), (i) => `Option ${i}`) },
  }
  /** Each permission of a scope, given to as many as there may be. */
  const permissions = (scope: keyof typeof permissionRules, asked: (value: object) => CallParams) =>
    Object.fromEntries(
      Object.entries<PermissionRule>(permissionRules[scope])
        .filter(([, { onlySystemGroups }]) => !onlySystemGroups)
        .map(([name]) => [name, () => asked({ [name]: group })]),
    )
  const changed = (value: object) => mapValues(value, (to) => ({ new: to }))
  const own = async () => {
    await owner.post('/users/me/subscriptions', { subscriptions: asked() })
    return names
  }
  return {
    'POST /messages': {
      ...message,
      to: () => ({ type: 'direct', to: people.slice(0, 20 + (crowd.next() % 20)) }),
      widget_content: () => ({ widget_content: poll }),
    },
    'PATCH /messages/:message_id': message,
    'POST /messages/render': message,
    'POST /scheduled_messages': {
      ...message,
      to: () => ({ type: 'direct', to: people.slice(0, of(20)) }),
    },
    'PATCH /scheduled_messages/:scheduled_message_id{[0-9]+}': {
      ...message,
      to: () => ({ type: 'direct', to: people.slice(0, of(20)) }),
    },
    'POST /messages/flags': {
      messages: async () => {
        const flag = { messages, flag: 'starred' }
        await owner.post('/messages/flags', { ...flag, op: 'remove' })
        return { ...flag, op: 'add' }
      },
    },
    'GET /messages': {
      num_before: () => ({ num_before: of(5000) }),
      message_ids: () => ({
        anchor: undefined,
        num_before: undefined,
        num_after: undefined,
        message_ids: messages,
      }),
      narrow: () => ({ narrow: terms }),
    },
    'POST /messages/flags/narrow': {
      num_before: () => ({ num_before: of(5000) }),
      narrow: () => ({ narrow: terms }),
    },
    'GET /messages/matches_narrow': {
      msg_ids: () => ({ msg_ids: messages }),
      narrow: () => ({ narrow: [term] }),
    },
    'POST /typing': { to: () => ({ to: people.slice(0, of(500)) }) },
    'POST /drafts': {
      drafts: () => ({
        drafts: times(of(100), () => ({
          ...{
            type: 'private',
            to: people.slice(0, of(500)),
            topic: '',
            content: textOf(of(1900)),
          },
        })),
      }),
    },
    'PATCH /drafts/:draft_id{[0-9]+}': {
      draft: () => ({
        draft: {
          type: 'private',
          to: people.slice(0, of(500)),
          topic: '',
          content: textOf(of(10_000)),
        },
      }),
    },
    'POST /register': {
      narrow: () => ({ narrow: [['dm', people.slice(0, of(400))]], fetch_event_types: [] }),
      event_types: () => types,
      fetch_event_types: () => fetched,
      client_capabilities: () => ({ client_capabilities: capabilities, fetch_event_types: [] }),
    },
    'GET /events': {
      narrow: () => ({ narrow: terms.slice(0, of(20)) }),
      event_types: () => types,
      fetch_event_types: () => fetched,
      client_capabilities: () => ({ client_capabilities: capabilities }),
    },
    'POST /channels/create': {
      ...permissions('stream', (value) => ({ name: unique('permitted'), ...value })),
      subscribers: () => ({ subscribers: people, name: unique('filled') }),
    },
    'PATCH /streams/:stream_id{[0-9]+}': permissions('stream', changed),
    'POST /users/me/subscriptions': {
      ...permissions('stream', (value) => ({ subscriptions: [{ name: unique('new') }], ...value })),
      subscriptions: () => ({ subscriptions: asked(), principals: [aPerson()] }),
      people_and_channels: () => ({
        subscriptions: asked().slice(0, 4),
        principals: times(of(100), aPerson),
      }),
      new_channels: () => ({
        subscriptions: times(of(mostNewChannels), () => ({ name: unique('new') })),
      }),
      principals: () => ({
        subscriptions: [{ name: names[crowd.next() % names.length] }],
        principals: people,
      }),
    },
    'DELETE /users/me/subscriptions': {
      people_and_channels: async () => {
        const some = { principals: people.slice(0, of(100)), subscriptions: names.slice(0, 4) }
        const add = some.subscriptions.map((name) => ({ name }))
        await owner.post('/users/me/subscriptions', { ...some, subscriptions: add })
        return some
      },
      subscriptions: async () => ({ principals: [await subscribed()], subscriptions: names }),
      principals: async () => {
        const subscriptions = [names[crowd.next() % names.length]]
        const add = subscriptions.map((name) => ({ name }))
        await owner.post('/users/me/subscriptions', { subscriptions: add, principals: people })
        return { subscriptions, principals: people }
      },
    },
    'PATCH /users/me/subscriptions': {
      add: async () => {
        await owner.del('/users/me/subscriptions', { subscriptions: await own() })
        return { add: asked() }
      },
      delete: async () => ({ delete: await own(), add: [] }),
    },
    'POST /users/me/subscriptions/properties': {
      subscription_data: async () => {
        await own()
        const change = { property: 'color', value: '#123456' }
        return { subscription_data: named.map(({ id }) => ({ stream_id: id, ...change })) }
      },
    },
    'PATCH /channel_folders': {
      order: async () => ({
        order: await idsOf('/channel_folders', 'channel_folders', { include_archived: true }),
      }),
    },
    'GET /users': { user_ids: () => ({ user_ids: some }) },
    'PATCH /users/me/profile_data': {
      data: async () => ({
        data: (await fields())?.slice(-of(100)).map((id) => ({ id, value: unique('value') })),
      }),
    },
    'DELETE /users/me/profile_data': {
      data: async () => ({ data: (await fields())?.slice(-of(100)) }),
    },
    'PATCH /users/:user_id{-?[0-9]+}': profile,
    'PATCH /users/:email': profile,
    'POST /invites': {
      stream_ids: () => ({ stream_ids: channels.map(({ id }) => id) }),
      group_ids: () => ({ group_ids: groups }),
    },
    'POST /invites/multiuse': {
      stream_ids: () => ({ stream_ids: channels.map(({ id }) => id) }),
      group_ids: () => ({ group_ids: groups }),
    },
    'POST /users/me/alert_words': {
      alert_words: () => ({ alert_words: times(of(1000), () => unique('word')) }),
    },
    'DELETE /users/me/alert_words': {
      alert_words: async () => {
        const alert_words = times(of(1000), () => unique('gone'))
        await owner.post('/users/me/alert_words', { alert_words })
        return { alert_words }
      },
    },
    'PUT /bot_storage': {
      storage: () => ({
        storage: Object.fromEntries(times(of(1000), () => [unique('k').padEnd(1000, 'k'), 'v'])),
      }),
    },
    'GET /bot_storage': { keys: async () => ({ keys: await stored() }) },
    'DELETE /bot_storage': { keys: async () => ({ keys: await stored() }) },
    'POST /user_groups/create': {
      members: () => ({ name: unique('full'), members: people }),
      subgroups: () => ({ name: unique('full'), subgroups: groups }),
      ...permissions('group', (value) => ({ name: unique('permitted'), ...value })),
    },
    'PATCH /user_groups/:user_group_id': permissions('group', changed),
    'POST /user_groups/:user_group_id/members': {
      add: () => ({ add: people }),
      delete: async () => ({ ...(await crowdedGroup()), add: [], delete: people }),
      add_subgroups: () => ({ add_subgroups: groups }),
      delete_subgroups: async () => ({
        ...(await crowdedGroup()),
        add: [],
        delete_subgroups: groups,
      }),
    },
    'POST /user_groups/:user_group_id/subgroups': {
      add: () => ({ add: groups }),
      delete: async () => ({ ...(await crowdedGroup()), add: [], delete: groups }),
    },
    'PATCH /realm': permissions('realm', changed),
    'POST /realm/profile_fields': {
      field_data: () => ({ name: unique('list'), field_type: 3, field_data: options }),
    },
    'PATCH /realm/profile_fields/:field_id': {
      field_data: async () => {
        const made = {
          name: unique('list'),
          field_type: 3,
          field_data: { a: { text: 'A', order: '1' } },
        }
        const { id } = await owner.post('/realm/profile_fields', made)
        return { field_id: id, field_data: options }
      },
    },
    'PATCH /realm/profile_fields': { order: async () => ({ order: await fields() }) },
    'POST /realm/filters': { alternative_url_templates: () => alternatives },
    'PATCH /realm/filters/:filter_id{[0-9]+}': { alternative_url_templates: () => alternatives },
    ...Object.fromEntries(
      integrations.flatMap(({ name, sendsGet }) => {
        const lists = {
          only_events: () => ({ only_events: hooks }),
          exclude_events: () => ({ exclude_events: hooks }),
        }
        const post = [`POST /external/${name}`, lists] as const
        return sendsGet ? [post, [`GET /external/${name}`, lists] as const] : [post]
      }),
    ),
    'PATCH /realm/linkifiers': {
      ordered_linkifier_ids: async () => ({
        ordered_linkifier_ids: await idsOf('/realm/linkifiers', 'linkifiers'),
      }),
    },
  }

  async function stored(): Promise<string[]> {
    const keys = times(of(1000), () => unique('stored').padEnd(1000, 's'))
    const bot = server.as('bot')
    await bot.put('/bot_storage', { storage: Object.fromEntries(keys.map((key) => [key, 'v'])) })
    return keys
  }
}

function mapValues(from: object, fn: (value: unknown) => unknown): CallParams {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, fn(value)]))
}
