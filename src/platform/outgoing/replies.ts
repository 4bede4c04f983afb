/** The JSON in an answer; undefined if it holds none. */
export function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/**
 * A link that another server gave, in a form that Markdown and browsers take; undefined for anything
 * else, such as a script.
 */
export function webLink(given: string): string | undefined {
  if (given.length > 1000 || !URL.canParse(given)) return undefined
  const { href, protocol, username, password } = new URL(given)
  if (!/^https?:$/.test(protocol) || username || password) return undefined
  return href.replaceAll('(', '%28').replaceAll(')', '%29')
}
