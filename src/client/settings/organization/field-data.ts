import type { Realm } from '#client/state/store.ts'

/**
 * The data of a custom profile field besides its name, as forms edit it. Pure, for the form and its
 * tests.
 */

export type ProfileField = Realm['custom_profile_fields'][number]

/** The types of fields that have data, by their number in the API. */
export const listType = 3
export const accountType = 7

/** The types that the summary of a profile cannot show: long texts and people. */
export const notInSummary: readonly number[] = [2, 6]

/** An option of a list. Its key is the value that people choose, so it stays when the text changes. */
export interface FieldOption {
  readonly key: string
  readonly text: string
}

/** The site of an external account; `custom` has an address of its own. */
export interface FieldSite {
  readonly subtype: string
  /** With `%(username)s` for the name of the account. */
  readonly urlPattern: string
}

export const ownSite = 'custom'

function dataOf({ field_data }: Pick<ProfileField, 'field_data'>): Record<string, unknown> {
  return field_data === '' ? {} : (JSON.parse(field_data) as Record<string, unknown>)
}

/** The options of a list, in their order. */
export function optionsOf(field: Pick<ProfileField, 'field_data'>): readonly FieldOption[] {
  return Object.entries(dataOf(field) as Record<string, { text: string; order: string }>)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([key, { text }]) => ({ key, text }))
}

/** The site of an external account. */
export function siteOf(field: Pick<ProfileField, 'field_data'>): FieldSite {
  const { subtype, url_pattern } = dataOf(field)
  return { subtype: String(subtype ?? ''), urlPattern: String(url_pattern ?? '') }
}

/** The options with an empty one at the end, under a key that none has. */
export function withNewOption(options: readonly FieldOption[]): readonly FieldOption[] {
  const keys = options.map(({ key }) => Number(key)).filter(Number.isSafeInteger)
  return [...options, { key: String(Math.max(-1, ...keys) + 1), text: '' }]
}

/** In the API's form. Options without a text are left out. */
export function optionsToWire(options: readonly FieldOption[]): object {
  const filled = options.filter(({ text }) => text.trim() !== '')
  return Object.fromEntries(
    filled.map(({ key, text }, index) => [key, { text: text.trim(), order: String(index + 1) }]),
  )
}

export function siteToWire({ subtype, urlPattern }: FieldSite): object {
  return subtype === ownSite ? { subtype, url_pattern: urlPattern.trim() } : { subtype }
}
