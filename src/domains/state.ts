import type { StatePart } from '#events/state.ts'
import { list } from '#shape.ts'
import { domainJson } from './json.ts'
import { listDomains } from './queries.ts'
import { domainShape } from './shapes.ts'

export const domainsState: StatePart = {
  types: ['realm_domains'],
  shape: { realm_domains: list(domainShape) },
  read: ({ store }) => ({ realm_domains: listDomains(store).map(domainJson) }),
}
