/** The allowed URL schemes: not `javascript:`, `data:`, `file:` ... */
const schemes = new Set(['http', 'https', 'ftp', 'mailto', 'tel', 'sms', 'xmpp', 'bitcoin'])
const hasScheme = /^([a-z][a-z0-9+.-]*):/i
const hostAndPort = /^[\p{L}\p{N}_.-]+:\d+(?:[/?#]|$)/u

/**
 * The `href` for a link: absolute, or starting with `/` for links inside this server; undefined if
 * the URL is not allowed. URLs without a scheme get `http:` or `mailto:`.
 */
export function safeHref(address: string, realmUrl: string): string | undefined {
  // Browsers skip some control characters in a scheme.
  if (/\p{Cc}/u.test(address)) return undefined
  const url = address.trim().replaceAll(' ', '%20').replaceAll('\\', '%5C')
  if (url === '') return undefined
  if (url.startsWith('#narrow/')) return `/${url}`
  if (url.startsWith('//')) return `http:${url}`
  if (url[0] === '/' || url[0] === '#' || url[0] === '?') return url
  const scheme = hasScheme.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined || hostAndPort.test(url)) return withoutScheme(url)
  if (!schemes.has(scheme)) return undefined
  if (/^(?:https?|ftp)$/.test(scheme) && !/^\w+:\/\/[^/?#]/.test(url)) return undefined
  return relativeToRealm(url, realmUrl)
}

function withoutScheme(url: string): string {
  const slash = url.indexOf('/')
  if (slash === -1 && url.includes('@')) return `mailto:${url}`
  // `docs/page` stays relative, `example.com/page` does not.
  if (slash !== -1 && !/[.:]/.test(url.slice(0, slash))) return url
  return `http://${url}`
}

/** Makes links to this server's conversations and uploads relative, so they work on any host. */
function relativeToRealm(url: string, realmUrl: string): string {
  const path = pathWithin(url, realmUrl)
  return path && /^\/(?:#narrow|user_uploads)\//.test(path) ? path : url
}

const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=\/|$)/

/**
 * The part of an absolute URL behind the address of this server: starts with `/`, or is empty. Undefined
 * for a URL of another server. A server on a person's own machine has several names.
 *
 * @param realmUrl empty where it is not known
 */
export function pathWithin(url: string, realmUrl: string): string | undefined {
  if (realmUrl === '') return undefined
  const own = loopback.exec(realmUrl)?.[0] === realmUrl ? loopback.exec(url)?.[0] : undefined
  const isOwn = own !== undefined && /:\d+$/.exec(own)?.[0] === /:\d+$/.exec(realmUrl)?.[0]
  const base = isOwn ? own : realmUrl
  if (!url.startsWith(base)) return undefined
  const path = url.slice(base.length)
  return path === '' || path.startsWith('/') ? path : undefined
}

/** The path ID (`2/ab/Kq/cat.png`) of the upload that a link points to, if any. */
export function uploadOf(href: string): string | undefined {
  const path = /^\/user_uploads\/(\d+\/[^?#]+)/.exec(href)?.[1]
  if (path === undefined) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
