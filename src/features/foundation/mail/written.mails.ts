import { requireRealm } from '#features/foundation/realm/queries.ts'
import { organizationLanguage, userLanguage } from '#features/foundation/users/language.queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { Read } from '#platform/store/store.ts'
import type { Translator } from '#translations/translate.ts'
import { type Contents, composed, type Mail } from './frame.ts'

/** Writes a mail. @param organization its name */
type Writing = (
  language: Translator,
  organization: string,
) => Omit<Contents, 'language' | 'address' | 'organization'>

/** A mail to a user in their language. */
export function mailToUser(read: Read, user: User, writing: Writing): Mail {
  return written(read, userLanguage(read, user), user.email, writing)
}

/** A mail to an address without an account, in the language of the organization. */
export function mailToAddress(read: Read, address: string, writing: Writing): Mail {
  return written(read, organizationLanguage(read), address, writing)
}

function written(read: Read, language: Translator, address: string, writing: Writing): Mail {
  const { name: organization } = requireRealm(read)
  return composed({ language, organization, address, ...writing(language, organization) })
}
