import {
  type NoticeText,
  postChannelNotice,
  privacyOf,
  quoted,
} from '#features/channels/subscriptions/notices.actions.ts'
import { findFolder } from '#features/foundation/channels/folders.queries.ts'
import type { Channel } from '#features/foundation/channels/queries.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { longerMarks } from '#shared/code-marks.ts'

/** Posts messages from Notification Bot about the changes that matter to a channel's readers. */
export function postEditNotices(tx: Tx, caller: Caller, before: Channel, after: Channel): void {
  if (after.isArchived) return
  const notices: NoticeText[] = []
  if (before.name !== after.name) {
    notices.push(({ t }, name) =>
      t('{name} renamed this channel from {before} to {after}.', {
        name,
        before: verbatim(before.name),
        after: verbatim(after.name),
      }),
    )
  }
  if (before.description !== after.description) {
    notices.push(({ t }, name) =>
      [
        t('{name} changed the description of this channel.', { name }),
        `${t('Before:')}\n${quoted(t, before.description)}`,
        `${t('Now:')}\n${quoted(t, after.description)}`,
      ].join('\n\n'),
    )
  }
  const [old, now] = [privacyOf(before), privacyOf(after)]
  if (old !== now) {
    notices.push(({ t }, name) =>
      t('{name} changed who can read this channel: it was {before} and is now {after}.', {
        name,
        before: `**${t(old)}**`,
        after: `**${t(now)}**`,
      }),
    )
  }
  if (before.folderId !== after.folderId) notices.push(folderNotice(tx, before, after))
  for (const notice of notices) postChannelNotice(tx, caller, after, notice)
}

function folderNotice(read: Read, before: Channel, after: Channel): NoticeText {
  const folderOf = ({ folderId }: Channel) =>
    verbatim((folderId === null ? undefined : findFolder(read, folderId))?.name ?? '')
  const [old, now] = [folderOf(before), folderOf(after)]
  if (after.folderId === null) {
    return ({ t }, name) =>
      t('{name} removed this channel from the folder {folder}.', { name, folder: old })
  }
  if (before.folderId === null) {
    return ({ t }, name) =>
      t('{name} added this channel to the folder {folder}.', { name, folder: now })
  }
  return ({ t }, name) =>
    t('{name} moved this channel from the folder {before} to {after}.', {
      name,
      before: old,
      after: now,
    })
}

/** An inline code span, so that Markdown in the name is not rendered. */
function verbatim(name: string): string {
  const marks = longerMarks(name, 1)
  return `${marks} ${name} ${marks}`
}
