import { externalContentLink } from '#features/files/external-content/links.queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { PageCard } from '#platform/markdown/types.ts'
import { botTypes } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'
import { arePreviewsHidden, findLinkPage } from './queries.ts'

/**
 * Whether links in the messages of an author get cards. Those of the server's own bots and of
 * incoming webhooks do not: their texts already say what a link leads to.
 */
export function hasPreviews(read: Read, author: Pick<User, 'botType' | 'isSystemBot'>): boolean {
  return (
    read.config.linkPreviews &&
    realmSetting(read, 'inline_url_embed_preview') &&
    author.botType !== botTypes.incomingWebhook &&
    !author.isSystemBot
  )
}

/** The renderer's look-up of cards for the links of a message; undefined: it shows none. */
export function cardLookup(
  read: Read,
  author: User,
  messageId: number,
): ((url: string) => PageCard | undefined) | undefined {
  if (!hasPreviews(read, author) || arePreviewsHidden(read, messageId)) return undefined
  return (url) => {
    const page = findLinkPage(read, url)
    if (!page || page.title === '') return undefined
    const { title, description, picture } = page
    return {
      title,
      description,
      picture: picture === '' ? undefined : externalContentLink(read, picture, 'picture'),
    }
  }
}
