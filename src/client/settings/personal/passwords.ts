/** How hard a password is to guess, for the meter beside it. The server checks the length alone. */
export type Strength = 'short' | 'weak' | 'fair' | 'strong'

/** Bits from which on a password is fair and strong. */
const fairBits = 45
const strongBits = 65

/** Parts of passwords that everyone tries first. */
const usual =
  /pass(word|wort)?|qwert[yz]|asdf|letmein|welcome|admin|login|hello|secret|abc|123+|111+|000+/gi

/**
 * How strong a password is, by a rough count of the guesses it takes.
 *
 * @param least the length that the server demands
 * @param known what others know of the user, such as name and address
 */
export function strengthOf(password: string, least: number, known: readonly string[]): Strength {
  if (password.length < least) return 'short'
  const bits = bitsOf(password, known)
  return bits >= strongBits ? 'strong' : bits >= fairBits ? 'fair' : 'weak'
}

function bitsOf(password: string, known: readonly string[]): number {
  let left = password.toLowerCase()
  // What is known or usual takes a few guesses, however long it is.
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
  // So does what repeats or counts on.
  const fresh = [...left].filter((character, at) => {
    const step = character.charCodeAt(0) - left.charCodeAt(at - 1)
    return at === 0 || Math.abs(step) > 1
  })
  return bits + fresh.length * Math.log2(alphabet(password))
}

/** From how many characters a password chooses, by the kinds in it. */
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
