import type { EventOf } from '#platform/shape.ts'
import type { DomainJson } from './json.ts'
import type { domainEventShapes } from './shapes.ts'

/**
 * An allowed domain was added, or the rule for its subdomains changed.
 *
 * @source Zulip API, "Get events", type "realm_domains"
 */
export type DomainEvent = EventOf<typeof domainEventShapes, 'realm_domains', 'add' | 'change'>

export type DomainRemoveEvent = EventOf<typeof domainEventShapes, 'realm_domains', 'remove'>

export function domainEvent(op: DomainEvent['op'], realm_domain: DomainJson): DomainEvent {
  return { type: 'realm_domains', op, realm_domain }
}

export function domainRemoveEvent(domain: string): DomainRemoveEvent {
  return { type: 'realm_domains', op: 'remove', domain }
}
