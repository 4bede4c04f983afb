import * as shape from '#platform/shape.ts'

/** @source Zulip API, "Get allowed domains" */
export const domainShape = shape.named('RealmDomain', {
  domain: shape.string,
  allow_subdomains: shape.boolean,
})

export const domainEventShapes = [
  shape.event('RealmDomainEvent', 'realm_domains', {
    op: shape.choice('add', 'change'),
    realm_domain: domainShape,
  }),
  shape.event('RealmDomainRemoveEvent', 'realm_domains', {
    op: shape.choice('remove'),
    domain: shape.string,
  }),
]
