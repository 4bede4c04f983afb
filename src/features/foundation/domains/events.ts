import type { WireEvent } from '#platform/events/types.ts'
import type { DomainJson } from './json.ts'

/**
 * An allowed domain was added, or the rule for its subdomains changed.
 *
 * @source Zulip API, "Get events", type "realm_domains"
 */
export interface DomainEvent extends WireEvent {
  type: 'realm_domains'
  op: 'add' | 'change'
  realm_domain: DomainJson
}

export interface DomainRemoveEvent extends WireEvent {
  type: 'realm_domains'
  op: 'remove'
  domain: string
}

export function domainEvent(op: DomainEvent['op'], realm_domain: DomainJson): DomainEvent {
  return { type: 'realm_domains', op, realm_domain }
}

export function domainRemoveEvent(domain: string): DomainRemoveEvent {
  return { type: 'realm_domains', op: 'remove', domain }
}
