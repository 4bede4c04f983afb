import * as v from 'valibot'
import { externalAccounts } from '#features/foundation/realm/choices.ts'
import { requireLength } from '#features/foundation/realm/limits.ts'
import { requirePlainName } from '#features/foundation/realm/names.ts'
import { badRequest } from '#platform/errors.ts'
import { naming, tooManyItems } from '#platform/sentences.ts'
import type { Read } from '#platform/store/store.ts'
import { nameKey } from '#shared/names.ts'
import { sentSentence } from '#translations/translate.ts'
import { listProfileFields, type ProfileField } from './queries.ts'

/** Short text, long text, list of options, date, link, users, external account, pronouns. */
export const fieldTypes = [1, 2, 3, 4, 5, 6, 7, 8] as const

/**
 * The most fields in a profile summary.
 *
 * @source Zulip API, "Create a custom profile field"
 */
const summaryFields = 2
/** The types that a profile summary cannot show. */
const notInSummary: readonly number[] = [2, 6]

/** The longest name and hint, in Unicode code points. */
export const longest = { name: 40, hint: 80 } as const

const option = v.object({
  text: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200)),
  order: v.pipe(v.string(), v.regex(/^\d{1,9}$/)),
})
const options = v.record(v.pipe(v.string(), v.minLength(1), v.maxLength(100)), option)

const site = v.object({ subtype: v.picklist(Object.keys(externalAccounts)) })
const ownSite = v.object({
  subtype: v.literal('custom'),
  url_pattern: v.pipe(
    v.string(),
    v.maxLength(1024),
    v.regex(/^https?:\/\/[^\s%]+(%[\dA-Fa-f]{2}[^\s%]*)*%\(username\)s/),
  ),
})

/**
 * Checks the data of a field of this type: the options of a list, or the site of an external
 * account. Other types have none.
 *
 * @throws BAD_REQUEST
 */
export function requireFieldData(
  fieldType: number,
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (fieldType === 3) return requireOptions(data)
  if (fieldType === 7) {
    const result = v.safeParse(v.union([ownSite, site]), data)
    if (!result.success)
      throw badRequest(sentSentence('Invalid external account type'), { parameter: 'field_data' })
    return result.output
  }
  if (Object.keys(data).length > 0)
    throw badRequest(sentSentence('Fields of this type have no field_data.'), {
      parameter: 'field_data',
    })
  return {}
}

function requireOptions(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result = v.safeParse(options, data)
  if (!result.success)
    throw badRequest(sentSentence('Invalid field_data'), { parameter: 'field_data' })
  const texts = Object.values(result.output).map(({ text }) => text)
  if (texts.length === 0)
    throw badRequest(sentSentence('Field must have at least one choice.'), {
      parameter: 'field_data',
    })
  if (texts.length > 1000)
    throw badRequest(naming('field_data', tooManyItems(1000)), { parameter: 'field_data' })
  if (new Set(texts).size < texts.length) {
    throw badRequest(sentSentence('Field must not have duplicate choices.'), {
      parameter: 'field_data',
    })
  }
  return result.output
}

/** @throws BAD_REQUEST an empty, too long or taken name */
export function requireFieldName(read: Read, name: string, self?: number): string {
  if (name.trim() === '')
    throw badRequest(sentSentence('Label cannot be blank.'), { parameter: 'name' })
  const wanted = requirePlainName({ what: 'name', parameter: 'name' }, name, longest.name)
  const key = nameKey(wanted)
  if (listProfileFields(read).some((field) => nameKey(field.name) === key && field.id !== self)) {
    throw badRequest(sentSentence('A field with that label already exists.'), { parameter: 'name' })
  }
  return wanted
}

/** @throws BAD_REQUEST */
export function requireHint(hint: string): string {
  requireLength('hint', hint, longest.hint)
  return hint
}

/** @throws BAD_REQUEST the type is not allowed in summaries, or the summary is full */
export function requireSummaryRoom(
  read: Read,
  { id, fieldType }: Pick<ProfileField, 'fieldType'> & { id?: number },
): void {
  if (notInSummary.includes(fieldType)) {
    throw badRequest(sentSentence('Field type not supported for display in profile summary.'), {
      parameter: 'display_in_profile_summary',
    })
  }
  const others = listProfileFields(read).filter(
    (field) => field.displayInProfileSummary && field.id !== id,
  )
  if (others.length >= summaryFields) {
    throw badRequest(
      sentSentence('Only 2 custom profile fields can be displayed in the profile summary.'),
      { parameter: 'display_in_profile_summary' },
    )
  }
}
