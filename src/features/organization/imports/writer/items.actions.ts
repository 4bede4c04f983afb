import { limits } from '#features/foundation/realm/limits.ts'
import type { Table } from '#features/organization/imports/report.ts'
import type { Item } from '#features/organization/imports/stream.ts'
import {
  groupDelimiters,
  reservedGroupNames,
} from '#features/people/group-administration/actions.ts'
import { writeChannel, writeFolder, writeMembership, writeSpan } from './channels.actions.ts'
import { writeAvatar, writeEmoji, writeFile } from './files.actions.ts'
import {
  writeAlertWord,
  writeDomain,
  writeLinkifier,
  writeMutedPerson,
  writeNavigationView,
  writePlayground,
  writePresence,
  writeProfileField,
  writeProfileValue,
  writeScheduled,
  writeSnippet,
  writeStatus,
  writeTopicPolicy,
} from './further.actions.ts'
import { writeGroup } from './groups.actions.ts'
import { UniqueNames } from './names.ts'
import { personOf, writePerson } from './people.actions.ts'
import { spoolMark } from './spool.queries.ts'
import { spoolConversation, spoolFlags, spoolMessageItem, spoolThread } from './spooling.actions.ts'
import { timeOf, type Work } from './work.actions.ts'

type Handlers = {
  readonly [T in Exclude<Item['type'], 'organization'>]: (
    item: Extract<Item, { readonly type: T }>,
  ) => void | Promise<void>
}

/** The handlers for all items except the organization. */
export function createHandlers(
  work: Work,
): (item: Exclude<Item, { readonly type: 'organization' }>) => void | Promise<void> {
  const { notes, people, tx } = work
  const groupNames = new UniqueNames(notes, 'groups', 100, groupDelimiters, reservedGroupNames)
  const folderNames = new UniqueNames(notes, 'channel folders', limits.channelFolderNameLength)
  const channelNames = new UniqueNames(notes, 'channels', limits.channelNameLength)
  const fieldNames = new UniqueNames(notes, 'profile fields', 40)
  const later = (write: () => void) => void work.later.push(write)
  const handlers: Handlers = {
    person(item) {
      writePerson(work, item)
      if (item.avatar && item.systemBot === undefined)
        return writeAvatar(work, item.key, item.avatar)
    },
    group: (item) => writeGroup(work, item, groupNames),
    folder: (item) => writeFolder(work, item, folderNames),
    channel: (item) => writeChannel(work, item, channelNames),
    membership: (item) => writeMembership(work, item),
    span: (item) => writeSpan(work, item),
    emoji: (item) => writeEmoji(work, item),
    file: (item) => writeFile(work, item),
    conversation: (item) => spoolConversation(work, item),
    thread: (item) => spoolThread(work, item),
    message: (item) => spoolMessageItem(work, item),
    flags: (item) => spoolFlags(work, item),
    reaction({ emoji, message, person }) {
      spoolMark(tx, message, { kind: 'reaction', person: personOf(work, person), emoji })
    },
    submessage({ content, message, person }) {
      spoolMark(tx, message, { kind: 'submessage', person: personOf(work, person), content })
    },
    reminder({ due, message, note, person }) {
      const [id, time] = [people.get(person), timeOf(due)]
      const table: Table = 'reminders'
      if (id === undefined || time === undefined) {
        notes.skipped(table, 'absent', person)
        return
      }
      spoolMark(tx, message, { kind: 'reminder', person: id, note, due: time })
    },
    linkifier: (item) => writeLinkifier(work, item),
    playground: (item) => writePlayground(work, item),
    domain: (item) => writeDomain(work, item),
    profileField: (item) => writeProfileField(work, item, fieldNames),
    profileValue: (item) => later(() => writeProfileValue(work, item)),
    topicPolicy: (item) => writeTopicPolicy(work, item),
    mutedPerson: (item) => writeMutedPerson(work, item),
    alertWord: (item) => writeAlertWord(work, item),
    presence: (item) => writePresence(work, item),
    status: (item) => writeStatus(work, item),
    snippet: (item) => writeSnippet(work, item),
    navigationView: (item) => writeNavigationView(work, item),
    scheduled: (item) => later(() => writeScheduled(work, item)),
  }
  return (item) => handlers[item.type](item as never)
}
