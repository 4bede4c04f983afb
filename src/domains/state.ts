import type { StatePart } from '#events/state.ts'
import { listDomains } from './queries.ts'

/** @source the API description's `RealmDomain` */
export const domainsState: StatePart = {
  types: ['realm_domains'],
  read: ({ store }) => ({
    realm_domains: listDomains(store).map(({ domain, allowSubdomains }) => ({
      domain,
      allow_subdomains: allowSubdomains,
    })),
  }),
}
