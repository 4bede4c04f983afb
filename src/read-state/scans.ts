import { prepared } from '#store/prepared.ts'
import type { Read } from '#store/write.ts'
import { contains, each, type Ranges } from './ranges.ts'

const idsBetween = prepared((db) =>
  db.$client
    .prepare<[number, number, number], number>(
      'SELECT id FROM messages WHERE recipient_id = ? AND id >= ? AND id < ? ORDER BY id',
    )
    .pluck(),
)

/** Ids of a recipient's messages that are in the set, ascending. */
export function listIds(read: Read, recipientId: number, set: Ranges): number[] {
  const ids: number[] = []
  for (const [from, to] of each(set)) {
    for (const id of idsBetween(read).all(recipientId, from, to)) ids.push(id)
  }
  return ids
}

const idsOfTopic = prepared((db) =>
  db.$client
    .prepare<[number, string, number, number], number>(
      `SELECT id FROM messages
       WHERE recipient_id = ? AND topic_key = ? AND id >= ? AND id < ? ORDER BY id`,
    )
    .pluck(),
)

/** The same for one topic: one scan of it, since a reader of single topics has many gaps. */
export function listTopicIds(
  read: Read,
  recipientId: number,
  topicKey: string,
  set: Ranges,
): number[] {
  const from = set[0] ?? 0
  const ids = idsOfTopic(read).all(recipientId, topicKey, from, set.at(-1) ?? from)
  return ids.filter((id) => contains(set, id))
}

const topicsBetween = prepared((db) =>
  db.$client
    .prepare<[number, number, number], string>(
      'SELECT topic_key FROM messages WHERE recipient_id = ? AND id >= ? AND id < ?',
    )
    .pluck(),
)

/** Topic keys of a recipient's messages that are in the set, one for each message. */
export function* listTopicKeys(read: Read, recipientId: number, set: Ranges): Generator<string> {
  for (const [from, to] of each(set)) yield* topicsBetween(read).all(recipientId, from, to)
}

export type MessageRow = [id: number, senderId: number, topic: string, topicKey: string]

const newestBetween = prepared((db) =>
  db.$client
    .prepare<[number, number, number, number], MessageRow>(
      `SELECT id, sender_id, topic, topic_key FROM messages
       WHERE recipient_id = ? AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?`,
    )
    .raw(),
)

/** A recipient's messages with `from <= id < to`, newest first, `limit` at most. */
export function listNewest(
  read: Read,
  recipientId: number,
  from: number,
  to: number,
  limit: number,
): MessageRow[] {
  return newestBetween(read).all(recipientId, from, to, limit)
}

const firstBetween = prepared((db) =>
  db.$client
    .prepare<[number, number, number], number>(
      'SELECT id FROM messages WHERE recipient_id = ? AND id >= ? AND id < ? ORDER BY id LIMIT 1',
    )
    .pluck(),
)

/** Id of a recipient's oldest message in the set. */
export function findFirst(read: Read, recipientId: number, set: Ranges): number | undefined {
  for (const [from, to] of each(set)) {
    const id = firstBetween(read).get(recipientId, from, to)
    if (id !== undefined) return id
  }
  return undefined
}

/** Whether a recipient has a message with `from <= id < to`. */
export function hasMessage(read: Read, recipientId: number, from: number, to: number): boolean {
  return firstBetween(read).get(recipientId, from, to) !== undefined
}

const newestOf = prepared((db) =>
  db.$client
    .prepare<[number], number | null>('SELECT max(id) FROM messages WHERE recipient_id = ?')
    .pluck(),
)

/** Id of a recipient's newest message. */
export function newestId(read: Read, recipientId: number): number | undefined {
  return newestOf(read).get(recipientId) ?? undefined
}
