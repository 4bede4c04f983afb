import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { suggest } from '#client/search/suggestions.ts'
import { type Follower, follow } from '#test/client/state/support.ts'
import { startPhonePushService } from '#test/support/phone-push-service.ts'
import type { CallParams, Client, Reply } from '#test/support/server.ts'
import { startServer } from '#test/support/server.ts'
import { startMailServer } from '#test/support/smtp.ts'
import { startWebPushService } from '#test/support/web-push-service.ts'

/*
 * What the API hides must not come out by another way: in mail, in notifications, to a bot's
 * service, in an export, in the quote of a reminder, with the previews of a message's links, which
 * come later, or in what a search box suggests. In each row a message is sent while none of these
 * gets through, something changes, and then all are tried again.
 */

const post = await startMailServer()
const phones = await startPhonePushService()
let serverKey = ''
const browsers = await startWebPushService(() => serverKey)

/** What the services of bots got, by the bot's path. */
const hooks = new Map<string, string>()
let hookStatus = 200
const hookService = createServer(async (request, response) => {
  if (request.url === '/page') {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>A page</title>')
    return
  }
  let body = ''
  for await (const part of request) body += part
  if (hookStatus === 200) hooks.set(request.url ?? '', `${hooks.get(request.url ?? '')}${body}`)
  response.writeHead(hookStatus, { 'Content-Type': 'application/json' })
  response.end(hookStatus === 200 ? '{"response_not_required": true}' : '')
}).listen(0, '127.0.0.1')
await once(hookService, 'listening')
const hookPort = (hookService.address() as AddressInfo).port

const server = await startServer({
  config: {
    smtpUrl: post.url,
    pushServiceUrl: phones.url,
    webPushServices: [browsers.origin],
    allowedNetworks: ['127.0.0.0/8'],
  },
})
after(async () => {
  await server.close()
  await Promise.all([post.close(), phones.close(), browsers.close()])
  hookService.closeAllConnections()
  hookService.close()
})
const [owner, author] = [server.as('owner'), server.as('cordelia')]
serverKey = (await owner.get<{ public_key: string }>('/web_push/key')).public_key

async function ok<T extends object>(reply: Promise<Reply<T>>): Promise<Reply<T>> {
  const settled = await reply
  assert.equal(settled.result, 'success', settled.msg)
  return settled
}

async function pass(seconds: number): Promise<void> {
  server.clock.advance(seconds * 1000)
  await server.settled()
}

const day = 24 * 3600

/** Moves to nine o'clock of the next Tuesday, when digests are sent. */
async function untilDigest(): Promise<void> {
  const now = Math.floor(server.clock.now() / 1000)
  const monday = now - (now % day) - ((Math.floor(now / day) + 3) % 7) * day
  const tuesday = monday + day + 9 * 3600
  await pass((tuesday > now ? tuesday : tuesday + 7 * day) - now)
}

/** All that happens in a row. */
interface Scene {
  /** The only word of the message besides the mentions. */
  readonly word: string
  readonly channel: { readonly id: number; readonly name: string }
  readonly reader: Client
  /** An outgoing webhook, subscribed to the channel and mentioned like the reader. */
  readonly bot: { readonly id: number; readonly path: string }
  /** The id of the message with the word. */
  message: number
}

type Step = (scene: Scene) => Promise<unknown>

interface Row {
  readonly role?: number
  readonly channel?: CallParams
  /** Default: a message to the channel that mentions the reader and the bot. */
  readonly send?: Step
  /** What is done before the message; default: the reader and the bot join the channel. */
  readonly before?: Step
  /** What hides the message again. */
  readonly after?: Step
}

const join: Step = ({ channel, reader, bot }) =>
  ok(
    author.post('/users/me/subscriptions', {
      subscriptions: [{ name: channel.name }],
      principals: [reader.id, bot.id],
      send_new_subscription_messages: false,
    }),
  )

/** What every message links to. */
const page = `http://127.0.0.1:${hookPort}/page`
const topicOf = ({ id }: Scene['channel']) => `topic ${id}`

async function write({ channel, reader, bot }: Scene, text: string): Promise<number> {
  const content = `@**|${reader.id}** @**|${bot.id}** ${text} ${page}`
  const message = { type: 'channel', to: channel.id, topic: topicOf(channel), content }
  return (await ok(author.post<{ id: number }>('/messages', message))).id
}

const send: Step = async (scene) => {
  scene.message = await write(scene, scene.word)
}

const sendDirectly: Step = async (scene) => {
  const to = [scene.reader.id, scene.bot.id]
  const message = { type: 'direct', to, content: `${scene.word} ${page}` }
  scene.message = (await ok(author.post<{ id: number }>('/messages', message))).id
}

const remove: Step = ({ message }) => ok(author.del(`/messages/${message}`))
const edit: Step = ({ message, reader, bot }) =>
  ok(author.patch(`/messages/${message}`, { content: `@**|${reader.id}** @**|${bot.id}** better` }))

const editUnseen: Step = async (scene) => {
  await edit(scene)
  await realm({ message_edit_history_visibility_policy: 'none' })
}

/** Sends the word before the reader and the bot join, and mentions them after. */
const sendBeforeJoining: Step = async (scene) => {
  const content = `${scene.word} ${page}`
  const message = { type: 'channel', to: scene.channel.id, topic: topicOf(scene.channel), content }
  const sent = author.post<{ id: number }>('/messages', message)
  scene.message = (await ok(sent)).id
  await join(scene)
  await write(scene, 'welcome')
}

const moveAway: Step = async ({ channel, message }) => {
  const settings = { name: `away from ${channel.id}`, subscribers: [author.id], invite_only: true }
  const { id } = await ok(author.post<{ id: number }>('/channels/create', settings))
  await ok(author.patch(`/messages/${message}`, { stream_id: id, propagate_mode: 'change_all' }))
}

const expel: Step = ({ channel, reader, bot }) =>
  ok(
    author.del('/users/me/subscriptions', {
      subscriptions: [channel.name],
      principals: [reader.id, bot.id],
    }),
  )

const archive: Step = async ({ channel }) => {
  await ok(owner.del(`/streams/${channel.id}`))
}

async function deactivate({ reader, bot }: Scene): Promise<void> {
  await ok(owner.del(`/users/${reader.id}`))
  await ok(owner.del(`/bots/${bot.id}`))
}

const muteSender: Step = ({ reader }) => ok(reader.post(`/users/me/muted_users/${author.id}`))
const realm = (settings: CallParams) => ok(owner.patch('/realm', settings))
const hideContent: Step = () =>
  realm({
    message_content_allowed_in_email_notifications: false,
    message_content_allowed_in_push_notifications: false,
  })

const secret = { invite_only: true, history_public_to_subscribers: true }
const guarded = { invite_only: true, history_public_to_subscribers: false }

let made = 0
async function stage(row: Row): Promise<Scene> {
  made += 1
  const reader = await server.enroll(`Reader ${made}`, row.role ?? 400)
  await ok(reader.patch('/settings', { enable_online_push_notifications: true }))
  await ok(reader.post('/users/me/android_gcm_reg_id', { token: `phone${made}` }))
  await ok(reader.post('/web_push/subscriptions', { ...browsers.device(`browser${made}`) }))
  const path = `/hook${made}`
  const bot = await ok(
    author.post<{ user_id: number }>('/bots', {
      full_name: `Hook ${made}`,
      short_name: `hook${made}`,
      bot_type: 3,
      payload_url: `http://127.0.0.1:${hookPort}${path}`,
    }),
  )
  const name = `channel ${made}`
  const channel = await ok(
    author.post<{ id: number }>('/channels/create', {
      name,
      subscribers: [author.id],
      can_administer_channel_group: { direct_members: [author.id], direct_subgroups: [] },
      ...row.channel,
    }),
  )
  const word = `word${made}x`
  return {
    word,
    channel: { id: channel.id, name },
    reader,
    bot: { id: bot.user_id, path },
    message: 0,
  }
}

/** Whether each way showed the word, in the order of the matrix. */
async function shown(row: Row): Promise<string> {
  const scene = await stage(row)
  const { word, reader, bot } = scene
  await pass(6 * day)
  await (row.before ?? join)(scene)
  const follower = await follow(server, reader)
  await server.settled()
  post.take()
  phones.breaks({ status: 503, body: '' })
  browsers.answers(`browser${made}`, { status: 503 })
  hookStatus = 500
  await (row.send ?? send)(scene)
  await server.settled()
  // Refused to readers who do not have the message; then there is nothing to see later.
  const remindAt = Math.floor(server.clock.now() / 1000) + 12 * day
  await reader.post('/reminders', {
    message_id: scene.message,
    scheduled_delivery_timestamp: remindAt,
  })
  await follower.catchUp()
  await row.after?.(scene)
  // Former users hear nothing, and are shown the log-in.
  const isOut = (await reader.get('/users/me')).result === 'error'
  const card = isOut ? '' : await laterCard(scene, follower)
  const suggestions = isOut ? '' : suggested(scene, follower)
  phones.breaks(undefined)
  browsers.answers(`browser${made}`, undefined)
  hookStatus = 200
  await pass(10)
  await pass(7200)
  const mails = () =>
    post
      .take()
      .filter(({ to }) => to.includes(reader.email))
      .map(({ text, html }) => text + html)
      .join()
  const mail = mails()
  const notices = phones.notices().filter((notice) => notice.user_id === reader.id)
  const pushes = browsers.take().filter(({ device }) => device === `browser${made}`)
  const hook = hooks.get(bot.path) ?? ''
  await untilDigest()
  const digest = mails()
  const parts = [
    mail,
    digest,
    JSON.stringify(notices),
    JSON.stringify(pushes),
    hook,
    await exported(),
  ]
  await pass(remindAt - Math.floor(server.clock.now() / 1000) + 60)
  parts.push(await reminded(reader), card, suggestions)
  return parts.map((text) => (text.includes(word) ? 'yes' : '-')).join(' ')
}

/** What the reader's client hears when the previews of the message's links come. */
async function laterCard({ message }: Scene, follower: Follower): Promise<string> {
  // Those that came with the message are hidden first, so that they come again.
  for (const hidden of [true, false]) {
    await author.patch(`/messages/${message}/link_previews`, { hidden })
    await server.settled()
  }
  const events = await follower.catchUp()
  return JSON.stringify(events.filter(({ rendering_only }) => rendering_only))
}

/** The word, if the reader's client suggests to search in the topic of the message. */
function suggested({ channel, word }: Scene, { store }: Follower): string {
  const topics = suggest(topicOf(channel), { store, recent: [] }).filter(
    ({ kind, search }) =>
      kind === 'topic' && search?.terms.some(({ operand }) => operand === topicOf(channel)),
  )
  return topics.length > 0 ? word : ''
}

/** What the reader was reminded of. */
async function reminded(reader: Client): Promise<string> {
  const { messages = [] } = await reader.get<{ messages: { content: string }[] }>('/messages', {
    narrow: [{ operator: 'is', operand: 'dm' }],
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
  })
  return messages
    .map(({ content }) => content)
    .filter((content) => content.includes('You asked to be reminded'))
    .join()
}

/** All that an export of the public messages holds. */
async function exported(): Promise<string> {
  const { id } = await ok(owner.post<{ id: number }>('/export/realm', { export_type: 'public' }))
  await server.settled()
  const { exports } = await owner.get<{ exports: { id: number; export_url: string }[] }>(
    '/export/realm',
  )
  const url = exports.find((one) => one.id === id)?.export_url ?? assert.fail()
  const archive = Buffer.from(await (await fetch(url)).arrayBuffer())
  await ok(owner.del(`/export/realm/${id}`))
  return gunzipSync(archive).toString('latin1')
}

describe('what other ways show of a message', async () => {
  await realm({
    digest_emails_enabled: true,
    digest_weekday: 1,
    inline_url_embed_preview: true,
  })
  await untilDigest()
  // biome-ignore format: a matrix reads best in columns
  const matrix: [string, Row, string][] = [
    // the message is                              mail digest phone browser webhook export reminder card suggestion
    ['in a public channel',       {},                                        'yes yes yes yes yes yes yes yes yes'],
    ['in a private channel',      { channel: secret },                       'yes yes yes yes yes - yes yes yes'],
    ['direct',                    { send: sendDirectly },                    'yes - yes yes yes - yes yes -'],
    ['deleted',                   { after: remove },                          '- - - - - - - - -'],
    ['direct, and deleted',       { send: sendDirectly, after: remove },      '- - - - - - - - -'],
    // Whoever may read the edit history gets it with the message, and exports contain it.
    ['edited away',               { after: edit },                            '- - - - yes yes - - yes'],
    ['edited, with no history',   { after: editUnseen },                      '- - - - - yes - - yes'],
    ['moved out of reach',        { after: moveAway },                        '- - - - - - - - -'],
    ['no longer the reader\'s',   { channel: secret, after: expel },          '- - - - - - - - -'],
    // A later message of its topic is the reader's.
    ['of before the reader came', { channel: guarded, before: async () => {}, send: sendBeforeJoining }, '- - - - - - - - yes'],
    ['for members alone',         { channel: secret, before: async () => {} }, '- - - - - - - - -'],
    ['hidden from a guest',       { role: 600, before: async () => {} },     '- - - - yes yes - - -'],
    ['for a former user',         { channel: secret, after: deactivate },     '- - - - - - - - -'],
    ['of a muted user',           { channel: secret, before: async (scene) => { await join(scene); await muteSender(scene) } }, '- - - - yes - yes yes yes'],
    ['of one muted since',        { channel: secret, after: muteSender },     '- - - - yes - yes yes yes'],
    ['in an archived channel',    { channel: secret, after: archive },   '- - - - yes - yes yes yes'],
    ['not for mail and pushes',   { channel: secret, after: hideContent },    '- - - - yes - yes yes yes'],
  ]
  for (const [what, row, expected] of matrix) {
    test(`that is ${what}`, async () => {
      assert.equal(await shown(row), expected)
    })
  }
})
