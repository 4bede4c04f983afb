import {
  type Catalogue,
  createTranslator,
  english,
  formatLocale,
  type Sentence,
  sentenceIn,
  type Translator,
  text,
} from '#translations/translate.ts'

/*
 * Every text that people see, in the language of the page, which is loaded before anything is drawn.
 * The catalogues are in `src/translations/`.
 */

/** An answer of the server. */
interface Refusal {
  /** In English. */
  readonly message: string
  readonly sentence: Sentence | undefined
}

let translator = createTranslator(english)
let locale = localeOf(english.language)

/** Sets the texts of another language. To be called before anything is drawn. */
export function setCatalogue(next: Catalogue): void {
  locale = localeOf(next.language)
  translator = createTranslator(next, locale)
}

/** A text in the user's language. */
export const t: Translator['t'] = (...call) => translator.t(...call)

/** A text in the user's language that depends on a number. */
export const tn: Translator['tn'] = (...call) => translator.tn(...call)

/** A text that the server sent in English, translated if the catalogue has it (`sentText`). */
export function tSent(english: string): string {
  return translator.t(text(english))
}

/** What the server refused: translated where it sent a sentence, otherwise as it is. */
export function tRefusal({ message, sentence }: Refusal): string {
  return sentence ? sentenceIn(translator, sentence) : message
}

/** Names in a row: `A, B and C`. */
export const listText: Translator['list'] = (names, style) => translator.list(names, style)

/** For `Intl`: the language of the page, in the browser's variety of it (`en-GB` for `en`). */
export function pageLocale(): string {
  return locale
}

function localeOf(language: string): string {
  const { languages = [] } = globalThis.navigator ?? {}
  const base = (tag: string) => tag.split('-')[0]
  return formatLocale(languages.find((each) => base(each) === base(language)) ?? language)
}

/** Loads the catalogue that the page names; English needs none. */
export async function loadCatalogue(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('#catalogue')
  if (!link) return
  try {
    const response = await fetch(link.href)
    if (response.ok) setCatalogue((await response.json()) as Catalogue)
  } catch {
    // Without it the page is in English, which is better than none.
  }
}
