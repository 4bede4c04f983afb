import { addOnce, type Context } from './context.ts'
import { escapeAttribute } from './escape.ts'
import { previewLink } from './previews.ts'

/** What a link may start. Everything else (`javascript:`, `data:`, `file:` ...) is no link. */
const schemes = new Set(['http', 'https', 'ftp', 'mailto', 'tel', 'sms', 'xmpp', 'bitcoin'])
const hasScheme = /^([a-z][a-z0-9+.-]*):/i
const hostAndPort = /^[\p{L}\p{N}_.-]+:\d+(?:[/?#]|$)/u

/**
 * The address a link leads to: absolute, except for links inside this server, which begin with `/`;
 * undefined for what may not be a link. An address without a scheme is a web address.
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

/** Links to this server's own conversations and uploads work on every address it has. */
function relativeToRealm(url: string, realmUrl: string): string {
  if (realmUrl === '' || !url.startsWith(`${realmUrl}/`)) return url
  const path = url.slice(realmUrl.length)
  return path.startsWith('/#narrow/') || path.startsWith('/user_uploads/') ? path : url
}

/** The path id (`2/ab/Kq/cat.png`) of the upload that a link leads to. */
export function uploadOf(href: string): string | undefined {
  const path = /^\/user_uploads\/(\d+\/[^?#]+)/.exec(href)?.[1]
  if (path === undefined) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/**
 * A link, noted in the context together with its preview.
 *
 * @param href a safe one
 * @param name what the author called it; undefined when the address itself is shown
 */
export function renderLinkTo(
  href: string,
  html: string,
  name: string | undefined,
  title: string | undefined,
  context: Context,
): string {
  context.links.hasLink = true
  const upload = uploadOf(href)
  if (upload !== undefined) addOnce(context.links.uploads, upload)
  const titled = title === undefined ? '' : ` title="${escapeAttribute(title)}"`
  const link = `<a href="${escapeAttribute(href)}"${titled}>${html}</a>`
  previewLink({ href, upload, name, link }, context)
  return link
}
