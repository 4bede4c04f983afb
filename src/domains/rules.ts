import { badRequest } from '#errors.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Read } from '#store/write.ts'
import { listDomains } from './queries.ts'

/** The best known services that give an address to whoever asks, for an hour. */
const disposable: ReadonlySet<string> = new Set(
  `0-mail.com 10minutemail.com 10minutemail.net 20minutemail.com 33mail.com anonbox.net anonymbox.com
  burnermail.io byom.de cock.li crazymailing.com deadaddress.com discard.email discardmail.com
  dispostable.com dropmail.me easytrashmail.com emailondeck.com emailsensei.com fakeinbox.com
  fakemail.net fakemailgenerator.com filzmail.com getairmail.com getnada.com grr.la guerrillamail.biz
  guerrillamail.com guerrillamail.de guerrillamail.info guerrillamail.net guerrillamail.org
  guerrillamailblock.com harakirimail.com inboxbear.com inboxkitten.com incognitomail.org jetable.org
  linshiyouxiang.net mail-temp.com mail.tm mailcatch.com maildrop.cc mailexpire.com mailforspam.com
  mailinator.com mailinator.net mailinator2.com mailnesia.com mailnull.com mailpoof.com mailsac.com
  mailtemp.info meltmail.com mintemail.com moakt.com mohmal.com mt2015.com mytemp.email mytrashmail.com
  nada.email nowmymail.com owlymail.com pokemail.net sharklasers.com smailpro.com spam4.me
  spambog.com spambox.us spamfree24.org spamgourmet.com spamhole.com spamspot.com temp-mail.io
  temp-mail.org tempail.com tempinbox.com tempmail.com tempmail.dev tempmail.net tempmailo.com
  tempr.email throwam.com throwawaymail.com tmailor.com tmpmail.net tmpmail.org trash-mail.com
  trashmail.com trashmail.de trashmail.net trashmail.ws wegwerfmail.de wegwerfmail.net yopmail.com
  yopmail.fr yopmail.net`.split(/\s+/),
)

/**
 * Refuses the address of somebody who is to join, or to change theirs, where the organization's
 * settings do not let it in. Where addresses are restricted to domains, nothing else counts.
 *
 * @throws BAD_REQUEST an address of no allowed domain, one with a `+` that makes many of one, or of
 *   a service that gives addresses away
 * @source the API description's `realm_emails_restricted_to_domains` and
 *   `realm_disallow_disposable_email_addresses`
 */
export function requireAllowedAddress(read: Read, email: string): void {
  const at = email.lastIndexOf('@')
  const host = email
    .slice(at + 1)
    .trim()
    .toLowerCase()
  if (realmSetting(read, 'emails_restricted_to_domains')) {
    if (email.slice(0, at).includes('+')) {
      throw badRequest('Email addresses containing + are not allowed in this organization.')
    }
    const fits = listDomains(read).some(
      ({ domain, allowSubdomains }) =>
        host === domain || (allowSubdomains && host.endsWith(`.${domain}`)),
    )
    if (!fits) throw badRequest(`Email '${email}' not allowed in this organization`)
  } else if (realmSetting(read, 'disallow_disposable_email_addresses') && isDisposable(host)) {
    throw badRequest('Please use your real email address.')
  }
}

function isDisposable(host: string): boolean {
  const parts = host.split('.')
  return parts.some((_, index) => disposable.has(parts.slice(index).join('.')))
}
