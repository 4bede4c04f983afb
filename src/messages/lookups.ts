import { findReadable } from '#attachments/access.ts'
import { canAccessMetadata, mayReadMessage } from '#channels/access.ts'
import { findChannel, findChannelByName } from '#channels/queries.ts'
import { findCustomEmoji } from '#emoji/queries.ts'
import { emojiUrl } from '#emoji/urls.ts'
import { findMentionGroup } from '#groups/queries.ts'
import { listLinkifiers } from '#linkifiers/queries.ts'
import { topicLinks } from '#markdown/render.ts'
import type { KnownUpload, Lookups } from '#markdown/types.ts'
import { realmSetting } from '#realm/settings.ts'
import { preparedSql } from '#store/prepared.ts'
import type { Read } from '#store/write.ts'
import { findUploadPicture } from '#thumbnails/queries.ts'
import { topicKey } from '#topics/names.ts'
import { canAccessUser } from '#users/access.ts'
import { findUser, listUsersByName, type User } from '#users/queries.ts'
import { userSetting } from '#users/settings.ts'

/** What the renderer may look up for an author: only names that the author may know. */
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
    get linkifiers() {
      return listLinkifiers(read)
    },
    emptyTopicDisplayName: realmSetting(read, 'empty_topic_display_name'),
    defaultCodeLanguage: realmSetting(read, 'default_code_block_language'),
    realmUrl,
    upload: (pathId) => knownUpload(read, author, pathId),
    translateEmoticons: userSetting(read, author.id, 'translate_emoticons'),
    previewsEnabled: realmSetting(read, 'inline_image_preview'),
  }
}

/** What the author may know of an upload, for a preview of it. */
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

/** The newest message of a topic, if the author may read it. */
function newestInTopic(
  read: Read,
  author: User,
  channelId: number,
  topic: string,
): number | undefined {
  const channel = findChannel(read, channelId)
  if (!channel) return undefined
  const row = newest(read).get({ recipientId: channel.recipientId, topicKey: topicKey(topic) })
  if (!row?.id || !mayReadMessage(read, author, channel, row.id)) return undefined
  return row.id
}

/** Links in topics, by the realm's linkifiers: each topic of a page is worked out once. */
export function topicLinker(read: Read): (topic: string) => { text: string; url: string }[] {
  const known = new Map<string, { text: string; url: string }[]>()
  const linkifiers = listLinkifiers(read)
  return (topic) => {
    const links = known.get(topic) ?? (topic === '' ? [] : topicLinks(topic, { linkifiers }))
    known.set(topic, links)
    return links
  }
}
