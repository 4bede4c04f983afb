import { endpoint } from '#http/endpoint.ts'
import { int, oneOf, text } from '#http/params.ts'
import * as actions from './actions.ts'

/** More than any key, token or sealed registration has. */
const longText = 10_000

/** @source contract, "Register an end-to-end-encrypted push device" */
export const registerPushDevice = endpoint({
  method: 'post',
  path: '/mobile_push/register',
  summary: 'Register a phone for end-to-end encrypted notifications.',
  description: 'The push service is asked afterwards; a `push_device` event says what came of it.',
  errors: ['PUSH_SERVICE_NOT_CONFIGURED'],
  params: {
    token_kind: oneOf(['apns', 'fcm']),
    push_account_id: int(),
    push_public_key: text(longText),
    bouncer_public_key: text(longText),
    encrypted_push_registration: text(longText),
  },
  reply: {},
  run: ({ store, user, server }, p) =>
    store.write((tx) =>
      actions.registerPhone(tx, server.config, user, {
        tokenKind: p.token_kind,
        pushAccountId: p.push_account_id,
        publicKey: p.push_public_key,
        servicePublicKey: p.bouncer_public_key,
        encryptedRegistration: p.encrypted_push_registration,
      }),
    ),
})

/** @source contract, "Add an APNs device token (deprecated)" */
export const addApnsToken = endpoint({
  method: 'post',
  path: '/users/me/apns_device_token',
  summary: "Keep a phone's address in Apple's service.",
  deprecated: true,
  params: { token: text(longText), appid: text(longText) },
  reply: {},
  run: ({ store, user }, { token, appid }) =>
    store.write((tx) => actions.addToken(tx, user, 'apns', token, appid)),
})

/** @source api-changes §2b */
export const removeApnsToken = endpoint({
  method: 'delete',
  path: '/users/me/apns_device_token',
  summary: "Forget a phone's address in Apple's service.",
  deprecated: true,
  params: { token: text(longText) },
  reply: {},
  run: ({ store, user }, { token }) =>
    store.write((tx) => actions.removeToken(tx, user, 'apns', token)),
})

/** @source api-changes §2b */
export const addFcmToken = endpoint({
  method: 'post',
  path: '/users/me/android_gcm_reg_id',
  summary: "Keep a phone's address in Google's service.",
  deprecated: true,
  params: { token: text(longText) },
  reply: {},
  run: ({ store, user }, { token }) =>
    store.write((tx) => actions.addToken(tx, user, 'fcm', token, null)),
})

/** @source api-changes §2b */
export const removeFcmToken = endpoint({
  method: 'delete',
  path: '/users/me/android_gcm_reg_id',
  summary: "Forget a phone's address in Google's service.",
  deprecated: true,
  params: { token: text(longText) },
  reply: {},
  run: ({ store, user }, { token }) =>
    store.write((tx) => actions.removeToken(tx, user, 'fcm', token)),
})
