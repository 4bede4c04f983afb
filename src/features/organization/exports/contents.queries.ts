import { setImmediate } from 'node:timers/promises'
import { channelFolderJson } from '#features/channels/channel-folders/json.ts'
import { findAttachmentById } from '#features/files/attachments/queries.ts'
import { listFolders } from '#features/foundation/channels/folders.queries.ts'
import { channelJson } from '#features/foundation/channels/json.ts'
import {
  type Channel,
  findChannelByRecipient,
  listChannels,
  subscriberIds,
} from '#features/foundation/channels/queries.ts'
import { domainJson } from '#features/foundation/domains/json.ts'
import { listDomains } from '#features/foundation/domains/queries.ts'
import { groupJson } from '#features/foundation/groups/json.ts'
import { listGroups } from '#features/foundation/groups/queries.ts'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { realmSettingRules } from '#features/foundation/realm/settings.ts'
import { directMemberIds } from '#features/foundation/recipients/queries.ts'
import { usersJson } from '#features/foundation/users/json.ts'
import { findUser, listUsers } from '#features/foundation/users/queries.ts'
import { emojiMapJson } from '#features/messaging/emoji/json.ts'
import { findEmojiPicture, listCustomEmoji } from '#features/messaging/emoji/queries.ts'
import { linkifierJson } from '#features/messaging/linkifiers/json.ts'
import { listLinkifiers } from '#features/messaging/linkifiers/queries.ts'
import { entryJson } from '#features/messaging/messages/edit-history/entries.json.ts'
import type { Edit } from '#features/messaging/messages/edit-history/queries.ts'
import { listPinsOf, type Pin } from '#features/messaging/messages/pins/queries.ts'
import { listReactionsOf } from '#features/messaging/messages/reactions/queries.ts'
import { listSubmessagesOf } from '#features/messaging/messages/submessages/queries.ts'
import { playgroundJson } from '#features/organization/playgrounds/json.ts'
import { listPlaygrounds } from '#features/organization/playgrounds/queries.ts'
import { profileFieldJson } from '#features/people/profile-fields/json.ts'
import { listProfileFields } from '#features/people/profile-fields/queries.ts'
import type { SystemContext } from '#platform/context.ts'
import type { Read } from '#platform/store/store.ts'
import {
  type ExportedMessage,
  editPages,
  listLinkedUploads,
  listMessagesAfter,
  type RealmExport,
} from './queries.ts'
import { exportScope, listConsenting } from './scope.queries.ts'
import type { TarEntry } from './tar.ts'

/** Limits on the messages or edits of a file. Other work gets its turn between files. */
const mostPerFile = { rows: 500, bytes: 256 * 1024 } as const

/**
 * The files of an export: the organization and its users, channels and groups, the messages by id,
 * their edits, the uploads that they link to, and custom emoji. Passwords, keys and sessions are not exported.
 */
export async function* exportFiles(
  server: SystemContext,
  realmExport: RealmExport,
): AsyncGenerator<TarEntry> {
  const { store, files } = server
  const inScope = exportScope(store, realmExport.type)
  yield jsonEntry('realm.json', organization(store, realmExport))
  yield jsonEntry('users.json', people(store, realmExport))
  yield jsonEntry('channels.json', channels(store, realmExport))
  yield jsonEntry(
    'user_groups.json',
    listGroups(store).map((group) => groupJson(store, group)),
  )
  const uploads = new Set<number>()
  let after = 0
  let edits = 0
  for (let number = 1; ; number++) {
    await setImmediate()
    const rows = listMessagesAfter(store, after, mostPerFile)
    const last = rows.at(-1)
    if (!last) break
    after = last.id
    const exported = rows.filter(inScope)
    if (exported.length === 0) continue
    for (const id of listLinkedUploads(
      store,
      exported.map(({ id }) => id),
    ))
      uploads.add(id)
    const contents = exportedMessages(store, exported)
    await setImmediate()
    yield jsonEntry(`messages/${numbered(number)}`, contents)
    for (const page of editPages(store, exported, mostPerFile)) {
      edits += 1
      yield jsonEntry(`edits/${numbered(edits)}`, page.map(editJson))
      await setImmediate()
    }
  }
  const listed = [...uploads].flatMap((id) => findAttachmentById(store, id) ?? [])
  yield jsonEntry(
    'uploads.json',
    listed.map(({ pathId, name, ownerId, contentType, size, createdAt }) => {
      return {
        path_id: pathId,
        name,
        owner_id: ownerId,
        content_type: contentType,
        size,
        create_time: createdAt,
      }
    }),
  )
  for (const { pathId, fileHash } of listed) yield* fileEntry(`uploads/${pathId}`, fileHash)
  for (const { fileName } of listCustomEmoji(store)) {
    const picture = findEmojiPicture(store, fileName)
    if (picture) yield* fileEntry(`emoji/${fileName}`, picture.fileHash)
  }

  async function* fileEntry(path: string, hash: string): AsyncGenerator<TarEntry> {
    const size = await files.size(hash)
    if (size !== undefined) yield { path, size, contents: files.stream(hash) }
  }
}

const numbered = (number: number) => `${String(number).padStart(6, '0')}.json`

function jsonEntry(path: string, value: unknown): TarEntry {
  const bytes = Buffer.from(`${JSON.stringify(value, null, 1)}\n`)
  return { path, size: bytes.byteLength, contents: [bytes] }
}

function organization(read: Read, realmExport: RealmExport) {
  const { name, description, dateCreated } = requireRealm(read)
  const names = Object.keys(realmSettingRules) as (keyof typeof realmSettingRules)[]
  return {
    export_type: realmExport.type,
    export_time: realmExport.requestedAt,
    name,
    description,
    date_created: dateCreated,
    settings: Object.fromEntries(names.map((setting) => [setting, realmSetting(read, setting)])),
    domains: listDomains(read).map(domainJson),
    linkifiers: listLinkifiers(read).map((linkifier) => linkifierJson(linkifier, true)),
    playgrounds: listPlaygrounds(read).map(playgroundJson),
    custom_profile_fields: listProfileFields(read).map(profileFieldJson),
    channel_folders: listFolders(read).map(channelFolderJson),
    emoji: emojiMapJson(listCustomEmoji(read)),
  }
}

function people(read: Read, { actingUserId }: RealmExport) {
  const viewer = findUser(read, actingUserId)
  if (!viewer) throw new Error('This export has no requester.')
  return usersJson(read, viewer, listUsers(read), { profileData: true })
}

/** Public channels, and private ones with a subscriber who consents. */
function channels(read: Read, { type }: RealmExport) {
  const consenting = new Set(type === 'public' ? [] : listConsenting(read).map(({ id }) => id))
  const isListed = (channel: Channel) =>
    !channel.isPrivate || subscriberIds(read, channel.id).some((id) => consenting.has(id))
  return listChannels(read)
    .filter(isListed)
    .map((channel) => ({
      ...channelJson(read, channel),
      subscribers: subscriberIds(read, channel.id),
    }))
}

/** Messages with their pins, reactions and submessages, as the files of an export have them. */
export function exportedMessages(read: Read, exported: readonly ExportedMessage[]) {
  const pins = listPinsOf(read, exported)
  const reactions = listReactionsOf(read, exported)
  const submessages = listSubmessagesOf(read, exported)
  return exported.map((message) => ({
    id: message.id,
    sender_id: message.senderId,
    ...placeOf(read, message),
    content: message.content,
    rendered_content: message.renderedContent,
    timestamp: message.sentAt,
    client: message.client,
    last_edit_timestamp: message.lastEditAt,
    last_moved_timestamp: message.lastMovedAt,
    pinned: pinJson(pins.get(message.id)),
    reactions: (reactions.get(message.id) ?? []).map((reaction) => ({
      user_id: reaction.userId,
      emoji_name: reaction.emojiName,
      emoji_code: reaction.emojiCode,
      reaction_type: reaction.reactionType,
    })),
    submessages: (submessages.get(message.id) ?? []).map((each) => ({
      sender_id: each.senderId,
      msg_type: each.msgType,
      content: each.content,
    })),
  }))
}

function pinJson(pin: Pin | undefined) {
  return pin ? { user_id: pin.userId, timestamp: pin.pinnedAt } : null
}

function editJson(edit: Edit) {
  return { message_id: edit.messageId, ...entryJson(edit) }
}

function placeOf(read: Read, { recipientId, topic }: ExportedMessage) {
  const channel = findChannelByRecipient(read, recipientId)
  if (channel) return { type: 'channel', channel_id: channel.id, topic }
  return { type: 'direct', user_ids: directMemberIds(read, recipientId) }
}
