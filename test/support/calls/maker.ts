import { Secret, TOTP } from 'otpauth'
import { newSecret } from '#features/access/two-factor/codes.ts'
import { deleteSecondFactor, replaceSecondFactor } from '#features/access/two-factor/queries.ts'
import {
  channelAddressId,
  findChannelAddressOf,
  insertChannelAddress,
} from '#features/notifications/mail-gateway/addresses.queries.ts'
import { secretHash } from '#platform/secret-hash.ts'
import type { Actor, CallParams, Client, TestServer } from '#test/support/server.ts'
import { pixel, type SampleCall } from './sample-call.ts'

export type Maker = ReturnType<typeof maker>

/** Makes what calls need. */
export function maker(server: TestServer) {
  const owner = server.as('owner')
  let made = 0
  async function id(member: string, reply: Promise<object>): Promise<number> {
    return ((await reply) as Record<string, number>)[member] ?? -1
  }
  const make = (member: string, path: string, params: CallParams, client: Client = owner) =>
    id(member, client.post(path, params))
  const unique = (word: string) => `${word} ${++made}`
  const later = () => Math.floor(server.clock.now() / 1000) + 9000
  const toChannel = { type: 'channel', to: 3, topic: 'plans' }
  return {
    server,
    owner,
    unique,
    later,
    message: () => make('id', '/messages', { ...toChannel, content: unique('text') }),
    poll: () => make('id', '/messages', { ...toChannel, content: '/poll Which?\nThis\nThat' }),
    channel: () => make('id', '/channels/create', { name: unique('channel'), subscribers: [9] }),
    draft: async () => {
      const draft = { type: '', to: [], topic: '', content: unique('draft') }
      const { ids } = await owner.post<{ ids: number[] }>('/drafts', { drafts: [draft] })
      return ids[0] ?? -1
    },
    snippet: () => make('saved_snippet_id', '/saved_snippets', { title: 'a', content: 'b' }),
    scheduled: () =>
      make('scheduled_message_id', '/scheduled_messages', {
        ...toChannel,
        content: unique('later'),
        scheduled_delivery_timestamp: later(),
      }),
    reminder: async (message_id: number) =>
      make('reminder_id', '/reminders', { message_id, scheduled_delivery_timestamp: later() }),
    /** Gives someone a second factor, or one to confirm. @returns the code that the app shows */
    secondFactor: async (actor: Actor, isOn: boolean) => {
      const secret = newSecret()
      const { id: userId, apiKey } = server.as(actor)
      const begunBy = secretHash(apiKey)
      await server.server.context.store.write((tx) =>
        replaceSecondFactor(tx, { userId, secret, isOn, lastStep: isOn ? 1 : 0, begunBy }),
      )
      const totp = new TOTP({ secret: Secret.fromBase32(secret) })
      return totp.generate({ timestamp: server.clock.now() })
    },
    /** An email address of a channel that the owner asked for. @returns what names it */
    channelEmailAddress: async () => {
      const { store } = server.server.context
      const address = { channelId: 3, creatorId: owner.id, senderId: owner.id }
      const made = await store.write(
        (tx) => findChannelAddressOf(tx, address) ?? insertChannelAddress(tx, address),
      )
      return channelAddressId(made)
    },
    noSecondFactor: (actor: Actor) =>
      server.server.context.store.write((tx) => deleteSecondFactor(tx, server.ids[actor])),
    folder: () =>
      make('channel_folder_id', '/channel_folders/create', {
        name: unique('folder'),
        description: '',
      }),
    view: async () => {
      const fragment = `narrow/search/${++made}`
      await owner.post('/navigation_views', { fragment, is_pinned: true, name: unique('view') })
      return fragment
    },
    bot: () =>
      make('user_id', '/bots', { full_name: unique('Bot'), short_name: `robot-${++made}` }),
    person: () => server.enroll(unique('Person')),
    group: () =>
      make('group_id', '/user_groups/create', {
        name: unique('group'),
        description: '',
        members: [9],
      }),
    field: () => make('id', '/realm/profile_fields', { name: unique('field'), field_type: 1 }),
    linkifier: () =>
      make('id', '/realm/filters', {
        pattern: `X${++made}-(?P<id>[0-9]+)`,
        url_template: 'https://example.com/{id}',
      }),
    playground: () =>
      make('id', '/realm/playgrounds', {
        name: unique('playground'),
        pygments_language: 'Python',
        url_template: 'https://example.com/{code}',
      }),
    domain: async () => {
      const domain = `d${++made}.example.com`
      await owner.post('/realm/domains', { domain, allow_subdomains: false })
      return domain
    },
    inviteLink: async () => {
      await owner.post('/invites/multiuse', {})
      const { invites } = await owner.get<{ invites: { id: number; is_multiuse: boolean }[] }>(
        '/invites',
      )
      return invites.findLast(({ is_multiuse }) => is_multiuse)?.id ?? -1
    },
    invite: async () => {
      const invitee_emails = `i${++made}@example.org`
      await owner.post('/invites', { invitee_emails, stream_ids: [] })
      const { invites } = await owner.get<{ invites: { id: number; email?: string }[] }>('/invites')
      return invites.find(({ email }) => email === invitee_emails)?.id ?? -1
    },
    /** Where a new file is, and its id. */
    file: async () => {
      const body = new FormData()
      body.set('file', new File([pixel], `${++made}.png`, { type: 'image/png' }))
      const authorization = `Basic ${Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64')}`
      const request = new Request(`${server.url}/api/v1/user_uploads`, {
        method: 'POST',
        headers: { authorization },
        body,
      })
      const { url } = (await (await server.server.fetch(request)).json()) as { url: string }
      const [, , realm_id = '', ...rest] = url.split('/')
      const { attachments } = await owner.get<{ attachments: { id: number; path_id: string }[] }>(
        '/attachments',
      )
      const filename = rest.join('/')
      const found = attachments.find(({ path_id }) => path_id.endsWith(filename))
      return { params: { realm_id: Number(realm_id), filename }, id: found?.id ?? -1 }
    },
    export: () => make('id', '/export/realm', {}),
    queue: async () => (await owner.watch('message')).queueId,
    async queueWithEvent() {
      const { queueId } = await owner.watch('message')
      await server.say('owner', 'public')
      return queueId
    },
  }
}

type Rest = Omit<SampleCall, 'params'>

/** A call about a new message. */
export function withMessage(make: Maker, params: CallParams = {}, rest: Rest = {}) {
  return async (): Promise<SampleCall> => ({
    params: { message_id: await make.message(), ...params },
    ...rest,
  })
}

/** A call about a new channel. */
export function withChannel(make: Maker, params: CallParams = {}, rest: Rest = {}) {
  return async (): Promise<SampleCall> => ({
    params: { stream_id: await make.channel(), ...params },
    ...rest,
  })
}
