import { withStore } from '#platform/context.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { described, int, oneOf, text, withDefault } from '#platform/http/params.ts'
import { limitsText, spend } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import { sentSentence } from '#translations/translate.ts'
import * as actions from './actions.ts'
import { subscriptionJson } from './json.ts'
import { findVapidKey, listSubscriptions, pushUrgencies } from './queries.ts'
import { subscriptionQuota, testQuota } from './quotas.ts'
import { recordPushResult } from './results.actions.ts'
import { subscriptionShape } from './shapes.ts'
import { sendTest } from './testing.actions.ts'

const own = 'Not part of the Zulip API.'

/** An endpoint of Parley's own. */
export const getWebPushKey = endpoint({
  method: 'get',
  path: '/web_push/key',
  summary: 'Get the public key that browsers bind their Web Push subscriptions to.',
  description: `${own} It does not change during the life of the database. Pass it to \`PushManager.subscribe\` as \`applicationServerKey\`.`,
  params: {},
  reply: { public_key: shape.noted(shape.string, 'A point on the curve P-256, in base64url.') },
  run({ store }) {
    const key = findVapidKey(store)
    if (!key)
      throw new ApiError('NOT_FOUND', sentSentence('The server has no key for Web Push yet.'))
    return { public_key: key.publicKey }
  },
})

/** An endpoint of Parley's own. */
export const addWebPushSubscription = endpoint({
  method: 'post',
  path: '/web_push/subscriptions',
  summary: 'Turn on notifications for a browser or another device with Web Push.',
  description: `${own} The user's settings for notifications on phones apply. The subscription ends with the session of this request or, if it was made with an API key, with the key. Sending the same endpoint again changes its keys. With the same keys, it moves the endpoint from another account, for a browser that several people use. ${limitsText(subscriptionQuota)}`,
  params: {
    endpoint: described(
      text(2048),
      'The URL of the push service: https on the standard port, unless the operator allows others.',
    ),
    p256dh: described(text(200), "The device's public key: a point on P-256, in base64url."),
    auth: described(text(100), "The device's secret: 16 bytes, in base64url."),
    urgency: described(
      withDefault(oneOf(pushUrgencies), 'normal'),
      '`high`: only direct messages and personal mentions.',
    ),
  },
  reply: { id: shape.integer },
  run: async ({ store, sessionId, client }, wanted) => ({
    id: await store.write((tx, user) => actions.subscribe(tx, user, wanted, { sessionId, client })),
  }),
})

/** An endpoint of Parley's own. */
export const getWebPushSubscriptions = endpoint({
  method: 'get',
  path: '/web_push/subscriptions',
  summary: "List the caller's devices that get notifications by Web Push.",
  description: own,
  params: {},
  reply: { subscriptions: shape.list(subscriptionShape) },
  run: ({ store, user, sessionId }) => ({
    subscriptions: listSubscriptions(store, user.id).map((one) => subscriptionJson(one, sessionId)),
  }),
})

/** An endpoint of Parley's own. */
export const removeWebPushSubscription = endpoint({
  method: 'delete',
  path: '/web_push/subscriptions/:subscription_id{[0-9]+}',
  summary: 'Turn off notifications on a device.',
  description: own,
  params: { subscription_id: int() },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store }, p) =>
    store.write((tx, user) => actions.unsubscribe(tx, user, p.subscription_id)),
})

/** An endpoint of Parley's own. */
export const testWebPushSubscription = endpoint({
  method: 'post',
  path: '/web_push/subscriptions/:subscription_id{[0-9]+}/test',
  summary: 'Send a test notification to a device.',
  description: `${own} It succeeds when the push service has accepted the notification. ${limitsText(testQuota)}`,
  params: { subscription_id: int() },
  errors: ['NOT_FOUND'],
  reply: {},
  async run({ store, server }, p) {
    const subscription = await store.write((tx, user) => {
      const found = actions.accessSubscription(tx, user, p.subscription_id)
      spend(tx, testQuota, user)
      return found
    })
    const result = await sendTest(withStore(server, store), subscription)
    await store.write((tx) => recordPushResult(tx, subscription.id, result))
    if (result.kind === 'sent') return
    throw badRequest(
      result.kind === 'gone'
        ? sentSentence(
            'The push service no longer knows this device. Turn notifications on again there.',
          )
        : sentSentence('The push service is not accepting notifications for this device.'),
      { parameter: 'subscription_id' },
    )
  },
})
