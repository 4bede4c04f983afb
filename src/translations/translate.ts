/*
 * Texts in someone's language, for the server and the client. English texts are the keys of the
 * catalogues, so that a changed English text is one without a translation. Pure.
 */

declare const isText: unique symbol

/** An English text that the catalogues know: a literal that was passed to `text` or `texts`. */
export type Text = string & { readonly [isText]: true }

type Texts<T> = T extends string ? Text : { readonly [Key in keyof T]: Texts<T[Key]> }

/** Marks a text that is translated elsewhere: `npm run texts` reads the calls. */
export function text(english: string): Text {
  return english as Text
}

/** The same for all strings in a table. */
export function texts<const T>(table: T): Texts<T> {
  return table as Texts<T>
}

/** Marks an English text that the API sends, which clients translate where they show it. */
export function sentText<const T extends string>(english: T): T {
  return english
}

/** The same for all strings in a table. */
export function sentTexts<const T>(table: T): T {
  return table
}

/** One translation for each plural category of the language. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>

export interface Catalogue {
  /** A BCP 47 tag, such as `pt-BR`. */
  readonly language: string
  /** Translations by the English text, and by `pluralKey` where they depend on a number. */
  readonly texts: Readonly<Record<string, string | PluralForms>>
}

/** English is what the texts are written in. */
export const english: Catalogue = { language: 'en', texts: {} }

/** The key of a text with two forms. */
export function pluralKey(one: string, other: string): string {
  return `${one} | ${other}`
}

export type Values = Readonly<Record<string, string | number>>

/** A text with its values, which is put into someone's language where it is shown. */
export interface Sentence {
  readonly english: Text
  readonly values?: Values
}

/** Marks a text, like `text`. @param english with `{name}` where values go */
export function sentence(english: string, values?: Values): Sentence {
  return { english: english as Text, ...(values && { values }) }
}

/** The same for a refusal of the API, which clients translate where they show it. */
export function sentSentence(english: string, values?: Values): Sentence {
  return sentence(english, values)
}

/** A sentence as logs and the API have it: numbers are digits alone. */
export function inEnglish({ english, values }: Sentence): string {
  if (!values) return english
  return english.replace(placeholders, (whole, name: string) => String(values[name] ?? whole))
}

const placeholders = /\{(\w+)\}/g

/** A sentence in someone's language. */
export function sentenceIn({ t }: Pick<Translator, 't'>, { english, values }: Sentence): string {
  return t(english, values)
}

/** A literal, or a text that was marked: what else is not in the catalogues. */
type Known<T extends string> = T & (string extends T ? Text : unknown)

/** A language, as texts for people are made in it. */
export interface Translator {
  /** A BCP 47 tag. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** A text. @param english with `{name}` where values go */
  t<T extends string>(this: void, english: Known<T>, values?: Values): string
  /**
   * A text that depends on a number.
   *
   * @param one English for one
   * @param other English for any other number; `{count}` stands for the number
   */
  tn<T extends string, U extends string>(
    this: void,
    count: number,
    one: Known<T>,
    other: Known<U>,
    values?: Values,
  ): string
  /** A number as people write it. */
  number(this: void, value: number): string
  /** `A, B, and C`; `A, B, C` if the style is `narrow`. */
  list(this: void, names: readonly string[], style?: Intl.ListFormatStyle): string
}

/**
 * A language, or a variety of it, as `Intl` gets it everywhere: with the digits 0 to 9, as counts
 * and what people type have them. What the system added to it, such as another order, is left out.
 */
export function formatLocale(tag: string): string {
  return `${tag.split('-u-', 1)[0]}-u-nu-latn`
}

/** @param locale for numbers and lists: the language, or the reader's variety of it */
export function createTranslator(
  { language, texts }: Catalogue,
  locale: string = formatLocale(language),
): Translator {
  let plurals: Intl.PluralRules | undefined
  let numbers: Intl.NumberFormat | undefined
  const lists = new Map<Intl.ListFormatStyle, Intl.ListFormat>()

  function number(value: number): string {
    // Most are small: a formatter is not made for them.
    if (language === 'en' && Number.isInteger(value) && Math.abs(value) < 10_000) {
      return String(value)
    }
    numbers ??= new Intl.NumberFormat(locale, { useGrouping: 'min2' })
    return numbers.format(value)
  }

  function fill(translated: string, values: Values | undefined): string {
    if (!values) return translated
    return translated.replace(placeholders, (whole, name: string) => {
      const value = values[name]
      if (value === undefined) return whole
      return typeof value === 'number' ? number(value) : value
    })
  }

  return {
    language,
    direction: directionOf(language),
    t(key, values) {
      const translated = texts[key]
      return fill(typeof translated === 'string' ? translated : key, values)
    },
    tn(count, one, other, values) {
      const forms = texts[pluralKey(one, other)]
      plurals ??= new Intl.PluralRules(language)
      const translated =
        typeof forms === 'object' ? (forms[plurals.select(count)] ?? forms.other) : undefined
      return fill(translated ?? (count === 1 ? one : other), { count, ...values })
    },
    number,
    list(names, style = 'long') {
      const [only = '', ...others] = names
      if (others.length === 0) return only
      let format = lists.get(style)
      if (!format) {
        format = new Intl.ListFormat(locale, { type: 'conjunction', style })
        lists.set(style, format)
      }
      return format.format(names)
    },
  }
}

/** Those written from right to left that people chat in. */
const rightToLeft = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi'])

/** In which direction a language is written. @param language a BCP 47 tag */
function directionOf(language: string): 'ltr' | 'rtl' {
  return rightToLeft.has(language.split('-')[0] ?? '') ? 'rtl' : 'ltr'
}
