import { feature } from '#platform/feature.ts'
import { providerQuota } from './quotas.ts'

export const identityProviders = feature({
  quotas: [providerQuota],
})
