import { newContext } from './context.ts'
import { renderBlocks } from './html.ts'
import { parseSource } from './parse.ts'
import type { Lookups, Rendered } from './types.ts'

export { escapeHtml } from './escape.ts'
export { topicLinks } from './topic-links.ts'

/**
 * Renders the Markdown of a message, a description or a profile field.
 *
 * Pure: the same source and the same answers of `lookups` give the same result, and nothing is
 * fetched or read. The HTML holds only elements, attributes and addresses that clients know; HTML
 * in the source is text. The time it takes grows with the length of the source and nothing else.
 *
 * @source clients.md §3, api-changes-since-247.md §9
 */
export function render(source: string, lookups: Lookups): Rendered {
  const context = newContext(source, lookups)
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
