import { createECDH } from 'node:crypto'
import { registerProgram } from '#test/support/assistants.ts'
import { decimals, hexadecimals, minusOne, names, someWords } from './hostile-values.ts'
import type { Maker } from './maker.ts'
import { plain, type SampleCalls } from './sample-call.ts'

/** A device at an address that the server never connects to. */
function browserDevice(name: string) {
  return {
    endpoint: `https://10.0.0.1/${name}`,
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: Buffer.alloc(16).toString('base64url'),
  }
}

/** No time zone is the server's. */
const ofSettings = { free: ['full_name'], takes: { timezone: ['nothing'] } }

/** What belongs to the caller's account alone: keys, settings, devices, words, views. */
export function ownAccountCalls(make: Maker): SampleCalls {
  const password = 'desdemona-password'
  async function subscription(name: string): Promise<number> {
    const reply = await make.owner.post<{ id: number }>(
      '/web_push/subscriptions',
      browserDevice(name),
    )
    return reply.id
  }
  return {
    'POST /mobile_push/test_notification': plain({}, { fails: 'INVALID_REMOTE_PUSH_DEVICE_TOKEN' }),
    'POST /mobile_push/e2ee/test_notification': plain({}, { fails: 'NO_ACTIVE_PUSH_DEVICE' }),
    'POST /users/me/apns_device_token': plain(
      { token: 'ab'.repeat(32), appid: 'org.example.app' },
      { takes: { token: hexadecimals, appid: [...names, ...minusOne, ...decimals] } },
    ),
    'POST /mobile_push/register': plain(
      {
        token_kind: 'fcm',
        push_account_id: 7,
        push_public_key: Buffer.alloc(32, 7).toString('base64'),
        bouncer_public_key: 'key',
        encrypted_push_registration: Buffer.from('sealed').toString('base64'),
      },
      {
        free: ['bouncer_public_key'],
        takes: {
          push_account_id: minusOne,
          // As good as any Base64.
          encrypted_push_registration: ['toString', 'null', ...hexadecimals],
        },
      },
    ),
    'GET /web_push/key': plain(),
    'POST /web_push/subscriptions': plain(browserDevice('sample')),
    'GET /web_push/subscriptions': plain(),
    'DELETE /web_push/subscriptions/:subscription_id{[0-9]+}': async () => ({
      params: { subscription_id: await subscription('ended') },
    }),
    // The server connects to no address that the device has.
    'POST /web_push/subscriptions/:subscription_id{[0-9]+}/test': async () => ({
      params: { subscription_id: await subscription('tested') },
      fails: 'BAD_REQUEST',
    }),
    'DELETE /users/me/apns_device_token': async () => {
      const token = 'cd'.repeat(32)
      await make.owner.post('/users/me/apns_device_token', { token, appid: 'org.example.app' })
      // Those that were added.
      return { params: { token }, takes: { token: hexadecimals } }
    },
    'POST /users/me/android_gcm_reg_id': plain({ token: 'token' }, { free: ['token'] }),
    'DELETE /users/me/android_gcm_reg_id': async () => {
      await make.owner.post('/users/me/android_gcm_reg_id', { token: 'gone' })
      return { params: { token: 'gone' }, free: ['token'] }
    },
    'PATCH /settings': plain({ color_scheme: 2 }, ofSettings),
    'PATCH /settings/notifications': plain({ color_scheme: 2 }, ofSettings),
    'PATCH /settings/display': plain({ color_scheme: 2 }, ofSettings),
    'GET /settings/declarations': plain(),
    'GET /users/me/sessions': plain(),
    'DELETE /users/me/sessions': plain(),
    'DELETE /users/me/sessions/:session_id{[0-9a-f]+}': async () => {
      await make.owner.post('/dev_fetch_api_key', { username: make.owner.email })
      const { sessions } = await make.owner.get<{ sessions: { id: string }[] }>(
        '/users/me/sessions',
      )
      return { params: { session_id: sessions[0]?.id ?? '' } }
    },
    'GET /users/me/assistants': plain(),
    'DELETE /users/me/assistants/:assistant_id{[0-9]+}': async () => {
      await (await registerProgram(make.server)).connect('owner')
      const { assistants } = await make.owner.get<{ assistants: { id: number }[] }>(
        '/users/me/assistants',
      )
      return { params: { assistant_id: assistants[0]?.id ?? 0 } }
    },
    'GET /realm/assistants': plain(),
    'GET /users/me/channel_email_addresses': plain(),
    'DELETE /users/me/channel_email_addresses/:address_id{[0-9a-f]+}': async () => ({
      params: { address_id: await make.channelEmailAddress() },
    }),
    'GET /users/me/two_factor': plain(),
    'POST /users/me/two_factor': async () => {
      await make.noSecondFactor('othello')
      return { as: 'othello', params: { password: 'othello-password' } }
    },
    'POST /users/me/two_factor/confirm': async () => ({
      as: 'othello',
      params: { code: await make.secondFactor('othello', false) },
    }),
    // Only the session of a person may.
    'POST /users/me/two_factor/recovery_codes': plain({ password }, { fails: 'BAD_REQUEST' }),
    'DELETE /users/me/two_factor': plain({ password }, { fails: 'BAD_REQUEST' }),
    'DELETE /users/:user_id{-?[0-9]+}/two_factor': async () => {
      await make.secondFactor('moderator', true)
      return { params: { user_id: make.server.ids.moderator } }
    },
    'DELETE /users/me/avatar': plain(),
    'POST /users/me/avatar': plain({}, { picture: true }),
    'GET /users/me/alert_words': plain(),
    'POST /users/me/alert_words': plain(
      { alert_words: ['a'] },
      { takes: { alert_words: someWords } },
    ),
    'DELETE /users/me/alert_words': plain(
      { alert_words: ['a'] },
      { takes: { alert_words: someWords } },
    ),
    'POST /users/me/onboarding_steps': plain({ onboarding_step: 'first_steps' }),
    'GET /navigation_views': plain(),
    'POST /navigation_views': () => ({
      params: { fragment: make.unique('x'), is_pinned: true, name: make.unique('View') },
      free: ['fragment', 'name'],
    }),
    'PATCH /navigation_views/:fragment{.+}': async () => ({
      params: { fragment: await make.view(), is_pinned: false },
      // Those that were made.
      free: ['fragment', 'name'],
    }),
    'DELETE /navigation_views/:fragment{.+}': async () => ({
      params: { fragment: await make.view() },
      free: ['fragment'],
    }),
    'POST /dev_fetch_api_key': plain({ username: 'hamlet@zulip.com' }),
    'GET /dev_list_users': plain(),
    'POST /fetch_api_key': plain({ username: 'hamlet@zulip.com', password: 'hamlet-password' }),
    'POST /users/me/api_key/regenerate': plain({}, { as: 'othello' }),
  }
}
