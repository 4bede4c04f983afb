import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { domainJson } from './json.ts'
import { listDomains } from './queries.ts'
import { domainShape } from './shapes.ts'

export const domainsState = {
  types: ['realm_domains'],
  members: { realm_domains: shape.list(domainShape) },
  read: ({ store }) => ({ realm_domains: listDomains(store).map(domainJson) }),
} satisfies StatePart
