import { requireRealm } from '#features/organization/realm/queries.ts'
import type { User } from '#features/people/users/queries.ts'
import type { Read } from '#platform/store/write.ts'
import { composed, type Mail } from './frame.ts'
import { mailTime } from './times.ts'

/** What may have changed of what opens an account. */
export type CredentialChange = keyof typeof texts

const texts = {
  password: {
    subject: (name: string) => `Your password at ${name} was changed`,
    what: (name: string) =>
      `The password of your account at ${name} was changed. All browsers were logged out.`,
  },
  key: {
    subject: (name: string) => `Your API key at ${name} was changed`,
    what: (name: string) =>
      `The API key of your account at ${name} was replaced. Apps and programs have to log in again.`,
  },
  secondFactorOn: {
    subject: (name: string) => `Two-factor authentication is on at ${name}`,
    what: (name: string) =>
      `Two-factor authentication was switched on for your account at ${name}.`,
  },
  secondFactorOff: {
    subject: (name: string) => `Two-factor authentication is off at ${name}`,
    what: (name: string) =>
      `Two-factor authentication was switched off for your account at ${name}: the password is enough to log in.`,
  },
  secondFactorReset: {
    subject: (name: string) => `Two-factor authentication is off at ${name}`,
    what: (name: string) =>
      `An administrator switched two-factor authentication off for your account at ${name}: the password is enough to log in.`,
  },
  recoveryCodes: {
    subject: (name: string) => `New recovery codes at ${name}`,
    what: (name: string) =>
      `Your account at ${name} got new recovery codes for two-factor authentication. The earlier ones work no more.`,
  },
} as const

/** Tells a user of a change of what opens their account. */
export function credentialMail(read: Read, user: User, change: CredentialChange): Mail {
  const { name } = requireRealm(read)
  const { subject, what } = texts[change]
  return composed({
    organization: name,
    address: user.email,
    subject: subject(name),
    parts: [
      what(name),
      {
        facts: [
          ['Account', user.email],
          ['Time', mailTime(read.clock.now(), user.timezone)],
        ],
      },
      'If that was not you, ask the administrators for help.',
    ],
  })
}
