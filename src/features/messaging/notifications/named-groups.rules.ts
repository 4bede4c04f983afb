import type { Message } from '#features/foundation/core/queries.ts'
import { listAllMembers } from '#features/foundation/groups/queries.ts'
import { once } from '#platform/memo.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import { flagBits } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'
import { namedIn } from './mentioned.ts'
import type { NotifiableMessage } from './rules.ts'

/** How many groups of a message are looked at to find the smallest: each is a walk through its subgroups. */
const mostGroupsCompared = 20

/** Whom a message names, with the members of its groups, the smallest first. */
interface NamedGroups {
  readonly names: ReadonlySet<number>
  readonly groups: readonly { readonly id: number; readonly members: ReadonlySet<number> }[]
}

/** Kept for the latest message: people of a large group are told in parts, one after another. */
const latest = perDatabase((): { of: string; named: NamedGroups } => ({
  of: '',
  named: { names: new Set(), groups: [] },
}))

/**
 * Finds the group to name to a mentioned user: the smallest one they are in, among the first that the
 * message names; null if it mentions them by name. Who is in a group counts as of the first part.
 */
export function groupFinder(
  read: Read,
  { message, bits }: NotifiableMessage,
): (userId: number) => number | null {
  const named = once(() => namedBy(read, message))
  return (userId) => {
    if (!((bits.get(userId) ?? 0) & flagBits.mentioned)) return null
    const { names, groups } = named()
    if (names.has(userId)) return null
    return groups.find(({ members }) => members.has(userId))?.id ?? null
  }
}

function namedBy(read: Read, { id, lastEditAt, renderedContent }: Message): NamedGroups {
  const known = latest(read)
  const of = `${id} ${lastEditAt} ${renderedContent}`
  if (known.of !== of) Object.assign(known, { of, named: groupsIn(read, renderedContent) })
  return known.named
}

function groupsIn(read: Read, html: string): NamedGroups {
  const { userIds, groupIds } = namedIn(html)
  const groups = [...groupIds]
    .slice(0, mostGroupsCompared)
    .map((id) => ({ id, members: new Set(listAllMembers(read, id)) }))
  return {
    names: userIds,
    groups: groups.sort((a, b) => a.members.size - b.members.size || a.id - b.id),
  }
}
