import { afford, type Context } from './context.ts'
import { renderEmoji } from './emoji.ts'
import { escapeAttribute, escapeHtml } from './escape.ts'
import { linkify } from './linkifiers.ts'

/** Renders a part of the source without other constructs: linkifiers, emoji and text. */
export function renderPlain(
  source: string,
  from: number,
  to: number,
  context: Context,
  inLink: boolean,
): string {
  context.text.push(source.slice(from, to))
  const { linkifiers } = context
  if (inLink || linkifiers.length === 0) return renderEmoji(source.slice(from, to), context)
  let html = ''
  let at = from
  for (const link of linkify(source, from, to, linkifiers)) {
    const shown = `<a href="${escapeAttribute(link.url)}">${escapeHtml(link.text)}</a>`
    if (!afford(context, 'markupBudget', shown)) break
    context.links.hasLink = true
    html += renderEmoji(source.slice(at, link.start), context) + shown
    at = link.end
  }
  return html + renderEmoji(source.slice(at, to), context)
}
