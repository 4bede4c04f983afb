import { newContext } from './context.ts'
import { renderBlocks } from './html.ts'
import { matchingLinkifiers } from './linkifiers.ts'
import { parseSource } from './parse.ts'
import type { Lookups, Rendered } from './types.ts'

export { escapeHtml } from './escape.ts'
export { topicLinks } from './topic-links.ts'

/**
 * Renders the Markdown of a message, a description or a profile field.
 *
 * Pure: the result depends only on the source and on what `lookups` return; nothing is fetched. The
 * HTML contains only elements, attributes and URL schemes that clients know; HTML in the source is
 * text. The running time is linear in the length of the source.
 *
 * @source Zulip API, "Message formatting"
 */
export function render(source: string, lookups: Lookups): Rendered {
  const context = newContext(lookups, matchingLinkifiers(source, lookups.linkifiers))
  const blocks = parseSource(source, lookups.defaultCodeLanguage)
  const html = renderBlocks(blocks, context).trimEnd()
  return {
    html,
    mentions: context.mentions,
    links: context.links,
    text: context.text.join(''),
    isMe: source.startsWith('/me ') && html.startsWith('<p>') && html.endsWith('</p>'),
  }
}
