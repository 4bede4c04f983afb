import { trustedHtml } from '#client/ui/trusted-types.ts'

/**
 * A document of external HTML, such as pasted text. It is never shown, so it runs and loads
 * nothing. Its style attributes are renamed to `data-style`, and style sheets, which would violate
 * the page's policy, are left out.
 */
export function parseInert(html: string): Document {
  const plain = html
    .replace(/<style\b.*?(?:<\/style\s*>|$)/gis, '')
    .replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/\sstyle\s*=/gi, ' data-style='))
  const page = new DOMParser().parseFromString(trustedHtml(plain), 'text/html')
  for (const link of page.querySelectorAll('a[href]')) makeOwnAddress(link, 'href')
  for (const file of page.querySelectorAll('[data-original-src]')) {
    makeOwnAddress(file, 'data-original-src')
  }
  for (const file of page.querySelectorAll('audio')) makeOwnAddress(file, 'src')
  return page
}

/** Conversations and files of this server are written without its address, as in messages. */
function makeOwnAddress(element: Element, attribute: string): void {
  const address = element.getAttribute(attribute) ?? ''
  const path = address.startsWith(location.origin) ? address.slice(location.origin.length) : ''
  const isOwn = /^\/(?:user_uploads\/|#narrow\/)/.test(path) && element.textContent !== address
  if (isOwn) element.setAttribute(attribute, path)
}
