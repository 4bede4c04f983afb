import { addOnce, type Context } from './context.ts'
import { escapeAttribute } from './escape.ts'
import { uploadOf } from './hrefs.ts'
import { previewLink } from './previews.ts'

/**
 * Renders a link, and records it and its preview in the context.
 *
 * @param href as returned by `safeHref`
 * @param html the content of the link
 * @param name the link text; undefined if the URL itself is shown
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
