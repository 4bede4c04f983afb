import type { StatePart } from '#events/state.ts'
import { domainJson } from './json.ts'
import { listDomains } from './queries.ts'

export const domainsState: StatePart = {
  types: ['realm_domains'],
  read: ({ store }) => ({ realm_domains: listDomains(store).map(domainJson) }),
}
