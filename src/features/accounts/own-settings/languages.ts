const english = new Intl.DisplayNames('en', { type: 'language' })

/** The English name of a language: `German` for `de`. An unknown code is returned as is. */
export function languageName(code: string): string {
  try {
    return english.of(code.replaceAll('_', '-')) ?? code
  } catch {
    return code
  }
}
