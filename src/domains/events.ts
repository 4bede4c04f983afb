import type { WireEvent } from '#events/types.ts'
import type { DomainJson } from './json.ts'

/** A domain whose addresses may join came, or its subdomains may join too, or no more. */
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
