import { indexMessages } from '#features/foundation/core/indexing.queries.ts'
import {
  type MessagePlace,
  markUnread,
  startHistory,
} from '#features/foundation/read-state/actions.ts'
import { directRecipient } from '#features/foundation/recipients/queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { Tx } from '#platform/store/store.ts'
import { createRandom } from '#test/support/drawing.ts'
import { addChannel, addPeople, messageInserter } from './organization.ts'
import { sentence, unevenIndex } from './words.ts'

/** An organization that has talked a lot, and someone who reads most of it. */
export interface Archive {
  readonly reader: User
  /** A busy topic that the reader sees. */
  readonly place: { readonly channelId: number; readonly topic: string }
}

/** Occurs in one message of ten. */
export const commonWord = 'meeting'
/** Occurs in one message of 20 000. */
export const rareWord = 'quagmire'

/** How many messages the reader has not read, the newest ones but for some old ones here and there. */
export const unreadCount = 10_000
const scatteredUnread = 500

const peopleCount = 1000
const channelCount = 200
const topicCount = 60
const conversationCount = 500

interface Place {
  readonly recipientId: number
  /** Null for a direct conversation. */
  readonly channelId: number | null
  readonly topics: readonly string[]
  readonly writers: readonly User[]
  readonly hasReader: boolean
}

type Random = () => number

/**
 * Writes a history of `count` messages straight into the tables: places and people from busy to
 * quiet, one message of seven direct. The reader takes part in six channels of seven and in one
 * conversation of ten.
 */
export function fillArchive(tx: Tx, count: number): Archive {
  const random = createRandom(1)
  const [, reader, ...others] = addPeople(tx, peopleCount)
  if (!reader) throw new Error('There is nobody.')
  const channels = addChannels(tx, random, reader, others)
  const conversations = addConversations(tx, random, reader, others)
  const received = insertMessages(tx, random, count, channels, conversations)
  leaveUnread(tx, reader, received)
  const busiest = channels.find(({ hasReader }) => hasReader)
  return {
    reader,
    place: { channelId: busiest?.channelId ?? 0, topic: busiest?.topics[0] ?? '' },
  }
}

function addChannels(tx: Tx, random: Random, reader: User, others: readonly User[]): Place[] {
  return Array.from({ length: channelCount }, (_, i) => {
    const hasReader = i % 7 !== 6
    const share = random() ** 3
    const writers = others.filter((_, at) => at === i || random() < share)
    const members = hasReader ? [reader, ...writers] : writers
    const channel = addChannel(tx, `channel ${i}`, members, i % 5 === 4)
    const topics = Array.from({ length: topicCount }, () => sentence(random).slice(0, 25).trim())
    return { recipientId: channel.recipientId, channelId: channel.id, topics, writers, hasReader }
  })
}

function addConversations(tx: Tx, random: Random, reader: User, others: readonly User[]): Place[] {
  return Array.from({ length: conversationCount }, (_, i) => {
    const hasReader = i % 10 === 0
    const size = i % 3 === 2 ? 3 : 1
    const writers = Array.from({ length: size + 1 }, () => pick(random, others))
    if (hasReader) writers[0] = reader
    const ids = writers.map(({ id }) => id)
    const { id } = directRecipient(tx, ids)
    return { recipientId: id, channelId: null, topics: [''], writers, hasReader }
  })
}

/** @returns the messages that the reader has, oldest first */
function insertMessages(
  tx: Tx,
  random: Random,
  count: number,
  channels: readonly Place[],
  conversations: readonly Place[],
): MessagePlace[] {
  const insert = messageInserter(tx)
  const received: MessagePlace[] = []
  for (let id = 1; id <= count; id++) {
    const place = pick(random, id % 7 === 0 ? conversations : channels)
    const topic = pick(random, place.topics)
    const content = text(random, id)
    const sender = pick(random, place.writers)
    insert({
      recipientId: place.recipientId,
      sender,
      topic,
      content,
      sentAt: 1_600_000_000 + id * 60,
    })
    if (place.hasReader) received.push({ id, recipientId: place.recipientId })
  }
  indexMessages(tx)
  return received
}

function text(random: Random, id: number): string {
  if (id % 20_000 === 0) return `${sentence(random)} What a ${rareWord}!`
  return id % 10 === 0 ? `${sentence(random)} See you in the ${commonWord}.` : sentence(random)
}

function leaveUnread(tx: Tx, reader: User, received: readonly MessagePlace[]): void {
  const newest = received.at(scatteredUnread - unreadCount)?.id ?? 1
  const old = received.filter(({ id }) => id < newest)
  for (const recipientId of new Set(received.map((message) => message.recipientId))) {
    startHistory(tx, reader.id, recipientId, newest)
  }
  const step = Math.max(1, Math.floor(old.length / scatteredUnread))
  markUnread(tx, reader.id, old.filter((_, i) => i % step === 0).slice(0, scatteredUnread))
}

/** One of a list, its first ones by far the most often. */
function pick<T>(random: Random, list: readonly T[]): T {
  const item = list[unevenIndex(random, list.length)]
  if (item === undefined) throw new Error('There is nothing to pick from.')
  return item
}
