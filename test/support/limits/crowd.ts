import { createChannel } from '#features/foundation/channels/actions.ts'
import { insertFolder } from '#features/foundation/channels/folders.queries.ts'
import { findChannel } from '#features/foundation/channels/queries.ts'
import { insertMessage } from '#features/foundation/core/queries.ts'
import { findUser, insertUser, type User } from '#features/foundation/users/queries.ts'
import { insertLinkifier } from '#features/messaging/linkifiers/queries.ts'
import { createGroup } from '#features/people/group-administration/actions.ts'
import { insertProfileField } from '#features/people/profile-fields/queries.ts'
import { quotas } from '#program/features.ts'
import type { TestServer } from '#test/support/server.ts'
import { changeLimits } from './changing.ts'

/** What a large organization has, so that requests can name as much of it as they may. */
export interface Crowd {
  /** Ids of members who are in no channel. */
  readonly people: readonly number[]
  /** Public channels that nobody subscribes to. */
  readonly channels: readonly { readonly id: number; readonly name: string }[]
  /** Ids of messages in Verona. */
  readonly messages: readonly number[]
  /** Ids of groups that the owner has made. */
  readonly groups: readonly number[]
  /** Another number each time. */
  next(): number
}

/** `make` for each number from 0. */
export function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i))
}

/**
 * Makes 5000 people and messages, a thousand channels and groups, and as many folders, linkifiers
 * and profile fields as there may be; lifts the limits on what accounts have, which other tests see.
 *
 * @param share how much of that
 */
export function gatherCrowd(server: TestServer, share: number): Promise<Crowd> {
  const of = (most: number) => Math.ceil(share * most)
  let made = 0
  const { store, clock } = server.server.context
  const lifted = quotas.map(({ name, most }): [string, number] => [name, 1000 * most])
  changeLimits(store, Object.fromEntries(lifted))
  return store.write((tx) => {
    const owner = findUser(tx, server.ids.owner) as User
    const { id: _, ...member } = findUser(tx, server.ids.member) as User
    const people = times(of(5000), (i) => {
      const fullName = `One of the Crowd ${i}`
      const email = `crowd${i}@example.com`
      const addresses = { email, emailKey: email, apiEmail: email, apiEmailKey: email }
      const apiKey = `${i}`.padStart(32, 'k')
      return insertUser(tx, { ...member, ...addresses, fullName, apiKey }).id
    })
    const channels = times(of(1000), (i) => createChannel(tx, owner, { name: `crowded ${i}` }))
    const verona = findChannel(tx, server.channels.shared)
    const sentAt = Math.floor(clock.now() / 1000)
    const messages = times(of(5000), (i) => {
      const topic = `topic ${i % 50}`
      const place = { recipientId: verona?.recipientId ?? 0, topic, topicKey: topic }
      const content = { content: `Message ${i}`, renderedContent: `<p>Message ${i}</p>` }
      const links = { hasLink: false, hasImage: false, hasAttachment: false }
      const rest = { isMe: false, channelWildcard: false, client: 'website', sentAt }
      return insertMessage(tx, { ...place, ...content, ...links, ...rest, senderId: owner.id }).id
    })
    const groups = times(of(1000), (i) =>
      createGroup(tx, owner, { name: `crowd ${i}`, description: '', memberIds: [] }),
    )
    times(of(490), (i) => {
      const description = { description: '', renderedDescription: '' }
      const made = { dateCreated: sentAt, creatorId: owner.id }
      insertFolder(tx, { name: `crowded ${i}`, ...description, ...made })
      const url = { urlTemplate: 'https://example.com/{id}', alternativeUrlTemplates: [] }
      const example = { exampleInput: null, reverseTemplate: null }
      insertLinkifier(tx, { pattern: `crowd${i}-(?P<id>[0-9]+)`, ...url, ...example })
    })
    times(of(100), (i) =>
      insertProfileField(tx, {
        name: `crowded ${i}`,
        fieldType: 1,
        fieldData: {},
        position: 100 + i,
      }),
    )
    return {
      ...{ people, channels, messages, groups: groups.map(({ id }) => id) },
      next: () => ++made,
    }
  })
}
