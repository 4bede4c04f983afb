import { indexMessages } from '#features/foundation/core/indexing.queries.ts'
import { startHistory } from '#features/foundation/read-state/actions.ts'
import { insertSession, type NewSession } from '#features/foundation/sessions/queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { systemClock } from '#platform/clock.ts'
import type { Tx } from '#platform/store/store.ts'
import type { Account } from '#test/bench/http.ts'
import { addChannel, addPeople, messageInserter, seedFolder } from '#test/bench/organization.ts'
import { sentence } from '#test/bench/words.ts'
import { createRandom } from '#test/support/drawing.ts'

/** An organization with someone who is logged in, has read everything and looks at it. */
export interface Organization {
  readonly session: NewSession
  readonly people: readonly Account[]
  /** Hashes of topics with some messages each. */
  readonly topics: readonly string[]
}

/** How many messages the longest topic of the team has. */
export const historyLength = 10_000
/** How many short topics an organization has, and how many messages each of them. */
const topicCount = 60
export const topicLength = 60

interface Size {
  readonly people: number
  readonly channels: number
  /** The size of the longest topic. */
  readonly history: number
}

/** As most organizations are. */
export const team: Size = { people: 50, channels: 20, history: historyLength }
/** Where everything that grows with people and channels shows. */
export const crowd: Size = { people: 5000, channels: 500, history: 0 }

/** What tells a message of a topic from those of others: its text ends with it. */
export const markOf = (topic: number): string => `(topic ${topic})`

/** How the text of a message of the longest topic ends. */
export const historyMark = (at: number): string => `(number ${at})`
export const historyHash = '#narrow/channel/1-general/topic/history'

/** Fills a new data folder. */
export async function seedOrganization(data: string, size: Size): Promise<Organization> {
  return await seedFolder(data, (tx) => {
    const people = addPeople(tx, size.people)
    const [reader] = people as [User]
    const channels = Array.from({ length: size.channels }, (_, i) =>
      addChannel(tx, i === 0 ? 'general' : `channel ${i}`, i === 0 ? people : people.slice(0, 40)),
    )
    const insert = messageInserter(tx)
    const random = createRandom(5)
    let sentAt = Math.floor(Date.now() / 1000) - 100_000
    const say = (channel: number, topic: string, mark: string) => {
      sentAt += 3
      const recipientId = channels[channel]?.recipientId ?? 0
      const sender = people[Math.floor(random() * Math.min(40, people.length))] ?? reader
      const content = sentence(random)
      const html = `<p>${content.slice(0, 30)}<strong>bold</strong> <code>code</code>${content.slice(30)} ${mark}</p>`
      return insert({ recipientId, sender, topic, content, html, sentAt })
    }
    for (let i = 0; i < size.history; i++) say(0, 'history', historyMark(i))
    for (let i = 0; i < topicCount * topicLength; i++) {
      const topic = i % topicCount
      say(topic % size.channels, `topic ${topic}`, markOf(topic))
    }
    indexMessages(tx)
    leaveNothingUnread(
      tx,
      reader,
      channels.map(({ recipientId }) => recipientId),
    )
    return {
      session: insertSession(tx, reader.id, systemClock),
      people: people.slice(1, 40).map(({ email, apiKey }) => ({ email, apiKey })),
      topics: Array.from({ length: topicCount }, (_, i) => {
        const channel = channels[i % size.channels]
        return `#narrow/channel/${channel?.id}/topic/topic.20${i}`
      }),
    }
  })
}

function leaveNothingUnread(tx: Tx, reader: User, recipientIds: readonly number[]): void {
  for (const recipientId of recipientIds) startHistory(tx, reader.id, recipientId, 1_000_000)
}
