/** Why a provider made no call. The message holds nothing secret. */
export class CallFailure extends Error {}

/** The largest answer of a provider, in bytes. */
export const answerLimit = 65_536

/** The parts of an address such as `https://user:password@cloud.example.com/path`. */
export function splitAddress(address: string) {
  const { origin, pathname, username, password } = new URL(address)
  return {
    base: origin + pathname.replace(/\/+$/, ''),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  }
}

/** The value of HTTP Basic for the user and password of an address. */
export function basicAuth({ user, password }: ReturnType<typeof splitAddress>): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** The JSON in an answer; undefined if it holds none. */
export function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/**
 * A link that a provider gave, in a form that Markdown and browsers take; undefined for anything else,
 * such as a script.
 */
export function webLink(given: string): string | undefined {
  if (given.length > 1000 || !URL.canParse(given)) return undefined
  const { href, protocol, username, password } = new URL(given)
  if (!/^https?:$/.test(protocol) || username || password) return undefined
  return href.replaceAll('(', '%28').replaceAll(')', '%29')
}
