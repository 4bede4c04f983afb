import { join } from 'node:path'
import { createUser } from '#features/access/accounts/actions.ts'
import { createRealm } from '#features/access/setup/realm.actions.ts'
import { createChannel } from '#features/foundation/channels/actions.ts'
import type { Channel } from '#features/foundation/channels/queries.ts'
import {
  activateSubscription,
  openSpan,
} from '#features/foundation/channels/subscriptions.queries.ts'
import { clientColumns } from '#features/foundation/core/clients.queries.ts'
import { startHistory } from '#features/foundation/read-state/actions.ts'
import { roles, type User } from '#features/foundation/users/queries.ts'
import { systemClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import { openDatabase } from '#platform/store/open.ts'
import type { Tx } from '#platform/store/store.ts'
import { createStore } from '#platform/store/write.ts'
import { silentQueues } from '#test/support/silent-queues.ts'

/** Fills a new data folder in one transaction, without a server. */
export async function seedFolder<T>(data: string, fill: (tx: Tx) => T): Promise<T> {
  const db = openDatabase(join(data, 'parley.db'))
  const store = createStore(db, systemClock, defaultConfig, silentQueues)
  store.db.$client.pragma('synchronous = OFF')
  const result = await store.write((tx) => {
    createRealm(tx, { name: 'Bench', placeholderDomain: 'bench.invalid' })
    return fill(tx)
  })
  store.close()
  return result
}

/**
 * Members with made-up names, the first of them an owner.
 *
 * @param name begins their addresses
 */
export function addPeople(tx: Tx, count: number, name = 'person'): User[] {
  return Array.from({ length: count }, (_, i) =>
    createUser(tx, {
      email: `${name}${i}@bench.invalid`,
      fullName: `Person ${i}`,
      role: i === 0 ? roles.owner : roles.member,
    }),
  )
}

/** A channel with these subscribers from its first message on. */
export function addChannel(
  tx: Tx,
  name: string,
  subscribers: readonly User[],
  isPrivate = false,
): Channel {
  const channel = createChannel(tx, null, { name, isPrivate })
  for (const { id } of subscribers) {
    activateSubscription(tx, {
      userId: id,
      channelId: channel.id,
      color: '#76ce90',
      pushNotifications: null,
    })
    openSpan(tx, id, channel.id, 1)
    startHistory(tx, id, channel.recipientId, 1)
  }
  return channel
}

/** A message as it is written straight into the table. */
export interface StoredMessage {
  readonly recipientId: number
  readonly sender: User
  readonly topic: string
  readonly content: string
  /** Default: one paragraph. */
  readonly html?: string
  /** In seconds since the epoch. */
  readonly sentAt: number
}

/** Inserts messages quickly, without their indexes: call `indexMessages` at the end. Returns ids. */
export function messageInserter(tx: Tx): (message: StoredMessage) => number {
  const insert = tx.db.$client.prepare(`
    INSERT INTO messages
      (recipient_id, sender_id, topic, topic_key, content, rendered_content, sent_at, client_id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  const { clientId } = clientColumns(tx, 'website')
  return ({ recipientId, sender, topic, content, html, sentAt }) => {
    const key = topic.toLowerCase()
    const row = insert.run(
      recipientId,
      sender.id,
      topic,
      key,
      content,
      html ?? null,
      sentAt,
      clientId,
    )
    return Number(row.lastInsertRowid)
  }
}
