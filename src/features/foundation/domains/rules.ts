import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { disposableDomains } from './disposable.cjs'
import { listDomains } from './queries.ts'

/**
 * Requires an email address that the organization's settings allow for new users and for changes of
 * address. If addresses are restricted to domains, disposable ones are not checked.
 *
 * @throws BAD_REQUEST an address outside the allowed domains, one with a `+`, which would let one
 * mailbox have many accounts, or a disposable address
 * @source Zulip API, "Register an event queue": `realm_emails_restricted_to_domains`,
 * `realm_disallow_disposable_email_addresses`
 */
export function requireAllowedAddress(read: Read, email: string): void {
  const at = email.lastIndexOf('@')
  const host = email
    .slice(at + 1)
    .trim()
    .toLowerCase()
  if (realmSetting(read, 'emails_restricted_to_domains')) {
    if (email.slice(0, at).includes('+')) {
      throw badRequest(
        sentSentence('Email addresses containing + are not allowed in this organization.'),
        { parameter: 'email' },
      )
    }
    const fits = listDomains(read).some(
      ({ domain, allowSubdomains }) =>
        host === domain || (allowSubdomains && host.endsWith(`.${domain}`)),
    )
    if (!fits) {
      throw badRequest(
        sentSentence("Email '{email}' not allowed in this organization", { email }),
        {
          parameter: 'email',
        },
      )
    }
  } else if (realmSetting(read, 'disallow_disposable_email_addresses') && isDisposable(host)) {
    throw badRequest(sentSentence('Please use your real email address.'), { parameter: 'email' })
  }
}

/** Whether a host or a domain above it belongs to a service for disposable addresses. */
function isDisposable(host: string): boolean {
  const parts = host.split('.')
  const domains = disposableDomains()
  return parts.some((_, index) => domains.has(parts.slice(index).join('.')))
}
