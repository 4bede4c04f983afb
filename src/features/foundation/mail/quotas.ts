import { accountRate, hour, rate } from '#platform/quotas/quota.ts'
import { mailLinks, outgoingMail } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'
import { mailbox } from './mailbox.ts'

/** Mail that an account causes, to any address. */
export const mailQuota = accountRate({
  name: 'mails_per_hour',
  most: 50,
  meaning: 'Mails caused by an account.',
  seconds: hour,
  always: true,
  forAdministrators: 10,
  tooMany: sentText('You have sent too much mail (limit: {count} an hour)'),
  with: [outgoingMail, mailLinks],
})

/** Mail to an address that a user entered, who may not be its owner. */
export const addressQuota = rate(
  {
    name: 'mails_per_hour_to_address',
    most: 3,
    meaning: 'Invitations, confirmations and password resets in total.',
    seconds: hour,
    always: true,
    tooMany: sentText('Too much mail was sent to this address (limit: {count} an hour)'),
  },
  mailbox,
)

/**
 * Mail about an account to its own address. Counted separately, so that others cannot exhaust the
 * limit and suppress notices about logins.
 */
export const noticeQuota = rate(
  {
    name: 'notices_per_hour_to_address',
    most: 10,
    meaning: 'Mails to users about their account, for example about log-ins.',
    seconds: hour,
    always: true,
    tooMany: sentText(
      'Too many mails about this account were sent to its address (limit: {count} an hour)',
    ),
  },
  mailbox,
)
