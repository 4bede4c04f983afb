import { type Bot, type BotService, findBot } from '#features/bots/queries.ts'
import { canReadMessage } from '#features/channels/access.ts'
import { cleanText } from '#features/incoming-webhooks/text.ts'
import { sendMessage } from '#features/messages/actions.ts'
import { composeMessage, type Draft } from '#features/messages/compose.rules.ts'
import { sendNotices } from '#features/messages/notices.actions.ts'
import { type Place, placeOf } from '#features/messages/place.queries.ts'
import { findMessage, type Message } from '#features/messages/queries.ts'
import { absoluteUrl, longerMarks, silentMention } from '#features/messages/quoting.ts'
import { findUser } from '#features/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { fetchOutside, OutsideError, type OutsideReply } from '#platform/outgoing/fetch.ts'
import type { Read, Tx } from '#platform/store/write.ts'
import { webhookRequest } from './payload.json.ts'
import { type Delivery, deleteDelivery, postponeDelivery } from './queries.ts'
import { MalformedReply, replyIn, type WebhookReply } from './reply.ts'

/** The delays before the retries of a failed delivery, in seconds. */
const delays = [5, 30, 300, 1800]
/** The most characters of an error response that the bot's owner sees. */
const longestExcerpt = 500

/** The bot and the message of a delivery. */
interface Subject {
  readonly bot: Bot & { readonly service: BotService }
  readonly message: Message
  readonly place: Place
}

/**
 * Posts a message to a bot's service and sends the service's reply as the bot to the same
 * conversation. Retries at growing intervals while the service is unreachable or reports a
 * temporary error; tells the bot's owner about a permanent error.
 *
 * @param stopping aborted when the server stops; an interrupted delivery restarts with the server
 */
export async function deliver(
  server: Context,
  delivery: Delivery,
  stopping: AbortSignal,
): Promise<void> {
  const subject = subjectOf(server.store, delivery)
  if (!subject) return await server.store.write((tx) => deleteDelivery(tx, delivery.id))
  const { bot, message } = subject
  const request = {
    ...webhookRequest(server.store, bot, delivery, message, server.realmUrl),
    signal: stopping,
  }
  let reply: OutsideReply
  try {
    reply = await fetchOutside(server, bot.service.baseUrl, request)
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    if (stopping.aborted) return
    return await fail(server, delivery, subject, error.message, !error.refused)
  }
  if (reply.status >= 200 && reply.status < 300)
    return await accept(server, delivery, subject, reply)
  const isTemporary = reply.status >= 500 || reply.status === 429 || reply.status === 408
  await fail(server, delivery, subject, refusal(reply), isTemporary)
}

/** Undefined if the bot or the message is gone, or the bot may no longer read the message. */
function subjectOf(read: Read, { botId, messageId }: Delivery): Subject | undefined {
  const bot = findBot(read, botId)
  const message = findMessage(read, messageId)
  if (!bot?.user.isActive || !bot.service || !message) return undefined
  const place = placeOf(read, message.recipientId)
  const { channel } = place
  if (channel && !canReadMessage(read, bot.user, channel, messageId)) return undefined
  return { bot: { ...bot, service: bot.service }, message, place }
}

async function accept(
  server: Context,
  delivery: Delivery,
  subject: Subject,
  answer: OutsideReply,
): Promise<void> {
  const { bot } = subject
  try {
    const reply = replyIn(answer.body)
    const draft = reply && draftOf(server, subject, reply)
    await server.store.write((tx) => {
      deleteDelivery(tx, delivery.id)
      const sender = findUser(tx, bot.user.id)
      if (draft && sender?.isActive) sendMessage(tx, sender, draft)
    })
  } catch (error) {
    if (!(error instanceof MalformedReply || error instanceof ApiError)) throw error
    const why =
      error instanceof ApiError ? `The reply could not be posted: ${error.message}` : error.message
    await fail(server, delivery, subject, why, false)
  }
}

/** @throws ApiError a message that the bot may not send */
function draftOf(server: Context, { bot, message, place }: Subject, reply: WebhookReply): Draft {
  const { channel, people } = place
  return composeMessage(
    server.store,
    bot.user,
    {
      ...(channel
        ? { kind: 'channel', to: channel.id, topic: message.topic }
        : { kind: 'direct', to: people.map(({ id }) => id) }),
      content: reply.content,
      widget: reply.widget,
      client: 'OutgoingWebhookResponse',
      readBySender: true,
    },
    server.realmUrl,
  )
}

/** Schedules a retry if that may help; otherwise tells the owner the reason. */
async function fail(
  server: Context,
  delivery: Delivery,
  subject: Subject,
  why: string,
  mayGetBetter: boolean,
): Promise<void> {
  await server.store.write((tx) => {
    const delay = mayGetBetter ? delays[delivery.failures] : undefined
    if (delay !== undefined) return postponeDelivery(tx, delivery, seconds(tx.clock) + delay)
    deleteDelivery(tx, delivery.id)
    notifyOwner(tx, server, subject, why)
  })
}

function notifyOwner(tx: Tx, server: Context, { bot, message, place }: Subject, why: string): void {
  const owner = findUser(tx, bot.user.botOwnerId ?? 0)
  if (!owner?.isActive) return
  const { realmUrl } = server
  const link = absoluteUrl(message, place, realmUrl)
  const content = `[A message](${link}) for your bot ${silentMention(bot.user)} could not be delivered to its service. ${why}`
  sendNotices(tx, [owner], { author: owner, content, realmUrl })
}

/** Describes a service's error response. */
function refusal({ status, body }: OutsideReply): string {
  const text = cleanText(body.subarray(0, 4 * longestExcerpt).toString('utf8')).trim()
  const excerpt = [...text].slice(0, longestExcerpt).join('')
  const words = `The response had the status ${status}`
  if (excerpt === '') return `${words}.`
  const marks = longerMarks(excerpt, 3)
  return `${words}:\n${marks}\n${excerpt}\n${marks}`
}
