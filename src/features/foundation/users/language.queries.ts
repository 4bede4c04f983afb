import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import type { Read } from '#platform/store/store.ts'
import { languageOf } from '#platform/translation/catalogues.ts'
import type { Translator } from '#translations/translate.ts'
import { userSetting } from './settings.queries.ts'

/** The language that a user has chosen. */
export function userLanguage(read: Read, { id }: { readonly id: number }): Translator {
  return languageOf(read, userSetting(read, id, 'default_language'))
}

/**
 * The organization's language, for people without an account and for texts that everyone reads.
 */
export function organizationLanguage(read: Read): Translator {
  return languageOf(read, realmSetting(read, 'default_language'))
}
