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
  if (realmUrl === '' || !url.startsWith(`${realmUrl}/`)) return url
  const path = url.slice(realmUrl.length)
  return path.startsWith('/#narrow/') || path.startsWith('/user_uploads/') ? path : url
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
