import { boolean, choice, event, named, string } from '#shape.ts'

/** @source the API description's `RealmDomain` */
export const domainShape = named('RealmDomain', { domain: string, allow_subdomains: boolean })

export const domainEventShapes = [
  event('RealmDomainEvent', 'realm_domains', {
    op: choice('add', 'change'),
    realm_domain: domainShape,
  }),
  event('RealmDomainRemoveEvent', 'realm_domains', { op: choice('remove'), domain: string }),
]
