import { accountRate, hour } from '#platform/quotas/quota.ts'

/** The calls that one account makes or joins through this server: each asks the provider. */
export const callRate = accountRate({
  name: 'calls_per_hour',
  most: 60,
  tooMany: 'Too many calls',
  seconds: hour,
})
