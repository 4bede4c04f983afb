import { withStore } from '#platform/context.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { int, oneOf, optional, text } from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as actions from './actions.ts'
import { basePayload } from './base.json.ts'
import { testPhones } from './notifying.actions.ts'
import { pushDeviceQuota } from './quotas.ts'
import { accessPhones, phonesProblem } from './testing.rules.ts'

/** Longer than any key, token or encrypted registration. */
const longText = 10_000

/** @source Zulip API, "Register E2EE push device" (feature level 406) */
export const registerPushDevice = endpoint({
  method: 'post',
  path: '/mobile_push/register',
  summary: 'Register a phone for end-to-end encrypted notifications.',
  description: `The server then asks the push service; a \`push_device\` event reports the result. ${limitsText(pushDeviceQuota)}`,
  errors: ['PUSH_SERVICE_NOT_CONFIGURED'],
  params: {
    token_kind: oneOf(['apns', 'fcm']),
    push_account_id: int(),
    push_public_key: text(longText),
    bouncer_public_key: text(longText),
    encrypted_push_registration: text(longText),
  },
  reply: {},
  run: ({ store }, p) =>
    store.write((tx, user) =>
      actions.registerPhone(tx, user, {
        tokenKind: p.token_kind,
        pushAccountId: p.push_account_id,
        publicKey: p.push_public_key,
        servicePublicKey: p.bouncer_public_key,
        encryptedRegistration: p.encrypted_push_registration,
      }),
    ),
})

/** @source Zulip API, "Add an APNs device token" */
export const addApnsToken = endpoint({
  method: 'post',
  path: '/users/me/apns_device_token',
  summary: "Store a phone's token for Apple's push service (APNs).",
  deprecated: true,
  params: { token: text(longText), appid: text(longText) },
  reply: {},
  run: ({ store }, { token, appid }) =>
    store.write((tx, user) => actions.addToken(tx, user, 'apns', token, appid)),
})

/** @source Zulip API, "Remove an APNs device token" */
export const removeApnsToken = endpoint({
  method: 'delete',
  path: '/users/me/apns_device_token',
  summary: "Delete a phone's token for Apple's push service (APNs).",
  deprecated: true,
  params: { token: text(longText) },
  reply: {},
  run: ({ store }, { token }) =>
    store.write((tx, user) => actions.removeToken(tx, user, 'apns', token)),
})

/** @source Zulip API, "Add an FCM registration token" */
export const addFcmToken = endpoint({
  method: 'post',
  path: '/users/me/android_gcm_reg_id',
  summary: "Store a phone's token for Google's push service (FCM).",
  deprecated: true,
  params: { token: text(longText) },
  reply: {},
  run: ({ store }, { token }) =>
    store.write((tx, user) => actions.addToken(tx, user, 'fcm', token, null)),
})

/** @source Zulip API, "Remove an FCM registration token" */
export const removeFcmToken = endpoint({
  method: 'delete',
  path: '/users/me/android_gcm_reg_id',
  summary: "Delete a phone's token for Google's push service (FCM).",
  deprecated: true,
  params: { token: text(longText) },
  reply: {},
  run: ({ store }, { token }) =>
    store.write((tx, user) => actions.removeToken(tx, user, 'fcm', token)),
})

/** @source Zulip API, "Send a test notification to mobile device(s)" */
export const testNotification = endpoint({
  method: 'post',
  path: '/mobile_push/test_notification',
  summary: 'Send a test notification to phones that older apps have registered.',
  description:
    'It succeeds when the push service has accepted the notifications; without `token`, it also succeeds for a user without phones.',
  deprecated: true,
  errors: [
    'INVALID_PUSH_DEVICE_TOKEN',
    'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
    'PUSH_SERVICE_NOT_CONFIGURED',
  ],
  params: { token: optional(text(longText)) },
  reply: {},
  async run({ store, user, server }, { token }) {
    const acting = withStore(server, store)
    const phones = accessPhones(store, user, token)
    await testPhones(acting, user.id, phones, basePayload(acting, user.id))
  },
})

/** @source Zulip API, "Send an E2EE test notification to mobile device(s)" (feature level 420) */
export const testEncryptedNotification = endpoint({
  method: 'post',
  path: '/mobile_push/e2ee/test_notification',
  summary: 'Send an encrypted test notification to phones.',
  description:
    'Always fails: this server registers phones, but sends no notifications. The error says why.',
  errors: ['NO_ACTIVE_PUSH_DEVICE', 'ADMIN_ACTION_REQUIRED'],
  params: { push_account_id: optional(int()) },
  reply: {},
  run({ store, user }, p) {
    throw phonesProblem(store, user, p.push_account_id)
  },
})
