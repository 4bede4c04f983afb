const code = {
  quote: 0x22,
  comma: 0x2c,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const

/**
 * Counts brackets and commas outside strings in one pass over a JSON text, and stops at the first
 * limit exceeded: parsing allocates for each of them, and recursion into deep nesting exhausts the
 * stack.
 *
 * @returns which limit it exceeds; undefined: neither. The text need not be valid JSON.
 */
export function scanJson(
  source: string,
  limits: { readonly marks: number; readonly depth: number },
): 'many' | 'deep' | undefined {
  let marks = 0
  let depth = 0
  for (let i = 0; i < source.length; i++) {
    const char = source.charCodeAt(i)
    if (char === code.quote) i = endOfString(source, i)
    else if (char === code.closeList || char === code.closeObject) depth--
    else if (char === code.comma) marks++
    else if (char === code.openList || char === code.openObject) {
      marks++
      if (++depth > limits.depth) return 'deep'
    }
    if (marks > limits.marks) return 'many'
  }
  return undefined
}

/** The index of the closing quote of a string; the end of the source if there is none. */
function endOfString(source: string, start: number): number {
  for (let i = start + 1; i < source.length; i++) {
    const char = source.charCodeAt(i)
    if (char === code.quote) return i
    if (char === code.backslash) i++
  }
  return source.length
}
