import { countedQuota, day, organizationRate } from '#platform/quotas/quota.ts'
import { invitations } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'
import { countOpenInvitationsBy } from './queries.ts'

/** The valid links and mailed invitations of an account. */
export const invitationQuota = countedQuota<{ readonly id: number }>(
  {
    name: 'invitations',
    most: 2000,
    meaning: 'Valid links and invitations by mail of an account.',
    tooMany: sentText('You have too many invitations (limit: {count})'),
  },
  [invitations],
  (read, { id }) => countOpenInvitationsBy(read, id),
)

/** @source Zulip API, "Send invitations", `daily_limit_reached` */
export const invitationMailQuota = organizationRate({
  name: 'invitations_per_day',
  most: 500,
  meaning: 'Invitations by mail in the organization, including those sent again.',
  seconds: day,
  always: true,
  tooMany: sentText('Too many people were invited (limit: {count} a day)'),
})
