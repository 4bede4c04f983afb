const mention = /<span class="user-(?:group-)?mention" data-user-(group-)?id="(\d+)">/g

/** Whom a message mentions by name, except silently. */
export interface NamedMentions {
  readonly userIds: ReadonlySet<number>
  readonly groupIds: ReadonlySet<number>
}

/** The users and groups that a rendered message mentions by name, except silently. */
export function namedIn(html: string): NamedMentions {
  const userIds = new Set<number>()
  const groupIds = new Set<number>()
  for (const [, isGroup, id] of html.matchAll(mention))
    (isGroup ? groupIds : userIds).add(Number(id))
  return { userIds, groupIds }
}
