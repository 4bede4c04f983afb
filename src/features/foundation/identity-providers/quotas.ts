import { organizationHolds } from '#platform/quotas/quota.ts'
import { identityProviders } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

/** Providers that the operator stored. */
export const providerQuota = organizationHolds(
  {
    name: 'identity_providers',
    most: 50,
    meaning: 'Providers that `parley sso add` stored.',
    tooMany: sentText('There are too many identity providers (limit: {count})'),
  },
  identityProviders,
)
