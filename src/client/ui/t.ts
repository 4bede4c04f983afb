/*
 * Every text that people see. English texts are the keys, so a language is one file: a `Catalogue`
 * from each English text to its translation, or to one for each plural category.
 */

export interface Catalogue {
  /** A BCP 47 tag, for plural rules. */
  readonly language: string
  readonly texts: Readonly<
    Record<string, string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>>
  >
}

let catalogue: Catalogue = { language: 'en', texts: {} }
let plurals = new Intl.PluralRules('en')

/** Takes the texts of another language. To be called before anything is drawn. */
export function setCatalogue(next: Catalogue): void {
  catalogue = next
  plurals = new Intl.PluralRules(next.language)
}

type Values = Readonly<Record<string, string | number>>

/**
 * A text in the user's language.
 *
 * @param text English, with `{name}` where values go
 */
export function t(text: string, values?: Values): string {
  const translated = catalogue.texts[text]
  return fill(typeof translated === 'string' ? translated : text, values)
}

/**
 * A text that depends on a number.
 *
 * @param one English for one, also the key of the translations
 * @param other English for any other number; `{count}` stands for the number
 */
export function tn(count: number, one: string, other: string, values?: Values): string {
  const forms = catalogue.texts[one]
  const english = count === 1 ? one : other
  const chosen =
    typeof forms === 'object' ? (forms[plurals.select(count)] ?? forms.other ?? english) : english
  return fill(chosen, { count: formatCount(count), ...values })
}

/** A number as people write it. */
function formatCount(count: number): string {
  return count < 10_000 ? String(count) : count.toLocaleString()
}

function fill(text: string, values: Values | undefined): string {
  if (!values) return text
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : String(value)
  })
}
