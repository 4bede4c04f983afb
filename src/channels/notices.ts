import { findFolder } from '#channel-folders/queries.ts'
import type { Caller } from '#http/caller.ts'
import { postNotice, silently } from '#messages/notices.ts'
import { longerMarks, quoteBlock } from '#messages/quoting.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Read, Tx } from '#store/write.ts'
import type { Channel } from './queries.ts'

/** The topic in which Notification Bot says what happens to a channel. */
const eventsTopic = 'channel events'

/** Has Notification Bot say what an edit means for the readers of a channel. */
export function tellOfEdits(tx: Tx, caller: Caller, before: Channel, after: Channel): void {
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
    notices.push(`changed who can read this channel: it was **${old}** and is **${now}** now.`)
  }
  if (before.folderId !== after.folderId) notices.push(folderNotice(tx, before, after))
  for (const notice of notices) tellChannel(tx, caller, after, notice)
}

/**
 * Has Notification Bot say in a channel what the caller did, unless the organization does without.
 *
 * @param deed begins with a verb
 */
export function tellChannel(
  tx: Tx,
  { user, server }: Caller,
  channel: Channel,
  deed: string,
): void {
  if (!realmSetting(tx, 'send_channel_events_messages')) return
  postNotice(tx, channel, eventsTopic, {
    author: user,
    content: `${silently(user)} ${deed}`,
    realmUrl: server.realmUrl,
  })
}

function folderNotice(read: Read, before: Channel, after: Channel): string {
  const name = ({ folderId }: Channel) =>
    verbatim((folderId === null ? undefined : findFolder(read, folderId))?.name ?? '')
  if (after.folderId === null) return `took this channel out of the folder ${name(before)}.`
  if (before.folderId === null) return `put this channel into the folder ${name(after)}.`
  return `moved this channel from the folder ${name(before)} to ${name(after)}.`
}

function privacyOf({ isPrivate, isWebPublic, historyPublic }: Channel): string {
  if (isWebPublic) return 'web-public'
  if (!isPrivate) return 'public'
  return historyPublic ? 'private, with shared history' : 'private, with protected history'
}

/** Code, in which no name is Markdown. */
function verbatim(name: string): string {
  const marks = longerMarks(name, 1)
  return `${marks} ${name} ${marks}`
}

function quoted(description: string): string {
  return description === '' ? '*No description.*' : quoteBlock(description)
}
