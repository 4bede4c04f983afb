import { escapeHtml } from './escape.ts'
import type { Lookups, Rendered } from './types.ts'

export { escapeHtml } from './escape.ts'

/** Renders a message. */
export function render(source: string, _lookups: Lookups): Rendered {
  const paragraphs = source.split(/\n{2,}/).filter((text) => text.trim() !== '')
  return {
    html: paragraphs
      .map((text) => `<p>${escapeHtml(text.trim()).replaceAll('\n', '<br>\n')}</p>`)
      .join('\n'),
    mentions: {
      userIds: [],
      groupIds: [],
      refusedGroups: [],
      channelWildcard: false,
      topicWildcard: false,
    },
    links: { hasLink: false, hasImage: false, uploads: [] },
    text: source,
    isMe: source.startsWith('/me ') && paragraphs.length === 1,
  }
}

/** The links in a topic name. */
export function topicLinks(_topic: string, _lookups: Lookups): { text: string; url: string }[] {
  return []
}
