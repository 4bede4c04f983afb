/** Text from outside without the characters that no text here may hold. */
export function cleanText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}
