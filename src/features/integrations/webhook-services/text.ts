/** Removes NUL characters and lone surrogates, which no stored text may contain. */
export function cleanText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}
