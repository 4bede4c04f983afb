/** A language that people can choose. */
interface LanguageChoice {
  /** As in the API: the setting `default_language`. */
  readonly code: string
  /** The BCP 47 tag, by which its file is named. */
  readonly tag: string
  /** Its own name for itself. */
  readonly name: string
}

/** Every language that the server has texts in, English first. */
export const languages = [
  { code: 'en', tag: 'en', name: 'English' },
  { code: 'de', tag: 'de', name: 'Deutsch' },
  { code: 'es', tag: 'es', name: 'Español' },
  { code: 'fr', tag: 'fr', name: 'Français' },
  { code: 'pt-br', tag: 'pt-BR', name: 'Português (Brasil)' },
  { code: 'ar', tag: 'ar', name: 'العربية' },
  { code: 'ja', tag: 'ja', name: '日本語' },
  { code: 'zh-hans', tag: 'zh-Hans', name: '简体中文' },
] as const satisfies readonly LanguageChoice[]

export type LanguageCode = (typeof languages)[number]['code']

/** The codes of all languages, for the settings. */
export const languageCodes = languages.map(({ code }) => code) as unknown as readonly [
  LanguageCode,
  ...LanguageCode[],
]

export function isLanguage(code: string | undefined): code is LanguageCode {
  return (languageCodes as readonly (string | undefined)[]).includes(code)
}

/** The most entries of `Accept-Language` that are looked at. */
const mostWishes = 20

/**
 * The first available language that a browser asks for: `zh-CN` gets Simplified Chinese, and every
 * Portuguese the Brazilian one.
 *
 * @param accepted the header `Accept-Language`
 */
export function negotiated(accepted: string): LanguageCode | undefined {
  return accepted
    .slice(0, 1000)
    .split(',', mostWishes)
    .map((entry, order) => {
      const [tag = '', ...params] = entry.trim().split(';')
      const q = params.map((param) => /^\s*q=([\d.]+)$/.exec(param)?.[1]).find(Boolean)
      return { tag, weight: q === undefined ? 1 : Number(q), order }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.order - b.order)
    .map(({ tag }) => findLike(tag))
    .find((code) => code !== undefined)
}

/** The language in the same script. */
function findLike(tag: string): LanguageCode | undefined {
  const wanted = scriptOf(tag)
  if (wanted === undefined) return undefined
  return languages.find((each) => scriptOf(each.tag) === wanted)?.code
}

function scriptOf(tag: string): string | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return `${language}-${script}`
  } catch {
    return undefined
  }
}
