import { newContext } from './context.ts'
import { escapeHtml } from './escape.ts'
import { renderBlocks } from './html.ts'
import { matchingLinkifiers } from './linkifiers.ts'
import { parseSource } from './parse.ts'
import type { Lookups, RenderedMarkdown } from './types.ts'

/**
 * The longest HTML of a source of at most 10 000 characters, in characters. Everyone who reads a
 * message gets its HTML each time.
 */
export const longestHtml = 120_000

export { topicLinks } from './topic-links.ts'

/**
 * Renders the Markdown of a message, a description or a profile field.
 *
 * Pure: the result depends only on the source and on what `lookups` return; nothing is fetched. The
 * HTML contains only elements, attributes and URL schemes that clients know; HTML in the source is
 * text. The running time is linear in the length of the source. Emoji, linkifiers, formulas and
 * highlighted code stay text beyond their limits per message. So does the whole message if its HTML
 * would still be too long.
 *
 * @source Zulip API, "Message formatting"
 */
export function render(source: string, lookups: Lookups): RenderedMarkdown {
  const rendered = renderAll(source, lookups)
  // The texts of external pages must not make a message lose its formatting.
  if (rendered.html.length <= longestHtml || !lookups.card) return shortEnough(rendered, source)
  return shortEnough(renderAll(source, { ...lookups, card: undefined }), source)
}

function shortEnough(rendered: RenderedMarkdown, source: string): RenderedMarkdown {
  return rendered.html.length <= longestHtml ? rendered : { ...rendered, html: unmarked(source) }
}

function renderAll(source: string, lookups: Lookups): RenderedMarkdown {
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

function unmarked(source: string): string {
  return `<p>${escapeHtml(source).replaceAll('\n', '<br>\n')}</p>`
}
