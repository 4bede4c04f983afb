import { composed, type Mail } from '#features/notifications/mail/frame.ts'
import { requireRealm } from '#features/organization/realm/queries.ts'
import type { Read } from '#platform/store/write.ts'

/** The mail with the link that resets a password. */
export function resetMail(read: Read, email: string, url: string): Mail {
  const { name } = requireRealm(read)
  return composed({
    organization: name,
    address: email,
    subject: `Your password at ${name}`,
    parts: [
      {
        lead: `To choose a new password at ${name}, open within a day:`,
        url,
        button: 'Choose a new password',
      },
      'If you did not request this, you can ignore this mail.',
    ],
  })
}
