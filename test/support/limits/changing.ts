import type { Config } from '#platform/config.ts'
import type { Store } from '#platform/store/store.ts'

type Limits = { -readonly [Name in 'quotas' | 'rateLimits']: Config[Name] }

/** Limits of a running server from here on; all others in time are lifted, but those that always hold. */
export function changeLimits({ config }: Store, quotas: Config['quotas']): void {
  const limits: Limits = config
  limits.quotas = quotas
  limits.rateLimits = false
}
