/** In code points. */
const longestName = 60

/**
 * The name that a client gives itself, as it can be shown to people: on one line, without invisible
 * characters or ones that change the direction of the text around them, and without towers of
 * accents. Nobody has checked that it is true.
 *
 * @param given anything that a client sends
 */
export function safeName(given: string | undefined): string {
  const words = (given ?? '')
    .slice(0, 500)
    .toWellFormed()
    .replace(/[\p{C}\p{Z}\s\u{115f}\u{1160}\u{3164}\u{ffa0}\u{2800}]+/gu, ' ')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim()
  return [...words].slice(0, longestName).join('').trim() || 'Assistant'
}
