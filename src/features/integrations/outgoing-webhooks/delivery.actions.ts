import { type Bot, type BotService, findBot } from '#features/foundation/bots/queries.ts'
import { canReadMessage } from '#features/foundation/channels/access.ts'
import { findMessage, type Message } from '#features/foundation/core/queries.ts'
import { type Recipient, recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { organizationLanguage, userLanguage } from '#features/foundation/users/language.queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { type Attempt, insertAttempt } from '#features/integrations/webhook-deliveries/queries.ts'
import { cleanText } from '#features/integrations/webhook-services/text.ts'
import { sendMessage } from '#features/messaging/messages/actions.ts'
import { composeMessage, type Draft } from '#features/messaging/messages/compose.rules.ts'
import { sendNotices } from '#features/messaging/messages/notices.actions.ts'
import { absoluteUrl, silentMention } from '#features/messaging/messages/quoting.ts'
import { seconds } from '#platform/clock.ts'
import type { Context, SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { fetchOutside, OutsideError, type OutsideReply } from '#platform/outgoing/fetch.ts'
import { problemText } from '#platform/pages/page-language.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { longerMarks } from '#shared/code-marks.ts'
import { type Sentence, sentence, sentenceIn, type Translator } from '#translations/translate.ts'
import { webhookRequest } from './payload.json.ts'
import { type Delivery, deleteDelivery, postponeDelivery } from './queries.ts'
import { MalformedReply, replyIn, type WebhookReply } from './reply.ts'

/** The delays before the retries of a failed delivery, in seconds. */
const delays = [5, 30, 300, 1800]
/** The failure after which the conversation is told, although there are more tries. */
const toldAfter = 2
/** The most characters of an error response that the bot's owner sees. */
const longestExcerpt = 500

/** The bot and the message of a delivery. */
interface Subject {
  readonly bot: Bot & { readonly service: BotService }
  readonly message: Message
  readonly recipient: Recipient
}

/**
 * Posts a message to a bot's service and sends the service's reply as the bot to the same
 * conversation. Retries at growing intervals while the service is unreachable or reports a
 * temporary error; tells the bot's owner about a permanent error, and the conversation soon.
 *
 * @param stopping aborted when the server stops; an interrupted delivery restarts with the server
 */
export async function deliver(
  server: SystemContext,
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
    const problem: Problem = {
      why: (language) => sentenceIn(language, error.sentence),
      explanation: sentence('My service could not be reached.'),
      received: { status: null, answer: error.message },
    }
    return await fail(server, delivery, subject, problem, !error.refused)
  }
  if (reply.status >= 200 && reply.status < 300)
    return await accept(server, delivery, subject, reply)
  const isTemporary = reply.status >= 500 || reply.status === 429 || reply.status === 408
  const { status } = reply
  const explanation = sentence('My service answered with the status {status}.', {
    status: String(status),
  })
  const problem: Problem = { why: refusal(reply), explanation, received: excerptOf(reply) }
  await fail(server, delivery, subject, problem, isTemporary)
}

/** Undefined if the bot or the message is gone, or the bot may no longer read the message. */
function subjectOf(read: Read, { botId, messageId }: Delivery): Subject | undefined {
  const bot = findBot(read, botId)
  const message = findMessage(read, messageId)
  if (!bot?.user.isActive || !bot.service || !message) return undefined
  const recipient = recipientOf(read, message.recipientId)
  const { channel } = recipient
  if (channel && !canReadMessage(read, bot.user, channel, messageId)) return undefined
  return { bot: { ...bot, service: bot.service }, message, recipient }
}

async function accept(
  server: SystemContext,
  delivery: Delivery,
  subject: Subject,
  outsideReply: OutsideReply,
): Promise<void> {
  const { bot } = subject
  try {
    const reply = replyIn(outsideReply.body)
    const draft = reply && draftOf(server, subject, reply)
    await server.store.write((tx) => {
      deleteDelivery(tx, delivery.id)
      remember(tx, delivery, excerptOf(outsideReply))
      const sender = findUser(tx, bot.user.id)
      if (draft && sender?.isActive) sendMessage(tx, sender, draft)
    })
  } catch (error) {
    if (!(error instanceof MalformedReply || error instanceof ApiError)) throw error
    const why: Problem['why'] = (language) =>
      error instanceof ApiError
        ? language.t('The reply could not be posted: {reason}', {
            reason: problemText(language, error.sentence),
          })
        : sentenceIn(language, error.sentence)
    const explanation = sentence('My service answered, but its answer could not be posted.')
    await fail(
      server,
      delivery,
      subject,
      { why, explanation, received: excerptOf(outsideReply) },
      false,
    )
  }
}

/** @throws ApiError a message that the bot may not send */
function draftOf(
  server: SystemContext,
  { bot, message, recipient }: Subject,
  reply: WebhookReply,
): Draft {
  const { channel, people } = recipient
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

type ReplyExcerpt = Pick<Attempt, 'status' | 'answer'>

function excerptOf({ status, body }: OutsideReply): ReplyExcerpt {
  return { status, answer: cleanText(body.subarray(0, 4 * longestExcerpt).toString('utf8')).trim() }
}

function remember(tx: Tx, { botId, messageId, trigger }: Delivery, received: ReplyExcerpt): void {
  insertAttempt(tx, { botId, messageId, what: trigger, at: seconds(tx.clock), ...received })
}

interface Problem {
  /** For the bot's owner: it may quote the service. */
  why(language: Translator): string
  /** For the conversation with the message, which must not reveal more about the service. */
  readonly explanation: Sentence
  /** For the list of last deliveries. */
  readonly received: ReplyExcerpt
}

/**
 * Schedules a retry if that may help; otherwise tells the owner the reason. As the bot, tells the
 * conversation that it failed, once: whoever asked does not wait for the last try.
 */
async function fail(
  server: SystemContext,
  delivery: Delivery,
  subject: Subject,
  { why, explanation, received }: Problem,
  mayGetBetter: boolean,
): Promise<void> {
  const delay = mayGetBetter ? delays[delivery.failures] : undefined
  await server.store.write((tx) => {
    remember(tx, delivery, received)
    if (delay !== undefined) return postponeDelivery(tx, delivery, seconds(tx.clock) + delay)
    deleteDelivery(tx, delivery.id)
    notifyOwner(tx, server, subject, why)
  })
  const failures = delivery.failures + 1
  const isLastUntold = delay === undefined && failures < toldAfter
  if (isLastUntold || failures === toldAfter) {
    await tellConversation(server, subject, explanation)
  }
}

/** Posts as the bot that it failed, unless it may not send there. */
async function tellConversation(
  server: SystemContext,
  subject: Subject,
  explanation: Sentence,
): Promise<void> {
  try {
    const { message, recipient } = subject
    const asker = recipient.channel ? undefined : findUser(server.store, message.senderId)
    const language = asker ? userLanguage(server.store, asker) : organizationLanguage(server.store)
    const draft = draftOf(server, subject, {
      content: `${language.t('Failure!')} ${sentenceIn(language, explanation)}`,
      widget: undefined,
    })
    await server.store.write((tx) => {
      const bot = findUser(tx, subject.bot.user.id)
      if (bot?.isActive) sendMessage(tx, bot, draft)
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

function notifyOwner(
  tx: Tx,
  server: Context,
  { bot, message, recipient }: Subject,
  why: Problem['why'],
): void {
  const owner = findUser(tx, bot.user.botOwnerId ?? 0)
  if (!owner?.isActive) return
  const { realmUrl } = server
  const link = absoluteUrl(message, recipient, realmUrl)
  const language = userLanguage(tx, owner)
  const head = language.t(
    '[A message]({link}) for your bot {bot} could not be delivered to its service.',
    { link, bot: silentMention(bot.user) },
  )
  const content = `${head} ${why(language)}`
  sendNotices(tx, [owner], { author: owner, content, realmUrl })
}

/** Describes a service's error response. */
function refusal({ status, body }: OutsideReply): Problem['why'] {
  const text = cleanText(body.subarray(0, 4 * longestExcerpt).toString('utf8')).trim()
  const excerpt = [...text].slice(0, longestExcerpt).join('')
  const values = { status: String(status) }
  if (excerpt === '') return ({ t }) => t('The response had the status {status}.', values)
  const marks = longerMarks(excerpt, 3)
  return ({ t }) =>
    `${t('The response had the status {status}:', values)}\n${marks}\n${excerpt}\n${marks}`
}
