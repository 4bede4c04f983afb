import { once } from '#platform/memo.ts'

/** Made on first use: it takes ICU some 15 ms. */
const english = once(() => new Intl.DisplayNames('en', { type: 'language' }))

/** The English name of a language: `German` for `de`. An unknown code is returned as is. */
export function languageName(code: string): string {
  try {
    return english().of(code.replaceAll('_', '-')) ?? code
  } catch {
    return code
  }
}
