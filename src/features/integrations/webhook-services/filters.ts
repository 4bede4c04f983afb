/** The longest name that is compared, in characters: Git's are at most 255 bytes long. */
const longestName = 255

/**
 * Whether a name matches one of the patterns of a shell: `*` stands for any text, `?` for a
 * character, `[a-c]` for one of these, `[!a-c]` for any other. The end of a name that is too long to
 * be one is left out.
 */
export function matchesAnyPattern(name: string, patterns: readonly string[]): boolean {
  const chars = [...name.slice(0, 2 * longestName)].slice(0, longestName)
  return patterns.some((pattern) => matches(chars, tokensOf(pattern)))
}

type Token = '*' | ((char: string) => boolean)

function tokensOf(pattern: string): Token[] {
  const parts = pattern.match(/\[!?\]?[^\]]*\]|[\s\S]/gu) ?? []
  return parts.map((part) => {
    if (part === '*') return '*'
    if (part === '?') return () => true
    if (part.length < 3) return (char) => char === part
    const isNegated = part[1] === '!'
    const set = [...part.slice(isNegated ? 2 : 1, -1)]
    return (char) => isInSet(char, set) !== isNegated
  })
}

function isInSet(char: string, set: readonly string[]): boolean {
  for (let i = 0; i < set.length; i++) {
    const [from = '', to = ''] = [set[i], set[i + 2]]
    if (set[i + 1] === '-' && to !== '') {
      if (char >= from && char <= to) return true
      i += 2
    } else if (char === from) return true
  }
  return false
}

/** Goes back to the last `*` only, so that it takes at most the product of both lengths. */
function matches(name: readonly string[], tokens: readonly Token[]): boolean {
  let [at, next, star, resume] = [0, 0, -1, 0]
  while (at < name.length) {
    const token = tokens[next]
    if (token === '*') {
      star = next++
      resume = at
    } else if (token?.(name[at] ?? '')) {
      at++
      next++
    } else if (star >= 0) {
      next = star + 1
      at = ++resume
    } else return false
  }
  return tokens.slice(next).every((token) => token === '*')
}

/**
 * Whether the webhook URL selects this branch.
 *
 * @param wanted names and patterns separated by commas; undefined: all branches
 */
export function isWantedBranch(name: string, wanted: string | undefined): boolean {
  const patterns = (wanted ?? '')
    .split(',')
    .map((pattern) => pattern.trim())
    .filter(Boolean)
  return patterns.length === 0 || matchesAnyPattern(name, patterns)
}
