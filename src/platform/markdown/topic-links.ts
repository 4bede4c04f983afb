import { findAutolinks } from './autolinks.ts'
import { linkify } from './linkifiers.ts'
import type { Linkifier } from './types.ts'

/**
 * The links in a topic name, in order: the matches of linkifiers, and web URLs, which get `https:`
 * if they have no scheme. If both match, the linkifier wins.
 *
 * @source Zulip API, "Get messages": `topic_links`
 */
export function topicLinks(
  topic: string,
  lookups: { linkifiers: readonly Linkifier[] },
): { text: string; url: string }[] {
  const links = linkify(topic, 0, topic.length, lookups.linkifiers)
  for (const { start, end, href } of findAutolinks(topic)) {
    if (links.some((link) => link.start < end && start < link.end)) continue
    if (!href.startsWith('http')) continue
    const text = topic.slice(start, end)
    const url = /^https?:/i.test(text) ? href : href.replace(/^http:/, 'https:')
    links.push({ start, end, text, url })
  }
  return links.sort((a, b) => a.start - b.start).map(({ text, url }) => ({ text, url }))
}
