import { findReadable } from '#features/files/attachments/access.ts'
import { externalContentLink } from '#features/files/external-content/links.queries.ts'
import { cardLookup } from '#features/files/link-previews/rules.ts'
import { findUploadPicture } from '#features/files/thumbnails/queries.ts'
import { canAccessMetadata, canReadMessage } from '#features/foundation/channels/access.ts'
import { findChannel, findChannelByName } from '#features/foundation/channels/queries.ts'
import { findMentionGroup } from '#features/foundation/groups/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { topicKey } from '#features/foundation/recipients/topics.rules.ts'
import { canAccessUser } from '#features/foundation/users/access.ts'
import { findUser, listUsersByName, type User } from '#features/foundation/users/queries.ts'
import { userSetting } from '#features/foundation/users/settings.queries.ts'
import { findCustomEmoji } from '#features/messaging/emoji/queries.ts'
import { emojiUrl } from '#features/messaging/emoji/urls.ts'
import { listLinkifiers } from '#features/messaging/linkifiers/queries.ts'
import { topicLinks } from '#platform/markdown/render.ts'
import type { KnownUpload, Lookups } from '#platform/markdown/types.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'

/** The renderer's lookups for an author; they find only what the author can access. */
export function authorLookups(read: Read, author: User, realmUrl: string): Lookups {
  return {
    usersByName: (name) =>
      listUsersByName(read, name).filter((user) => canAccessUser(read, author, user)),
    userById(id) {
      const user = findUser(read, id)
      return user && canAccessUser(read, author, user) ? user : undefined
    },
    groupByName: (name) => findMentionGroup(read, author, name),
    channelByName(name) {
      const channel = findChannelByName(read, name)
      return channel && canAccessMetadata(read, author, channel) ? channel : undefined
    },
    newestInTopic: (channelId, topic) => newestInTopic(read, author, channelId, topic),
    customEmoji(name) {
      const emoji = findCustomEmoji(read, name)
      return emoji && { name: emoji.name, sourceUrl: emojiUrl(emoji.fileName) }
    },
    linkifiers: listLinkifiers(read),
    emptyTopicDisplayName: realmSetting(read, 'empty_topic_display_name'),
    defaultCodeLanguage: realmSetting(read, 'default_code_block_language'),
    realmUrl,
    externalContent: (url, kind) => externalContentLink(read, url, kind),
    upload: (pathId) => knownUpload(read, author, pathId),
    translateEmoticons: userSetting(read, author.id, 'translate_emoticons'),
    previewsEnabled: realmSetting(read, 'inline_image_preview'),
  }
}

/** The same for a message that was sent, whose links show cards. */
export function messageLookups(
  read: Read,
  author: User,
  realmUrl: string,
  messageId: number,
): Lookups {
  return { ...authorLookups(read, author, realmUrl), card: cardLookup(read, author, messageId) }
}

/** The data of an upload for its preview; undefined if the author cannot access it. */
function knownUpload(read: Read, author: User, pathId: string): KnownUpload | undefined {
  const file = findReadable(read, author, pathId)
  const picture = file && findUploadPicture(read, file.id)
  if (!picture || picture.state === 'failed') return file
  const { width, height, animated, state } = picture
  return { ...file, width, height, animated, thumbnailed: state === 'ready' }
}

const newest = preparedSql<{ id: number | null }>(
  'SELECT max(id) AS id FROM messages WHERE recipient_id = @recipientId AND topic_key = @topicKey',
)

/** The id of a topic's newest message; undefined if the author may not read it. */
function newestInTopic(
  read: Read,
  author: User,
  channelId: number,
  topic: string,
): number | undefined {
  const channel = findChannel(read, channelId)
  if (!channel) return undefined
  const row = newest(read).get({ recipientId: channel.recipientId, topicKey: topicKey(topic) })
  if (!row?.id || !canReadMessage(read, author, channel, row.id)) return undefined
  return row.id
}

/** @returns the links in a topic */
export type TopicLinker = (topic: string) => { text: string; url: string }[]

/** Finds links in topics by the realm's linkifiers; caches them, for pages of messages. */
export function topicLinker(read: Read): TopicLinker {
  const known = new Map<string, { text: string; url: string }[]>()
  const linkifiers = listLinkifiers(read)
  return (topic) => {
    const links = known.get(topic) ?? (topic === '' ? [] : topicLinks(topic, { linkifiers }))
    known.set(topic, links)
    return links
  }
}
