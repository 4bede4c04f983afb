import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { requireOwner } from '#permissions/can.ts'
import { realmUpdateEvent } from '#realm/events.ts'
import { realmSetting, setRealmSetting } from '#realm/settings.ts'
import type { Read, Tx } from '#store/write.ts'
import { findUser } from '#users/queries.ts'
import { domainEvent, domainRemoveEvent } from './events.ts'
import { domainJson } from './json.ts'
import {
  deleteDomain,
  insertDomain,
  listDomains,
  type RealmDomain,
  updateDomain,
} from './queries.ts'

const everybody = () => true

/** The longest name that the domain name system knows. */
const longest = 253

/**
 * Adds a domain whose addresses may join where addresses are restricted, and tells everybody.
 *
 * @throws UNAUTHORIZED_PRINCIPAL who does not own the organization
 * @throws BAD_REQUEST what is no domain, or a domain that is there
 * @source api-changes §2b
 */
export function addDomain(tx: Tx, caller: Caller, wanted: RealmDomain): void {
  requireOwner(findUser(tx, caller.user.id) ?? caller.user)
  const domain = requireDomainName(wanted.domain)
  if (find(tx, domain)) {
    throw badRequest(`The domain ${domain} is already a part of your organization.`)
  }
  const added = insertDomain(tx, { ...wanted, domain })
  tx.emit(domainEvent('add', domainJson(added)), everybody)
}

/**
 * Decides whether the addresses of a domain's subdomains may join too.
 *
 * @throws UNAUTHORIZED_PRINCIPAL; BAD_REQUEST no such domain
 */
export function editDomain(tx: Tx, caller: Caller, change: RealmDomain): void {
  requireOwner(findUser(tx, caller.user.id) ?? caller.user)
  const before = access(tx, change.domain)
  if (before.allowSubdomains === change.allowSubdomains) return
  const after = { ...before, allowSubdomains: change.allowSubdomains }
  updateDomain(tx, after)
  tx.emit(domainEvent('change', domainJson(after)), everybody)
}

/**
 * Removes a domain, and tells everybody. With the last one the restriction ends: it would leave
 * nobody who may join.
 *
 * @throws UNAUTHORIZED_PRINCIPAL; BAD_REQUEST no such domain
 */
export function removeDomain(tx: Tx, caller: Caller, name: string): void {
  requireOwner(findUser(tx, caller.user.id) ?? caller.user)
  const { domain } = access(tx, name)
  deleteDomain(tx, domain)
  if (listDomains(tx).length === 0 && realmSetting(tx, 'emails_restricted_to_domains')) {
    setRealmSetting(tx, 'emails_restricted_to_domains', false)
    tx.emit(realmUpdateEvent({ emails_restricted_to_domains: false }), everybody)
  }
  tx.emit(domainRemoveEvent(domain), everybody)
}

function find(read: Read, name: string): RealmDomain | undefined {
  return listDomains(read).find(({ domain }) => domain === name.trim().toLowerCase())
}

function access(read: Read, name: string): RealmDomain {
  const found = find(read, name)
  if (!found) throw badRequest(`No entry found for domain ${name}.`)
  return found
}

/** @throws BAD_REQUEST what is not two or more labels of letters, digits and inner hyphens */
function requireDomainName(wanted: string): string {
  const domain = wanted.trim().toLowerCase()
  const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
  const isDomain = domain.length <= longest && new RegExp(`^${label}(\\.${label})+$`).test(domain)
  if (!isDomain) throw badRequest('Invalid domain')
  return domain
}
