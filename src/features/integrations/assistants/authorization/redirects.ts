/** In UTF-16 code units. */
const longestAddress = 500

/** Schemes of addresses that a browser or the system handles itself, or that are those of our apps. */
const foreignSchemes = new Set(
  'about blob chrome data file filesystem ftp intent javascript mailto resource sms tel vbscript view-source ws wss zulip'.split(
    ' ',
  ),
)

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

const isLoopback = ({ protocol, hostname }: URL) => protocol === 'http:' && loopback.has(hostname)

/**
 * Whether a client may register an address to return to: https, this computer by http, or a scheme
 * of the client's own. A host is made of letters, digits, dots and hyphens, so that it can stand in
 * a header.
 *
 * @source OAuth 2.1, section 2.3.1; RFC 8252, section 7
 */
export function isAllowedRedirect(address: string): boolean {
  if (address.length > longestAddress || !/^[\x21-\x7e]+$/.test(address)) return false
  if (!URL.canParse(address) || address.includes('#')) return false
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return /^[a-z\d.-]+$/.test(url.hostname)
  if (url.protocol === 'http:') return isLoopback(url)
  const scheme = url.protocol.slice(0, -1)
  return /^[a-z][a-z\d.+-]*$/.test(scheme) && !foreignSchemes.has(scheme)
}

/**
 * Whether an address is one of the registered ones: exactly, but for the port of a program on this
 * computer, which gets another one at each start.
 *
 * @source OAuth 2.1, section 2.3.1; RFC 8252, section 7.3
 */
export function isRegistered(registered: readonly string[], address: string): boolean {
  if (registered.includes(address)) return true
  if (!isAllowedRedirect(address)) return false
  const portless = withoutPort(address)
  return portless !== undefined && registered.some((each) => withoutPort(each) === portless)
}

function withoutPort(address: string): string | undefined {
  const url = new URL(address)
  if (!isLoopback(url)) return undefined
  url.port = ''
  return url.href
}

/** Where an answer goes, for people; undefined: a program on the same computer. */
export function shownTarget(address: string): string | undefined {
  const url = new URL(address)
  if (isLoopback(url)) return undefined
  return url.protocol === 'https:' ? url.host : url.protocol
}

/**
 * The same for the directive `form-action`, which has no IPv6 addresses.
 *
 * @source Content Security Policy 3, "Source Lists"
 */
export function formTarget(address: string): string {
  const { protocol, origin, hostname } = new URL(address)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && !hostname.startsWith('[') ? origin : protocol
}

/** The address with further parameters. */
export function withParams(
  address: string,
  params: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(params).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}
