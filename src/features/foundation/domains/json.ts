import type { Shaped } from '#platform/shape.ts'
import type { RealmDomain } from './queries.ts'
import type { domainShape } from './shapes.ts'

/** A domain on the wire. */
export type DomainJson = Shaped<typeof domainShape>

export function domainJson({ domain, allowSubdomains }: RealmDomain): DomainJson {
  return { domain, allow_subdomains: allowSubdomains }
}
