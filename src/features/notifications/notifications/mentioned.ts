const mention = /<span class="user-(?:group-)?mention" data-user-(group-)?id="(\d+)">/g

/** The users and groups that a rendered message mentions by name, except silently. */
export function namedIn(html: string): { userIds: number[]; groupIds: number[] } {
  const userIds: number[] = []
  const groupIds: number[] = []
  for (const [, isGroup, id] of html.matchAll(mention))
    (isGroup ? groupIds : userIds).push(Number(id))
  return { userIds, groupIds }
}
