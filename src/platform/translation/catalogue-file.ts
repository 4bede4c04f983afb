import * as v from 'valibot'
import type { PluralForms } from '#translations/translate.ts'

/*
 * The file of a language: `src/translations/de.json`, and one of the same form in the data folder,
 * which replaces single translations.
 */

/** In UTF-16 code units; ten times the longest English text. */
const longestText = 4000
/** In UTF-16 code units; five times the largest file of ours. */
export const largestFile = 2 * 1024 * 1024

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

const translation = v.union([line, forms])
const texts = v.record(v.string(), translation)

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
  return valid(schema, JSON.parse(json))
}

function valid<T extends v.GenericSchema>(wanted: T, value: unknown): v.InferOutput<T> {
  const found = v.safeParse(wanted, value)
  if (found.success) return found.output
  const [issue] = found.issues
  throw new Error(`${v.getDotPath(issue) ?? 'file'}: ${issue.message}`)
}

const ownSection = v.optional(v.record(v.string(), v.unknown()), {})
const ownSchema = v.strictObject({ ...schema.entries, client: ownSection, server: ownSection })

/** Translations that replace ours, as far as they fit. */
export interface OwnTexts extends Pick<CatalogueFile, 'client' | 'server'> {
  /** What is left out, and why. */
  readonly problems: readonly string[]
}

/**
 * Reads a file of the data folder, text by text: a mistake in one leaves the others.
 *
 * @param language the BCP 47 tag by which the file is named
 * @throws Error what is wrong with the file as a whole
 */
export function parseOwnFile(language: string, json: string): OwnTexts {
  const file = valid(ownSchema, JSON.parse(json))
  if (file.language !== language) {
    throw new Error(`language: "${file.language}" instead of "${language}"`)
  }
  const problems: string[] = []
  const fitting = (section: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(section).flatMap(([key, value]) => {
        const read = v.safeParse(translation, value)
        const problem = read.success
          ? translationProblem(language, key, read.output as string | PluralForms)
          : read.issues[0].message
        if (problem !== undefined) problems.push(`"${key}" ${problem}`)
        return read.success && problem === undefined ? [[key, read.output] as const] : []
      }),
    )
  return { client: fitting(file.client), server: fitting(file.server), problems }
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
