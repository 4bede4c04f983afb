import { accessBot, requirePerson } from '#features/foundation/bots/rules.ts'
import { listAttempts } from '#features/integrations/webhook-deliveries/queries.ts'
import { listReceived } from '#features/integrations/webhook-deliveries/received.queries.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { int } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import { retryDelivery } from './actions.ts'
import { signingSecret } from './signing.queries.ts'

const deliveryShape = shape.named('WebhookDelivery', {
  id: shape.integer,
  at: shape.noted(shape.integer, 'Seconds since the epoch.'),
  message_id: shape.noted(
    shape.nullable(shape.integer),
    "The message posted to the bot's service; null for a delivery from an integration to the bot.",
  ),
  what: shape.noted(shape.string, 'The integration and its events, `mention` or `direct_message`.'),
  status: shape.noted(shape.nullable(shape.integer), 'The HTTP status; null: there was no answer.'),
  answer: shape.noted(
    shape.string,
    'The beginning of the answer, or the reason why there was none.',
  ),
})
export type WebhookDeliveryJson = shape.Shaped<typeof deliveryShape>

/** Parley's own. */
export const listDeliveries = endpoint({
  method: 'get',
  path: '/bots/:bot_id{-?[0-9]+}/deliveries',
  summary: 'List the last webhook deliveries to or from a bot that the caller administers.',
  params: { bot_id: int() },
  reply: {
    deliveries: shape.noted(
      shape.list(deliveryShape),
      'At most 20, newest first. Deliveries to the bot are forgotten when the server restarts.',
    ),
    signing_secret: shape.noted(
      shape.nullable(shape.string),
      'The secret of `X-Parley-Signature`; null if the bot is not an outgoing webhook bot.',
    ),
  },
  run({ store, user }, p) {
    const bot = accessBot(store, requirePerson(store, user), p.bot_id)
    return {
      deliveries: [...listReceived(store, bot.user.id), ...listAttempts(store, bot.user.id)]
        .sort((a, b) => b.at - a.at)
        .slice(0, 20)
        .map(({ id, at, messageId, what, status, answer }) => ({
          ...{ id, at, what, status, answer },
          message_id: messageId,
        })),
      signing_secret: bot.service ? signingSecret(store, { ...bot, service: bot.service }) : null,
    }
  },
})

/** Parley's own. */
export const retryWebhookDelivery = endpoint({
  method: 'post',
  path: '/bots/:bot_id{-?[0-9]+}/deliveries/:delivery_id/retry',
  summary: 'Post a message again to the service of a bot that the caller administers.',
  params: { bot_id: int(), delivery_id: int() },
  errors: ['NOT_FOUND'],
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx, user) => retryDelivery(tx, user, p.bot_id, p.delivery_id)),
})
