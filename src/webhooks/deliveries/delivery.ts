import { type Bot, type BotService, findBot } from '#bots/queries.ts'
import { mayReadMessage } from '#channels/access.ts'
import { seconds } from '#clock.ts'
import type { Context } from '#context.ts'
import { ApiError } from '#errors.ts'
import { sendMessage } from '#messages/actions.ts'
import { composeMessage, type Draft } from '#messages/compose.ts'
import { sendNotices, silently } from '#messages/notices.ts'
import { type Place, placeOf } from '#messages/place.ts'
import { findMessage, type Message } from '#messages/queries.ts'
import { absoluteUrl, longerMarks } from '#messages/quoting.ts'
import { fetchOutside, OutsideError, type OutsideReply } from '#outgoing/fetch.ts'
import type { Read, Tx } from '#store/write.ts'
import { findUser } from '#users/queries.ts'
import { cleanText } from '#webhooks/text.ts'
import { webhookRequest } from './payload.ts'
import { type Delivery, deleteDelivery, postponeDelivery } from './queries.ts'
import { MalformedReply, replyIn, type WebhookReply } from './reply.ts'

/** How long it takes until a failed delivery is tried again, in seconds; then it is given up. */
const delays = [5, 30, 300, 1800]
/** How much of a refusal the owner gets to see, in characters. */
const longestExcerpt = 500

/** A bot, and the message that it is to be told of. */
interface Subject {
  readonly bot: Bot & { readonly service: BotService }
  readonly message: Message
  readonly place: Place
}

/**
 * Tells a bot's service of a message and posts what it replies, as that bot, where the message is.
 * A service that cannot be reached, or says that it is in trouble, is tried again, ever later. What
 * cannot become better is told to the bot's owner.
 *
 * @param stopping aborted when the server stops: a delivery under way begins anew at the next start
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

/** Undefined when there is nothing to tell any more, or nobody. */
function subjectOf(read: Read, { botId, messageId }: Delivery): Subject | undefined {
  const bot = findBot(read, botId)
  const message = findMessage(read, messageId)
  if (!bot?.user.isActive || !bot.service || !message) return undefined
  const place = placeOf(read, message.recipientId)
  const { channel } = place
  if (channel && !mayReadMessage(read, bot.user, channel, messageId)) return undefined
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

/** @throws ApiError what the bot may not say */
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

/** Tries again later if that may help, and otherwise tells the owner why it was in vain. */
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
    tellOwner(tx, server, subject, why)
  })
}

function tellOwner(tx: Tx, server: Context, { bot, message, place }: Subject, why: string): void {
  const owner = findUser(tx, bot.user.botOwnerId ?? 0)
  if (!owner?.isActive) return
  const { realmUrl } = server
  const link = absoluteUrl(message, place, realmUrl)
  const content = `[A message](${link}) for your bot ${silently(bot.user)} did not reach its service. ${why}`
  sendNotices(tx, [owner], { author: owner, content, realmUrl })
}

/** What a service said that did not want a message. */
function refusal({ status, body }: OutsideReply): string {
  const text = cleanText(body.subarray(0, 4 * longestExcerpt).toString('utf8')).trim()
  const excerpt = [...text].slice(0, longestExcerpt).join('')
  const words = `The answer had the status ${status}`
  if (excerpt === '') return `${words}.`
  const marks = longerMarks(excerpt, 3)
  return `${words}:\n${marks}\n${excerpt}\n${marks}`
}
