export interface NaiveMessage {
  readonly id: number
  recipient: number
  /** Lower case. */
  readonly topic: string
  readonly spelling: string
}

interface NaiveChannel {
  isProtected: boolean
  /** When each user was subscribed; `until` is infinite while it lasts. */
  readonly spans: { user: number; from: number; until: number }[]
}

export type NaiveReadState = ReturnType<typeof naiveReadState>

/**
 * Read state as the usual design keeps it, one row for each message and reader: slow and obviously
 * right. Channels and direct conversations go by their recipient id.
 */
export function naiveReadState(
  users: readonly number[],
  channelRecipients: readonly number[],
  directs: ReadonlyMap<number, readonly number[]>,
) {
  const messages: NaiveMessage[] = []
  const rows = new Map<string, 'read' | 'unread'>()
  const channels = new Map<number, NaiveChannel>(
    channelRecipients.map((recipient) => [recipient, { isProtected: false, spans: [] }]),
  )

  /** Who was subscribed when a message was sent to its channel, or moved there. */
  const owners = new Map<number, Set<number>>()
  const arrive = ({ id, recipient }: NaiveMessage) =>
    owners.set(id, new Set(users.filter((user) => isReader(user, recipient))))

  const put = (user: number, id: number, row: 'read' | 'unread') => rows.set(`${user}/${id}`, row)

  const spansOf = (user: number, recipient: number) =>
    channels.get(recipient)?.spans.filter((span) => span.user === user) ?? []

  const isReader = (user: number, recipient: number) =>
    directs.get(recipient)?.includes(user) ??
    spansOf(user, recipient).some(({ until }) => until === Infinity)

  const canSee = (user: number, { id, recipient }: NaiveMessage) =>
    !channels.get(recipient)?.isProtected || owners.get(id)?.has(user) === true

  const canHave = (user: number, message: NaiveMessage) =>
    isReader(user, message.recipient) && canSee(user, message)

  const isUnread = (user: number, message: NaiveMessage) =>
    canHave(user, message) && rows.get(`${user}/${message.id}`) === 'unread'

  return {
    messages,
    isReader,
    isUnread,

    unread: (user: number) => messages.filter((message) => isUnread(user, message)),

    subscribe(user: number, recipient: number, nextId: number) {
      channels.get(recipient)?.spans.push({ user, from: nextId, until: Infinity })
    },

    unsubscribe(user: number, recipient: number, nextId: number) {
      for (const span of spansOf(user, recipient)) span.until = Math.min(span.until, nextId)
      for (const message of messages) {
        if (message.recipient === recipient) put(user, message.id, 'read')
      }
    },

    protect(recipient: number, isProtected: boolean) {
      const channel = channels.get(recipient)
      if (channel) channel.isProtected = isProtected
    },

    send(message: NaiveMessage, reader: number | undefined) {
      messages.push(message)
      arrive(message)
      for (const user of users) {
        if (!isReader(user, message.recipient)) continue
        put(user, message.id, user === reader ? 'read' : 'unread')
      }
    },

    /** Ids of what changed. */
    mark(user: number, chosen: readonly NaiveMessage[], as: 'read' | 'unread'): number[] {
      const changed = chosen.filter(
        (message) => canHave(user, message) && isUnread(user, message) !== (as === 'unread'),
      )
      for (const { id } of changed) put(user, id, as)
      return changed.map(({ id }) => id)
    },

    markAll(user: number, recipient: number, upTo: number): number[] {
      const changed = messages.filter(
        (m) => m.recipient === recipient && m.id <= upTo && isUnread(user, m),
      )
      for (const { id } of changed) put(user, id, 'read')
      return changed.map(({ id }) => id)
    },

    /** For whom unread messages became read, and which. */
    move(chosen: readonly NaiveMessage[], to: number): Map<number, number[]> {
      const lost = new Map<number, number[]>()
      for (const message of chosen) {
        const readers = users.filter((user) => isUnread(user, message))
        message.recipient = to
        arrive(message)
        for (const user of users) {
          const stays = readers.includes(user) && isReader(user, to)
          put(user, message.id, stays ? 'unread' : 'read')
        }
        for (const user of readers) {
          if (isUnread(user, message)) continue
          lost.set(user, [...(lost.get(user) ?? []), message.id])
        }
      }
      return lost
    },

    remove(chosen: readonly NaiveMessage[]) {
      for (const message of chosen) messages.splice(messages.indexOf(message), 1)
    },
  }
}
