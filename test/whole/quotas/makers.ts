import assert from 'node:assert/strict'
import { createECDH, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { awaitCards } from '#features/files/link-previews/actions.ts'
import { findDirectRecipient } from '#features/foundation/recipients/queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import {
  deleteConnection,
  listConnections,
} from '#features/integrations/assistants/authorization/queries.ts'
import { registerClient } from '#features/integrations/assistants/authorization/registration.actions.ts'
import { requireConnectionRoom } from '#features/integrations/assistants/authorization/rules.ts'
import { callRate } from '#features/integrations/calls/quotas.ts'
import { gifRate } from '#features/integrations/gifs/quotas.ts'
import { insertReplyAddress } from '#features/notifications/mail-gateway/addresses.queries.ts'
import { parseMailAddress } from '#features/notifications/mail-gateway/addresses.ts'
import { receiveMail } from '#features/notifications/mail-gateway/receiving.actions.ts'
import { forgetPhones as forgetPhonesOf } from '#features/notifications/phone-push/actions.ts'
import { ApiError } from '#platform/errors.ts'
import type { Account, Quota } from '#platform/quotas/quota.ts'
import { spend } from '#platform/quotas/room.ts'
import { channelMailAddresses } from '#platform/store/schema.ts'
import type { Tx } from '#platform/store/store.ts'
import { addProvider, removeProvider } from '#program/control/identity-providers.ts'
import { registerProgram } from '#test/support/assistants.ts'
import { sendPicture } from '#test/support/files.ts'
import { pngPicture } from '#test/support/pictures.ts'
import type { Actor, Client, Reply, TestServer } from '#test/support/server.ts'

/** How a test reaches a limit. */
export interface Maker {
  readonly actor: Actor
  /** What the limit asks about; default: the actor's account. */
  readonly subject?: unknown
  /** Adds one more of what is limited, each different from the others. */
  make(n: number): Promise<Reply>
  /** Removes one. Undefined: time has to pass. */
  remove?(made: Reply): Promise<Reply>
  /** The code of the error, if it is not that of all limits of the kind. */
  readonly code?: string
  /** The message, likewise. */
  readonly message?: string
  /** Whether what is beyond the limit is left out without an error. */
  readonly isSilent?: boolean
}

interface Invite {
  readonly id: number
  readonly is_multiuse: boolean
}

/** How to reach each limit, by its name. */
export async function quotaMakers(server: TestServer): Promise<Record<string, Maker>> {
  const member = server.as('member')
  const owner = server.as('owner')
  const bot = server.as('bot')
  const { ids } = server
  const message = await server.say('owner', 'public')
  const pinned: number[] = []
  for (let n = 0; n <= 4; n++)
    pinned.push(await server.say('member', ['member', 'zoe'], '', `Pin ${n}`))
  const pinPlace = findDirectRecipient(server.server.context.store, [ids.member, ids.zoe])?.id
  const emoji = Object.entries({ octopus: '1f419', heart: '2764', fire: '1f525', eyes: '1f440' })
  const later = Math.floor(server.clock.now() / 1000) + 5 * 24 * 3600

  const newBot = (n: number) => member.post('/bots', { full_name: `B${n}`, short_name: `b${n}` })
  const newGroup = (n: number) =>
    member.post('/user_groups/create', { name: `group ${n}`, description: '', members: [] })
  const newEmoji = (actor: Actor) => async (n: number) =>
    (await sendPicture(server, actor, `/realm/emoji/own${n}`, [pngPicture()])) as Reply
  const newExport = async () => {
    const reply = await owner.post('/export/realm')
    await server.settled()
    return reply
  }
  const newFolder = (n: number) =>
    owner.post('/channel_folders/create', { name: `folder ${n}`, description: '' })
  const phone = (n: number) => ({
    token_kind: 'fcm',
    push_account_id: n,
    push_public_key: Buffer.alloc(32, 7).toString('base64'),
    bouncer_public_key: 'key',
    encrypted_push_registration: 'AAAA',
  })
  const browserDevice = (n: number) => ({
    endpoint: `https://10.0.0.1/${n}`,
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: Buffer.alloc(16).toString('base64url'),
  })
  const notify = async () => {
    const reply = await owner.del(`/users/${ids.zoe}`, { deactivation_notification_comment: 'Hi' })
    if (reply.result === 'success') await owner.post(`/users/${ids.zoe}/reactivate`)
    return reply
  }

  const { context } = server.server
  const mail = async (to: string) => {
    const address = parseMailAddress('%s@mail.example.com', to) ?? assert.fail()
    const source = `From: a@example.com\r\nSubject: mail\r\nMessage-ID: <${randomUUID()}>\r\n\r\nHello\r\n`
    const arrived = { source: Buffer.from(source), isReport: false, recipients: [address] }
    return await asReply(server, async () => {
      const [delivery] = await receiveMail(context, arrived)
      if (delivery?.problem) throw delivery.problem
    })
  }
  const mailToChannel = async () => {
    const { email } = await owner.get<{ email: string }>('/streams/3/email_address')
    return await mail(email)
  }

  return {
    drafts: {
      actor: 'member',
      make: () =>
        member.post('/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'x' }] }),
      remove: ({ ids: made }) => member.del(`/drafts/${(made as number[])[0]}`),
    },
    saved_snippets: {
      actor: 'member',
      make: () => member.post('/saved_snippets', { title: 'Thanks', content: 'Thank you!' }),
      remove: ({ saved_snippet_id: id }) => member.del(`/saved_snippets/${id}`),
    },
    scheduled_messages: {
      actor: 'member',
      make: () =>
        member.post('/scheduled_messages', {
          type: 'direct',
          to: [ids.member],
          content: 'x',
          scheduled_delivery_timestamp: later,
        }),
      remove: ({ scheduled_message_id: id }) => member.del(`/scheduled_messages/${id}`),
    },
    reminders: {
      actor: 'member',
      make: () =>
        member.post('/reminders', { message_id: message, scheduled_delivery_timestamp: later }),
      remove: ({ reminder_id: id }) => member.del(`/reminders/${id}`),
    },
    alert_words: {
      actor: 'member',
      make: (n) => member.post('/users/me/alert_words', { alert_words: [`word ${n}`] }),
      remove: () => member.del('/users/me/alert_words', { alert_words: ['word 1'] }),
    },
    user_topics: {
      actor: 'member',
      make: (n) => policy(member, `topic ${n}`, 1),
      remove: () => policy(member, 'topic 1', 0),
    },
    navigation_views: {
      actor: 'member',
      make: (n) =>
        member.post('/navigation_views', { fragment: `f${n}`, is_pinned: true, name: `n${n}` }),
      remove: () => member.del('/navigation_views/f1'),
    },
    push_devices: {
      actor: 'member',
      make: (n) => member.post('/mobile_push/register', phone(n)),
      remove: () => forgetPhones(server),
    },
    web_push_subscriptions: {
      actor: 'member',
      make: (n) => member.post('/web_push/subscriptions', browserDevice(n)),
      remove: ({ id }) => member.del(`/web_push/subscriptions/${id}`),
    },
    web_push_tests_per_hour: {
      actor: 'zoe',
      make: async () => {
        const device = browserDevice(1000)
        const { id } = await server.as('zoe').post('/web_push/subscriptions', device)
        const reply = await server.as('zoe').post(`/web_push/subscriptions/${id}/test`)
        // No address of the device is one that the server connects to.
        return reply.code === 'BAD_REQUEST' ? { ...reply, result: 'success' } : reply
      },
    },
    push_tokens: {
      actor: 'member',
      make: (n) => member.post('/users/me/android_gcm_reg_id', { token: `t${n}` }),
      remove: () => member.del('/users/me/android_gcm_reg_id', { token: 't1' }),
    },
    bots: {
      actor: 'member',
      make: newBot,
      remove: ({ user_id: id }) => member.del(`/bots/${id}`),
    },
    bots_per_hour: { actor: 'member', make: (n) => newBot(100 + n) },
    bot_storage_characters: {
      actor: 'bot',
      make: (n) => bot.put('/bot_storage', { storage: { [String(n)]: '' } }),
      remove: () => bot.del('/bot_storage', { keys: ['1'] }),
    },
    bot_storage_keys: {
      actor: 'bot',
      make: (n) => bot.put('/bot_storage', { storage: { [`key ${n}`]: 'value' } }),
      remove: () => bot.del('/bot_storage', { keys: ['key 1'] }),
    },
    custom_emoji: {
      actor: 'owner',
      subject: 'all',
      make: newEmoji('owner'),
      remove: () => owner.del('/realm/emoji/own1'),
    },
    custom_emoji_per_hour: { actor: 'member', make: (n) => newEmoji('member')(100 + n) },
    invitations: {
      actor: 'owner',
      make: () => owner.post('/invites/multiuse'),
      async remove() {
        const { invites } = await owner.get<{ invites: Invite[] }>('/invites')
        const link = invites.find(({ is_multiuse }) => is_multiuse)
        return await owner.del(`/invites/multiuse/${link?.id}`)
      },
    },
    invitations_per_day: {
      actor: 'owner',
      subject: 'all',
      make: (n) => owner.post('/invites', { invitee_emails: `d${n}@example.com`, stream_ids: [] }),
      code: 'INVITATION_FAILED',
      message: 'Too many invitations were sent today.',
    },
    user_groups: {
      actor: 'member',
      make: newGroup,
      remove: ({ group_id: id }) => member.post(`/user_groups/${id}/deactivate`),
    },
    user_groups_per_hour: { actor: 'member', make: (n) => newGroup(100 + n) },
    channels_per_hour: {
      actor: 'member',
      make: (n) => member.post('/channels/create', { name: `channel ${n}`, subscribers: [] }),
    },
    channel_folders: {
      actor: 'owner',
      subject: 'all',
      make: newFolder,
      remove: ({ channel_folder_id: id }) =>
        owner.patch(`/channel_folders/${id}`, { is_archived: true }),
    },
    linkifiers: {
      actor: 'owner',
      subject: 'all',
      make: (n) =>
        owner.post('/realm/filters', {
          pattern: `x${n}-(?P<id>[0-9]+)`,
          url_template: 'https://example.com/{id}',
        }),
      remove: ({ id }) => owner.del(`/realm/filters/${id}`),
    },
    code_playgrounds: {
      actor: 'owner',
      subject: 'all',
      make: (n) =>
        owner.post('/realm/playgrounds', {
          name: `p${n}`,
          pygments_language: 'Python',
          url_template: 'https://example.com/{code}',
        }),
      remove: ({ id }) => owner.del(`/realm/playgrounds/${id}`),
    },
    profile_fields: {
      actor: 'owner',
      subject: 'all',
      make: (n) => owner.post('/realm/profile_fields', { field_type: 1, name: `field ${n}` }),
      remove: ({ id }) => owner.del(`/realm/profile_fields/${id}`),
    },
    allowed_domains: {
      actor: 'owner',
      subject: 'all',
      make: (n) =>
        owner.post('/realm/domains', { domain: `d${n}.example.com`, allow_subdomains: false }),
      remove: () => owner.del('/realm/domains/d1.example.com'),
    },
    data_exports: {
      actor: 'owner',
      subject: 'all',
      make: newExport,
      remove: ({ id }) => owner.del(`/export/realm/${id}`),
    },
    data_exports_per_day: { actor: 'owner', subject: 'all', make: newExport },
    link_previews_per_hour: {
      actor: 'member',
      isSilent: true,
      make: (n) =>
        asReply(server, () =>
          context.store.write((tx) => {
            const author = findUser(tx, ids.member) ?? assert.fail()
            awaitCards(tx, author, message, [`https://10.0.0.1/page${n}`])
          }),
        ),
    },
    gif_searches_per_hour: {
      actor: 'member',
      make: () =>
        asReply(server, () =>
          context.store.write((tx) =>
            spend(tx, gifRate, findUser(tx, ids.member) ?? assert.fail()),
          ),
        ),
    },
    calls_per_hour: {
      actor: 'member',
      make: () =>
        asReply(server, () =>
          context.store.write((tx) =>
            spend(tx, callRate, findUser(tx, ids.member) ?? assert.fail()),
          ),
        ),
    },
    assistants: {
      actor: 'member',
      make: (n) =>
        asReply(server, async () => {
          const program = await registerProgram(server, `Assistant ${n}`)
          requireConnectionRoom(context.store, { id: ids.member }, program.id)
          await program.connect('member')
        }),
      remove: () =>
        asReply(server, () =>
          context.store.write((tx) => {
            const [newest] = listConnections(tx, ids.member)
            deleteConnection(tx, newest ?? assert.fail())
          }),
        ),
    },
    assistant_registrations_per_hour: {
      actor: 'member',
      subject: 'a network',
      make: (n) => {
        const program = { client_name: `Program ${n}`, redirect_uris: ['https://example.com/'] }
        return asReply(server, () =>
          context.store.write((tx) => registerClient(tx, program, 'a network')),
        )
      },
    },
    mails_per_hour: {
      actor: 'member',
      make: (n) => member.patch('/settings', { email: `new${n}@example.com` }),
    },
    mails_per_hour_to_address: {
      actor: 'member',
      subject: 'stranger@example.com',
      make: () => member.patch('/settings', { email: 'stranger@example.com' }),
    },
    notices_per_hour_to_address: {
      actor: 'owner',
      subject: server.as('zoe').email,
      make: notify,
    },
    accounts_per_hour: {
      actor: 'owner',
      make: (n) =>
        owner.post('/users', {
          email: `person${n}@example.com`,
          full_name: `Person ${n}`,
          password: 'correct horse battery',
        }),
    },
    identity_providers: {
      actor: 'owner',
      subject: 'all',
      make: (n) =>
        asReply(server, () =>
          addProvider(context, {
            ...{ id: `p${n}`, name: `Provider ${n}`, issuer: 'https://example.com' },
            ...{ client_id: 'parley', client_secret: 'secret' },
          }),
        ),
      remove: () => asReply(server, () => removeProvider(context, 'p1')),
    },
    channel_mails_per_minute: { actor: 'owner', subject: 'all', make: mailToChannel },
    channel_mails_per_five_minutes: { actor: 'owner', subject: 'all', make: mailToChannel },
    channel_mails_per_hour: { actor: 'owner', subject: 'all', make: mailToChannel },
    mail_replies_per_hour: {
      actor: 'member',
      async make() {
        const write = (tx: Tx) => insertReplyAddress(tx, ids.member, message)
        const token = await context.store.write(write)
        return await mail(`mm${token}@mail.example.com`)
      },
    },
    channel_mail_addresses: {
      actor: 'member',
      make: (n) => member.get(`/streams/${n + 2}/email_address`),
      remove: () =>
        asReply(server, () =>
          context.store.write((tx) =>
            tx.db
              .delete(channelMailAddresses)
              .where(eq(channelMailAddresses.creatorId, ids.member))
              .run(),
          ),
        ),
    },
    pinned_messages_per_conversation: {
      actor: 'member',
      subject: { recipientId: pinPlace },
      make: async (n) => {
        const id = pinned[n]
        const reply = await member.post(`/messages/${id}/pin`)
        return { ...reply, id }
      },
      remove: (made) => member.del(`/messages/${(made as unknown as { id: number }).id}/pin`),
    },
    reactions_per_message: {
      actor: 'member',
      subject: { messageId: message, userId: ids.member },
      make: (n) =>
        member.post(`/messages/${message}/reactions`, { emoji_name: emoji[n - 1]?.[0] ?? '' }),
      remove: () =>
        member.del(`/messages/${message}/reactions`, { emoji_name: emoji[0]?.[0] ?? '' }),
    },
  }
}

const policy = (client: Client, topic: string, visibility_policy: number) =>
  client.post('/user_topics', { stream_id: 3, topic, visibility_policy })

/** What no endpoint does, as if one did. */
async function asReply(server: TestServer, work: () => Promise<unknown>): Promise<Reply> {
  const { status, ...rest } = await server.as('owner').get('/users/me')
  try {
    await work()
    return { ...rest, status }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message: msg, status: errorStatus, extra } = error
    return { result: 'error', msg, code, status: errorStatus, ...extra } as Reply
  }
}

/** Another key would leave the test's client without one: takes the registrations away alone. */
async function forgetPhones(server: TestServer): Promise<Reply> {
  await server.server.context.store.write((tx) => forgetPhonesOf(tx, server.ids.member))
  return await server.as('member').get('/users/me')
}

/** How much of a limit is used by what the maker makes. */
export function usedBy(server: TestServer, quota: Quota, { actor, subject }: Maker): number {
  const { store } = server.server.context
  const { id } = server.as(actor)
  const account: Account = { id, role: 400, botOwnerId: null }
  const used = quota.used(store, (subject ?? account) as never)
  assert.ok(used >= 0)
  return used
}
