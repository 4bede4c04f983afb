import type { Attachment } from '#features/files/attachments/queries.ts'
import { findEmojiPicture, listCustomEmoji } from '#features/messaging/emoji/queries.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import { realmPictures } from './organization.queries.ts'
import type { Plan } from './plan.queries.ts'
import type { Row } from './tables.queries.ts'

/** The folder of every path: the organization's ID, which Zulip replaces. */
const realmFolder = '1'

/** Contents to write into an archive, and their row of `records.json`. */
export interface FileRecord {
  readonly hash: string
  readonly record: Row & { readonly path: string }
}

interface AttachmentRow
  extends Pick<Attachment, 'id' | 'pathId' | 'ownerId' | 'name' | 'contentType' | 'fileHash'> {
  readonly size: number
  readonly createdAt: number
}

const attachmentRows = preparedSql<AttachmentRow>(`
  SELECT id, path_id AS pathId, owner_id AS ownerId, name, content_type AS contentType,
    file_hash AS fileHash, size, created_at AS createdAt
  FROM attachments WHERE id > @after ORDER BY id LIMIT 500`)

const claimsOf = preparedSql<{ attachmentId: number; messageId: number; recipientId: number }>(`
  SELECT k.attachment_id AS attachmentId, m.id AS messageId, m.recipient_id AS recipientId
  FROM attachment_claims k JOIN messages m ON m.id = k.message_id
  WHERE k.attachment_id BETWEEN @from AND @to ORDER BY k.attachment_id, m.id`)

const schedulesOf = preparedSql<{ attachmentId: number; scheduledMessageId: number }>(`
  SELECT attachment_id AS attachmentId, scheduled_message_id AS scheduledMessageId
  FROM attachment_schedules WHERE attachment_id BETWEEN @from AND @to
  ORDER BY attachment_id, scheduled_message_id`)

/** An uploaded file, as `zerver_attachment` has it, and its contents. */
export interface ExportedUpload {
  readonly row: Row
  readonly file: FileRecord
}

/** The uploads that messages of the export show, or whose owner's private data it has. */
export function* uploads(plan: Plan): Generator<ExportedUpload> {
  const { channels, channelTargets, read, selection, users } = plan
  for (let after = 0; ; ) {
    const rows = attachmentRows(read).all({ after })
    const [first, last] = [rows[0], rows.at(-1)]
    if (!first || !last) return
    const range = { from: first.id, to: last.id }
    const claims = byUpload(claimsOf(read).all(range))
    const schedules = byUpload(schedulesOf(read).all(range))
    for (const upload of rows) {
      const shown = (claims.get(upload.id) ?? []).filter(({ messageId, recipientId }) =>
        selection.hasMessage({ id: messageId, recipientId }),
      )
      const isOwn = selection.hasPrivateDataOf(upload.ownerId)
      if (shown.length === 0 && !isOwn) continue
      const places = shown.map(({ recipientId }) =>
        channels.get(channelTargets.get(recipientId)?.typeId ?? 0),
      )
      const owner = plan.shown(upload.ownerId)
      const name = upload.pathId.slice(upload.pathId.lastIndexOf('/') + 1)
      yield {
        row: {
          id: upload.id,
          realm: 1,
          owner,
          file_name: name,
          path_id: upload.pathId,
          size: upload.size,
          create_time: upload.createdAt,
          content_type: upload.contentType,
          is_realm_public: places.some((channel) => channel && !channel.isPrivate),
          is_web_public: places.some((channel) => channel?.isWebPublic),
          messages: shown.map(({ messageId }) => messageId),
          scheduled_messages: isOwn
            ? (schedules.get(upload.id) ?? []).map(({ scheduledMessageId }) => scheduledMessageId)
            : [],
        },
        file: {
          hash: upload.fileHash,
          record: {
            realm_id: 1,
            user_profile_id: owner,
            user_profile_email: users.get(owner)?.apiEmail ?? '',
            path: upload.pathId,
            s3_path: upload.pathId,
            size: upload.size,
            last_modified: upload.createdAt,
            content_type: upload.contentType,
          },
        },
      }
    }
    after = last.id
  }
}

function byUpload<R extends { readonly attachmentId: number }>(
  rows: readonly R[],
): Map<number, R[]> {
  const found = new Map<number, R[]>()
  for (const row of rows) {
    const known = found.get(row.attachmentId)
    if (known) known.push(row)
    else found.set(row.attachmentId, [row])
  }
  return found
}

/** Each uploaded avatar, as the picture that is shown and as the original. */
export function* avatars({ people }: Plan): Generator<FileRecord> {
  for (const { apiEmail, avatarHash, avatarVersion, dateJoined, id, mediumAvatarHash } of people) {
    if (avatarHash === null) continue
    for (const [ending, hash] of [
      ['.png', avatarHash],
      ['.original', mediumAvatarHash ?? avatarHash],
    ] as const) {
      const path = `${realmFolder}/user-${id}${ending}`
      yield {
        hash,
        record: {
          realm_id: 1,
          user_profile_id: id,
          user_profile_email: apiEmail,
          avatar_version: avatarVersion,
          path,
          s3_path: path,
          last_modified: dateJoined,
          content_type: 'image/png',
        },
      }
    }
  }
}

export function* emojiFiles({ owner, read, shown }: Plan): Generator<FileRecord> {
  for (const { authorId, deactivated, fileName, name } of listCustomEmoji(read)) {
    const picture = findEmojiPicture(read, fileName)
    if (!picture) continue
    const author = authorId === null ? owner : shown(authorId)
    for (const ending of ['', '.original']) {
      const path = `${realmFolder}/emoji/images/${fileName}${ending}`
      yield {
        hash: picture.fileHash,
        record: {
          realm_id: 1,
          user_profile_id: author,
          path,
          s3_path: path,
          file_name: fileName,
          name,
          author,
          deactivated,
          last_modified: 0,
          content_type: picture.contentType,
        },
      }
    }
  }
}

export function* iconFiles(plan: Plan): Generator<FileRecord> {
  for (const { fileHash, kind } of realmPictures(plan)) {
    for (const ending of ['.png', '.original']) {
      const path = `${realmFolder}/${kind}${ending}`
      yield {
        hash: fileHash,
        record: { realm_id: 1, path, s3_path: path, last_modified: 0, content_type: 'image/png' },
      }
    }
  }
}
