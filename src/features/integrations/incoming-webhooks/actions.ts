import { findBotOptions, webhookSecret } from '#features/foundation/bots/queries.ts'
import { rememberReceived } from '#features/integrations/webhook-deliveries/received.queries.ts'
import type { Integration, Note } from '#features/integrations/webhook-services/declaration.ts'
import { Fields } from '#features/integrations/webhook-services/fields.ts'
import { code } from '#features/integrations/webhook-services/format.ts'
import { notesOf } from '#features/integrations/webhook-services/rendering.ts'
import { seconds } from '#platform/clock.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { RequestFacts } from '#platform/http/facts.ts'
import { sentence } from '#translations/translate.ts'
import { MalformedPayload, readPayload } from './body.ts'
import { type Mistake, tellOwner } from './owner-notices.actions.ts'
import { type Destination, postNotes } from './posting.actions.ts'

/** The parameters of a webhook URL. */
export interface WebhookParameters extends Destination {
  /** The values of `urlOptions`. */
  readonly options: Readonly<Record<string, string | undefined>>
  /** The values of `queryFields`. */
  readonly fields: Readonly<Record<string, string | undefined>>
}

/** The bot that the key belongs to, for services that ask. */
export interface BotIdentity {
  readonly full_name: string
  readonly email: string
  readonly id: number
}

/**
 * Posts messages about a service's request, as the calling bot. The bot's owner is notified about
 * mistakes in the set-up of the service.
 *
 * @returns the bot, if the service only asks for it
 * @throws BAD_REQUEST not a bot, because a person's key must not be given to other services; an
 *   invalid payload; as `postNotes`
 * @throws UNAUTHORIZED; RATE_LIMIT_HIT as `requireSignature`
 * @throws as `notesOf`
 */
export async function receiveDelivery(
  caller: Caller,
  service: Integration,
  asked: WebhookParameters,
  request: RequestFacts,
): Promise<BotIdentity | undefined> {
  try {
    return await receive(caller, service, asked, request)
  } catch (error) {
    if (error instanceof ApiError && caller.user.botType !== null) {
      const { status, message } = error
      rememberReceived(caller.store, caller.user.id, service.displayName, status, message)
    }
    throw error
  }
}

async function receive(
  caller: Caller,
  service: Integration,
  asked: WebhookParameters,
  request: RequestFacts,
): Promise<BotIdentity | undefined> {
  const { user: bot } = caller
  if (bot.botType === null) throw badRequest('Webhooks need the API key of a bot.')
  requireOwnService(caller, service)
  requireSignature(caller, service, request)
  const payload = await payloadOf(caller, service, asked, request)
  if (!payload) return undefined
  if (service.asksForBot?.(payload)) {
    return { full_name: bot.fullName, email: bot.email, id: bot.id }
  }
  const notes = await notesIn(caller, service, asked, request, payload)
  try {
    const { events, count } = await postNotes(caller, service, asked, notes)
    const what = [service.displayName, ...events].join(' · ')
    const reply = count === 0 ? 'There is nothing to post.' : `Messages: ${count}`
    rememberReceived(caller.store, caller.user.id, what, 200, reply)
  } catch (error) {
    // Only errors about the recipient, because the content was made here.
    await reportToOwner(caller, service, error, 'place')
  }
  return undefined
}

/** @returns undefined if there is none, which some services send */
async function payloadOf(
  caller: Caller,
  service: Integration,
  { fields }: WebhookParameters,
  request: RequestFacts,
): Promise<Fields | undefined> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  try {
    const body = await readPayload(request, service.takesText === true)
    const isForm = typeof body === 'object' && body !== null && !Array.isArray(body)
    const members = given.map(([name, value]) => [name, asJson(value ?? '')])
    if (given.length === 0) return body === undefined ? undefined : Fields.of(body)
    return Fields.of({ ...Object.fromEntries(members), ...(isForm && body) })
  } catch (error) {
    if (!(error instanceof MalformedPayload)) throw error
    if (!service.isOftenMalformed) {
      await tellOwner(caller, service.displayName, 'json', sentence('The body was not valid JSON.'))
    }
    throw badRequest(error.message)
  }
}

/** Objects come as JSON in a query, texts as they are. */
function asJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function notesIn(
  caller: Caller,
  service: Integration,
  { channel, topic, options }: WebhookParameters,
  request: RequestFacts,
  payload: Fields,
): Promise<readonly Note[]> {
  try {
    return caller.timed(() =>
      notesOf(service, {
        payload,
        header: (name) => request.header(name),
        option: (key) => (Object.hasOwn(options, key) ? options[key] : undefined),
        isElsewhere: channel === undefined || topic !== undefined,
      }),
    )
  } catch (error) {
    const isHeader = error instanceof ApiError && error.code === 'MISSING_HTTP_EVENT_HEADER'
    if (!isHeader && !service.hasTemplate) throw error
    return await reportToOwner(caller, service, error, isHeader ? 'header' : 'payload')
  }
}

/** Notifies the bot's owner about a mistake, and throws it as the reply to the service. */
async function reportToOwner(
  caller: Caller,
  { displayName }: Integration,
  error: unknown,
  mistake: Mistake,
): Promise<never> {
  if (error instanceof ApiError && error.status === 400) {
    await tellOwner(
      caller,
      displayName,
      mistake,
      sentence('The service got this error: {error}', { error: code(error.message) }),
    )
  }
  throw error
}

/**
 * Checks that a bot that was made for a service is not called as one of another, where it would not
 * be asked for the secret of its own.
 *
 * @throws BAD_REQUEST
 */
function requireOwnService({ store, user }: Caller, { name, displayName }: Integration): void {
  const { integration } = findBotOptions(store, user.id)
  if (integration === null || integration === name) return
  throw badRequest(`This bot is for another service than ${displayName}.`)
}

/**
 * Checks that the service knows the secret that is set for the bot, if any is.
 *
 * @throws RATE_LIMIT_HIT too many signatures were wrong
 * @throws UNAUTHORIZED the request does not prove that the service knows the secret
 */
function requireSignature(
  { store, user }: Caller,
  service: Integration,
  request: RequestFacts,
): void {
  const { signature } = service
  const secret = webhookSecret(store, user.id)
  if (!signature || secret === undefined) return
  const counted = request.guess(user.id)
  if (!signature.verify(secret, request, seconds(store.clock))) {
    throw new ApiError('UNAUTHORIZED', 'The payload does not contain the secret of this bot.')
  }
  counted.right()
}
