import { findFolder } from '#features/channels/channels/folders.queries.ts'
import type { Channel } from '#features/channels/channels/queries.ts'
import { postNotice } from '#features/messaging/messages/notices.actions.ts'
import { silentMention } from '#features/messaging/messages/quoting.ts'
import { realmSetting } from '#features/organization/realm/settings.queries.ts'
import type { Caller } from '#platform/http/caller.ts'
import { longerMarks, quoteBlock } from '#platform/markdown/quotes.ts'
import type { Read, Tx } from '#platform/store/write.ts'

/** The topic for Notification Bot's messages about changes of a channel. */
const eventsTopic = 'channel events'

/** Posts messages from Notification Bot about the changes that matter to a channel's readers. */
export function postEditNotices(tx: Tx, caller: Caller, before: Channel, after: Channel): void {
  if (after.isArchived) return
  const notices: string[] = []
  if (before.name !== after.name) {
    notices.push(`renamed this channel from ${verbatim(before.name)} to ${verbatim(after.name)}.`)
  }
  if (before.description !== after.description) {
    notices.push(
      `changed the description of this channel.\n\n` +
        `Before:\n${quoted(before.description)}\n\nNow:\n${quoted(after.description)}`,
    )
  }
  const [old, now] = [privacyOf(before), privacyOf(after)]
  if (old !== now) {
    notices.push(`changed who can read this channel: it was **${old}** and is now **${now}**.`)
  }
  if (before.folderId !== after.folderId) notices.push(folderNotice(tx, before, after))
  for (const notice of notices) postChannelNotice(tx, caller, after, notice)
}

/**
 * Posts a message from Notification Bot in a channel about the caller's action, unless the
 * organization has turned these messages off.
 *
 * @param action the rest of the sentence after the caller's name, starting with a verb
 */
export function postChannelNotice(
  tx: Tx,
  { user, server }: Caller,
  channel: Channel,
  action: string,
): void {
  if (!realmSetting(tx, 'send_channel_events_messages')) return
  postNotice(tx, channel, eventsTopic, {
    author: user,
    content: `${silentMention(user)} ${action}`,
    realmUrl: server.realmUrl,
  })
}

function folderNotice(read: Read, before: Channel, after: Channel): string {
  const name = ({ folderId }: Channel) =>
    verbatim((folderId === null ? undefined : findFolder(read, folderId))?.name ?? '')
  if (after.folderId === null) return `removed this channel from the folder ${name(before)}.`
  if (before.folderId === null) return `added this channel to the folder ${name(after)}.`
  return `moved this channel from the folder ${name(before)} to ${name(after)}.`
}

function privacyOf({ isPrivate, isWebPublic, historyPublic }: Channel): string {
  if (isWebPublic) return 'web-public'
  if (!isPrivate) return 'public'
  return historyPublic ? 'private, with shared history' : 'private, with protected history'
}

/** An inline code span, so that Markdown in the name is not rendered. */
function verbatim(name: string): string {
  const marks = longerMarks(name, 1)
  return `${marks} ${name} ${marks}`
}

function quoted(description: string): string {
  return description === '' ? '*No description.*' : quoteBlock(description)
}
