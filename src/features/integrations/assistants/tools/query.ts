/** A search with operators, taken apart. */
export interface QueryParts {
  readonly terms: readonly {
    readonly operator: string
    readonly operand: string
    readonly negated: boolean
  }[]
  /** Everything else. */
  readonly words: string
}

const operators =
  'channel stream channels topic subject sender from dm pm-with dm-including is in has id before after'

const known = new Set(operators.split(' '))

/** Takes `channel:design -sender:me "a phrase" word` apart. What is no known operator is a word. */
export function queryParts(query: string): QueryParts {
  const terms: QueryParts['terms'][number][] = []
  const words: string[] = []
  for (const [token] of query.matchAll(/(?:"[^"]*"?|[^\s"])+/g)) {
    const [, minus, operator = '', operand = ''] = /^(-?)([a-z-]+):(.+)$/is.exec(token) ?? []
    const name = operator.toLowerCase()
    if (known.has(name)) {
      terms.push({ operator: name, operand: operand.replaceAll('"', ''), negated: minus === '-' })
    } else words.push(token)
  }
  return { terms, words: words.join(' ') }
}
