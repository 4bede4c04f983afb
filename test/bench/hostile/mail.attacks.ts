import { type Attack, flood } from './attack.ts'
import { sending } from './client.ts'
import { password } from './world.ts'

/** Mails that strangers get, and passwords that are guessed. */
export const mailAttacks: readonly Attack[] = [
  flood(
    'mail: a confirmation to a stranger with each request',
    () => () => sending('PATCH', '/settings', { email: 'stranger@example.org' }),
    { most: { mails: 10 } },
  ),
  flood(
    'mail: a confirmation to another stranger with each request',
    () => (i) => sending('PATCH', '/settings', { email: `stranger${i}@example.org` }),
    { most: { mails: 50 } },
  ),
  flood(
    'mail: an invitation to another stranger with each request',
    () => (i) =>
      sending('POST', '/invites', {
        invitee_emails: Array.from({ length: 50 }, (_, n) => `s${i}-${n}@example.org`).join(','),
        stream_ids: [],
      }),
    { as: 'admin', most: { mails: 500 } },
  ),
  flood(
    'passwords: guessed at every door',
    ({ world }) =>
      (i) =>
        doors[i % doors.length]?.(world.bystander.email, i) ?? nowhere,
  ),
  flood(
    'passwords: set all the time',
    () => (i) => {
      const [old_password, new_password] = i % 2 === 0 ? [password, other] : [other, password]
      return sending('PATCH', '/settings', { old_password, new_password })
    },
    { connections: 1 },
  ),
]

const other = 'another password that is known'
const nowhere = sending('POST', '/fetch_api_key')

/** Where a password or a key can be tried, the attacker's own account included. */
const doors: readonly ((username: string, i: number) => ReturnType<typeof sending>)[] = [
  (username, i) => ({
    ...sending('POST', '/fetch_api_key', { username, password: `guess ${i}` }),
    as: null,
  }),
  (username, i) => ({
    ...sending('POST', '', { username, password: `guess ${i}` }),
    path: '/login/',
    as: null,
  }),
  (_, i) =>
    sending('PATCH', '/settings', { old_password: `guess ${i}`, new_password: 'a new password' }),
  (email, i) => ({
    ...sending('POST', '/users/me/presence', { status: 'active' }),
    as: { email, apiKey: `${i}`.padStart(32, '0') },
  }),
]
