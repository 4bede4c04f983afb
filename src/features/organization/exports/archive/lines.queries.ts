import { channelJson } from '#features/foundation/channels/json.ts'
import { listMessages } from '#features/foundation/core/queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { exportedMessages } from '#features/organization/exports/contents.queries.ts'
import type { Selection } from '#features/organization/exports/history/selection.queries.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'

/* The contents of an archive as JSON Lines, for programs. */

const line = (value: unknown) => `${JSON.stringify(value)}\n`

export function* personLines(people: Iterable<User>): Generator<string> {
  for (const { apiEmail, botType, fullName, id, isActive, role, timezone } of people) {
    yield line({
      id,
      name: fullName,
      email: apiEmail,
      role,
      is_active: isActive,
      is_bot: botType !== null,
      timezone,
    })
  }
}

export function* channelLines(read: Read, { channels }: Selection): Generator<string> {
  for (const channel of channels) yield line(channelJson(read, channel))
}

const nextIds = preparedSql<{ id: number }>(
  'SELECT id FROM messages WHERE id > @after ORDER BY id LIMIT 500',
)

export function* messageLines(read: Read, selection: Selection): Generator<string> {
  for (let after = 0; ; ) {
    const ids = nextIds(read).all({ after })
    const last = ids.at(-1)
    if (!last) return
    after = last.id
    const some = listMessages(
      read,
      ids.map(({ id }) => id),
    ).filter((message) => selection.hasMessage(message))
    for (const message of exportedMessages(read, some)) yield line(message)
  }
}
