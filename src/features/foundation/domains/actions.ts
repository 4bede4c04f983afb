import { requireOwner } from '#features/foundation/permissions/rules.ts'
import { realmUpdateEvent } from '#features/foundation/realm/events.ts'
import { realmSetting, setRealmSetting } from '#features/foundation/realm/settings.queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { domainEvent, domainRemoveEvent } from './events.ts'
import { domainJson } from './json.ts'
import {
  deleteDomain,
  insertDomain,
  listDomains,
  type RealmDomain,
  updateDomain,
} from './queries.ts'
import { domainQuota } from './quotas.ts'

const everybody = () => true

/** The maximum length of a domain name. @source RFC 1035, section 2.3.4 */
const longest = 253

/**
 * Adds a domain to those that email addresses are restricted to, and emits it to everyone.
 *
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an organization owner
 * @throws BAD_REQUEST not a domain, or already added
 * @source Zulip API, "Add an allowed domain"
 */
export function addDomain(tx: Tx, caller: Caller, wanted: RealmDomain): void {
  requireOwner(caller.user)
  const domain = requireDomainName(wanted.domain)
  if (find(tx, domain)) {
    throw badRequest(
      sentSentence('The domain {domain} is already a part of your organization.', { domain }),
      { parameter: 'domain' },
    )
  }
  requireRoom(tx, domainQuota, 'all')
  const added = insertDomain(tx, { ...wanted, domain })
  tx.emit(domainEvent('add', domainJson(added)), everybody)
}

/**
 * Changes whether email addresses of a domain's subdomains are also allowed.
 *
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an organization owner
 * @throws BAD_REQUEST no such domain
 * @source Zulip API, "Update an allowed domain"
 */
export function editDomain(tx: Tx, caller: Caller, change: RealmDomain): void {
  requireOwner(caller.user)
  const before = access(tx, change.domain)
  if (before.allowSubdomains === change.allowSubdomains) return
  const after = { ...before, allowSubdomains: change.allowSubdomains }
  updateDomain(tx, after)
  tx.emit(domainEvent('change', domainJson(after)), everybody)
}

/**
 * Removes a domain and emits that to everyone. Removing the last one turns off the restriction to
 * domains, because otherwise nobody could join.
 *
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an organization owner
 * @throws BAD_REQUEST no such domain
 * @source Zulip API, "Remove an allowed domain"
 */
export function removeDomain(tx: Tx, caller: Caller, name: string): void {
  requireOwner(caller.user)
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
  if (!found)
    throw badRequest(sentSentence('No entry found for domain {name}.', { name }), {
      parameter: 'domain',
    })
  return found
}

/** @throws BAD_REQUEST unless two or more labels of letters, digits and inner hyphens */
function requireDomainName(wanted: string): string {
  const domain = wanted.trim().toLowerCase()
  const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
  const isDomain = domain.length <= longest && new RegExp(`^${label}(\\.${label})+$`).test(domain)
  if (!isDomain) throw badRequest(sentSentence('Invalid domain'), { parameter: 'domain' })
  return domain
}
