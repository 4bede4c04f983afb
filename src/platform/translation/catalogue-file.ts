import * as v from 'valibot'
import type { PluralForms } from '#translations/translate.ts'

/*
 * The file of a language: `src/translations/de.json`, and one of the same form in the data folder,
 * which replaces single translations.
 */

/** In UTF-16 code units; ten times the longest English text. */
const longestText = 4000
/** In UTF-16 code units; five times the largest file of ours. */
const largestFile = 2 * 1024 * 1024

/** The texts are shown as they are and never as HTML, but a tag would always be a mistake. */
const line = v.pipe(
  v.string(),
  v.maxLength(longestText),
  v.check((value) => !/<\/?[a-z][^<>]*>|&(?:\w+|#\d+);/i.test(value), 'HTML is not allowed'),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  v.check((value) => !/[\0-\x09\x0b-\x1f\x7f]/.test(value), 'control characters are not allowed'),
)

const forms = v.strictObject({
  zero: v.optional(line),
  one: v.optional(line),
  two: v.optional(line),
  few: v.optional(line),
  many: v.optional(line),
  other: line,
})

const texts = v.record(v.string(), v.union([line, forms]))

const schema = v.strictObject({
  /** A BCP 47 tag, as the file's name. */
  language: v.string(),
  /** The author, for people who want to improve it. */
  note: v.optional(v.string(), ''),
  /** Whether it is complete: if so, a missing text fails the tests. */
  isWhole: v.optional(v.boolean(), false),
  /** Texts of the web client. */
  client: v.optional(texts, {}),
  /** Texts of pages, mails and notifications. */
  server: v.optional(texts, {}),
})

export type CatalogueFile = v.InferOutput<typeof schema>

/** @throws Error says what is wrong with the file, and where */
export function parseCatalogueFile(json: string): CatalogueFile {
  if (json.length > largestFile) throw new Error(`file: larger than ${largestFile} characters`)
  const found = v.safeParse(schema, JSON.parse(json))
  if (found.success) return found.output
  const [issue] = found.issues
  throw new Error(`${v.getDotPath(issue) ?? 'file'}: ${issue.message}`)
}

/** Placeholders of a text, such as `name` for `{name}`. */
function placeholders(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort()
}

/**
 * What is wrong with a translation: undefined if it fits.
 *
 * @param key the English text, or both of its forms as `pluralKey` joins them
 */
export function translationProblem(
  language: string,
  key: string,
  translation: string | PluralForms,
): string | undefined {
  const [one = '', other] = key.includes(' | ') ? key.split(' | ') : [key]
  if (typeof translation === 'string') {
    if (other !== undefined && placeholders(other).includes('count')) return 'needs plural forms'
    return sameNames(one, translation)
  }
  if (other === undefined) return 'has no plural forms'
  const wanted = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const given = Object.keys(translation)
  const missing = wanted.filter((category) => !given.includes(category))
  if (missing.length > 0) return `has no form for ${missing.join(', ')}`
  const extra = given.filter((category) => !(wanted as string[]).includes(category))
  if (extra.length > 0)
    return `has a form for ${extra.join(', ')}, which the language does not have`
  for (const [category, form] of Object.entries(translation)) {
    // "One message" does not need the number.
    const problem = sameNames(other, form, category === 'other' ? [] : ['count'])
    if (problem) return problem
  }
  return undefined
}

function sameNames(
  english: string,
  translation: string,
  optional: readonly string[] = [],
): string | undefined {
  const without = (names: readonly string[]) => names.filter((name) => !optional.includes(name))
  const [wanted, given] = [placeholders(english), placeholders(translation)].map((names) =>
    [...new Set(without(names))].join(', '),
  )
  return wanted === given ? undefined : `has {${given}} instead of {${wanted}}`
}
