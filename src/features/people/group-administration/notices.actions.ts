import { findGroup } from '#features/foundation/groups/queries.ts'
import { maxBulkNewSubscriptionMessages } from '#features/foundation/realm/limits.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { nameFor } from '#features/messaging/messages/names-for.queries.ts'
import { sendOwnNotices } from '#features/messaging/messages/notices.actions.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { LongWrite } from '#platform/long-write.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import type { MemberChanges } from './managing.actions.ts'

/**
 * Sends a direct message from Notification Bot to the users whom the caller added to a group or
 * removed from it, except bots. Sends nothing if there are too many of them.
 */
export function* notifyMembers(
  tx: Tx,
  caller: Caller,
  groupId: number,
  { add, remove }: MemberChanges,
): LongWrite<void> {
  const group = findGroup(tx, groupId)
  const [added, removed] = [toNotify(tx, caller, add), toNotify(tx, caller, remove)]
  if (!group || added.length + removed.length > maxBulkNewSubscriptionMessages) return
  const isAdded = new Set(added)
  yield* sendOwnNotices(tx, caller, [...added, ...removed], (now, person) => {
    const values = { name: nameFor(now, person, caller.user), group: `@_*${group.name}*` }
    const { t } = userLanguage(now, person)
    return isAdded.has(person)
      ? t('{name} added you to the group {group}.', values)
      : t('{name} removed you from the group {group}.', values)
  })
}

function toNotify(read: Read, { user }: Caller, ids: readonly number[]): User[] {
  return [...new Set(ids)].flatMap((id) => {
    const person = id === user.id ? undefined : findUser(read, id)
    return person && person.botType === null ? [person] : []
  })
}
