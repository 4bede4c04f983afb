/** The strength of a password, for the meter beside it. The server only checks the length. */
export type Strength = 'short' | 'weak' | 'fair' | 'strong'

/** The bits from which a password is fair, and strong. */
const fairBits = 45
const strongBits = 65

/** Parts of passwords that everyone tries first. */
const usual =
  /pass(word|wort)?|qwert[yz]|asdf|letmein|welcome|admin|login|hello|secret|abc|123+|111+|000+/gi

/**
 * The strength of a password, from a rough estimate of guesses.
 *
 * @param least the server's minimum length
 * @param known words that others know about the user, such as name and address
 */
export function strengthOf(password: string, least: number, known: readonly string[]): Strength {
  if (password.length < least) return 'short'
  const bits = bitsOf(password, known)
  return bits >= strongBits ? 'strong' : bits >= fairBits ? 'fair' : 'weak'
}

function bitsOf(password: string, known: readonly string[]): number {
  let left = password.toLowerCase()
  // Known and common parts take a few guesses, however long they are.
  let bits = 0
  const words = known.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  for (const word of words.filter(({ length }) => length >= 3)) {
    if (!left.includes(word)) continue
    left = left.replaceAll(word, '')
    bits += 4
  }
  left = left.replace(usual, () => {
    bits += 4
    return ''
  })
  // So do repetitions and sequences.
  const fresh = [...left].filter((character, at) => {
    const step = character.charCodeAt(0) - left.charCodeAt(at - 1)
    return at === 0 || Math.abs(step) > 1
  })
  return bits + fresh.length * Math.log2(alphabet(password))
}

/** The size of the alphabet of a password, by the kinds of characters in it. */
function alphabet(password: string): number {
  const kinds: readonly (readonly [RegExp, number])[] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/[0-9]/, 10],
    [/[ -/:-@[-`{-~]/, 33],
    [/[^ -~]/, 100],
  ]
  return kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 1)
}
