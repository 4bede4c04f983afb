import * as v from 'valibot'
import { externalAccounts } from '#features/foundation/realm/choices.ts'
import { requireLength } from '#features/foundation/realm/limits.ts'
import { requirePlainName } from '#features/foundation/realm/names.ts'
import { badRequest } from '#platform/errors.ts'
import type { Read } from '#platform/store/store.ts'
import { nameKey } from '#shared/names.ts'
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
    if (!result.success) throw badRequest('Invalid external account type')
    return result.output
  }
  if (Object.keys(data).length > 0) throw badRequest('Fields of this type have no field_data.')
  return {}
}

function requireOptions(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result = v.safeParse(options, data)
  if (!result.success) throw badRequest('Invalid field_data')
  const texts = Object.values(result.output).map(({ text }) => text)
  if (texts.length === 0) throw badRequest('Field must have at least one choice.')
  if (texts.length > 1000) throw badRequest('field_data has too many items (limit: 1000)')
  if (new Set(texts).size < texts.length) {
    throw badRequest('Field must not have duplicate choices.')
  }
  return result.output
}

/** @throws BAD_REQUEST an empty, too long or taken name */
export function requireFieldName(read: Read, name: string, self?: number): string {
  if (name.trim() === '') throw badRequest('Label cannot be blank.')
  const wanted = requirePlainName('name', name, longest.name)
  const key = nameKey(wanted)
  if (listProfileFields(read).some((field) => nameKey(field.name) === key && field.id !== self)) {
    throw badRequest('A field with that label already exists.')
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
    throw badRequest('Field type not supported for display in profile summary.')
  }
  const others = listProfileFields(read).filter(
    (field) => field.displayInProfileSummary && field.id !== id,
  )
  if (others.length >= summaryFields) {
    throw badRequest('Only 2 custom profile fields can be displayed in the profile summary.')
  }
}
