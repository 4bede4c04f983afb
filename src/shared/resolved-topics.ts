/** The prefix of resolved topics; the index `messages_resolved` contains it too. */
export const resolvedPrefix = '✔ '

export function isResolved(topic: string): boolean {
  return topic.startsWith(resolvedPrefix)
}

/** A topic without the mark of resolved ones. */
export function unmarkedTopic(topic: string): string {
  return isResolved(topic) ? topic.slice(resolvedPrefix.length) : topic
}

/**
 * The topic with the mark of a resolved one, or without it. The mark takes the place of the last
 * characters if there is no room for it.
 *
 * @param longest the limit of topics, in code points
 */
export function toggledResolved(topic: string, longest: number): string {
  if (isResolved(topic)) return unmarkedTopic(topic)
  const cut = [...`${resolvedPrefix}${topic}`].slice(0, longest).join('')
  // Neither blanks nor joiners end a name.
  return cut.replace(/(?<![\s\u200c\u200d])[\s\u200c\u200d]+$/, '')
}

/**
 * Whether a new name of a topic only marks it as resolved, or removes the mark; then it may have
 * the characters again that made room for the mark.
 */
export function isToggled(from: string, to: string, longest: number): boolean {
  if (isResolved(from) === isResolved(to)) return false
  return toggledResolved(from, longest) === to || toggledResolved(to, longest) === from
}
