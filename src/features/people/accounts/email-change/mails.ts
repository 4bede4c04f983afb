import { composed, type Mail } from '#features/notifications/mail/frame.ts'
import { requireRealm } from '#features/organization/realm/queries.ts'
import type { Read } from '#platform/store/write.ts'

/** Goes to the new address; opening its link confirms the change. */
export function confirmationMail(read: Read, email: string, url: string): Mail {
  const { name } = requireRealm(read)
  return composed({
    organization: name,
    address: email,
    subject: `Confirm your new address at ${name}`,
    parts: [
      {
        lead: `To use this address for your account at ${name}, open within a day:`,
        url,
        button: 'Use this address',
      },
      'If you did not request this, you can ignore this mail.',
    ],
  })
}

/** Goes to the old address once the new one is confirmed. */
export function oldAddressMail(read: Read, oldEmail: string, email: string): Mail {
  const { name } = requireRealm(read)
  return composed({
    organization: name,
    address: oldEmail,
    subject: `Your address at ${name} was changed`,
    parts: [
      `The address of your account at ${name} is now ${email}.`,
      'If that was not you, ask the administrators for help.',
    ],
  })
}

/** Goes to the new address, if somebody else than its owner has changed it. */
export function newAddressMail(read: Read, email: string): Mail {
  const { name } = requireRealm(read)
  return composed({
    organization: name,
    address: email,
    subject: `Your address at ${name} was changed`,
    parts: [
      `An account at ${name} has this address from now on: somebody who manages the accounts has set it.`,
      'If you have no account there, ask its administrators to correct it.',
    ],
  })
}

/** Goes to an address that somebody wants who may not know that another account has it. */
export function addressInUseMail(read: Read, email: string): Mail {
  const { name } = requireRealm(read)
  return composed({
    organization: name,
    address: email,
    subject: `Your address at ${name}`,
    parts: [
      `Somebody, perhaps you, wants to use this address for another account at ${name}.`,
      'It belongs to another account already, so nothing was changed.',
    ],
  })
}
