import { isSubscribed, type Message, receives, type World } from './rules.ts'

/** What is unread for each person: surely, or possibly where the rules leave it open. */
export interface Books {
  /**
   * After a step.
   *
   * @param sent new messages
   * @param read what `reader` marked as read
   */
  keep(world: World, sent: readonly Message[], read: readonly number[], reader?: number): void
  /** By message id. */
  unreadOf(personId: number): ReadonlyMap<number, 'surely' | 'possibly'>
}

export function createBooks(): Books {
  const unread = new Map<number, Map<number, 'surely' | 'possibly'>>()
  const of = (personId: number) => {
    const own = unread.get(personId) ?? new Map<number, 'surely' | 'possibly'>()
    unread.set(personId, own)
    return own
  }

  return {
    unreadOf: of,
    keep(world, sent, read, reader) {
      for (const person of world.people.values()) {
        const own = of(person.id)
        for (const message of sent) {
          if (message.senderId === person.id) continue
          const { channel } = message
          if (receives(person, message)) own.set(message.id, 'surely')
          // What reaches someone deactivated waits for them, or does not.
          else if (channel && isSubscribed(channel, person.id)) own.set(message.id, 'possibly')
          else if (message.people.includes(person.id)) own.set(message.id, 'possibly')
        }
        for (const message of world.messages.values()) {
          const { id, channel } = message
          const isHere = channel && isSubscribed(channel, person.id)
          if (channel && (!isHere || channel.isArchived)) own.delete(id)
        }
        for (const id of own.keys()) if (!world.messages.has(id)) own.delete(id)
        if (person.id === reader) for (const id of read) own.delete(id)
      }
    },
  }
}
