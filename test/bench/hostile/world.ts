import { createUser } from '#features/accounts/actions.ts'
import { insertLinkifier } from '#features/linkifiers/queries.ts'
import { indexMessages } from '#features/messages/queries.ts'
import { hashCost, hashPassword } from '#features/users/passwords.ts'
import { roles, type User } from '#features/users/queries.ts'
import type { Tx } from '#platform/store/write.ts'
import type { Account } from '#test/bench/http.ts'
import { addChannel, addPeople, seedFolder } from '#test/bench/organization.ts'
import { createRandom, sentence } from '#test/bench/words.ts'

/** The organization that is attacked. */
export interface World {
  /** An owner, who looks on. */
  readonly bystander: Account
  /** Who attacks, by role. */
  readonly member: Account
  readonly guest: Account
  readonly admin: Account
  /** The ids of everybody in it. */
  readonly userIds: readonly number[]
  /** A channel for everybody, with a history; the bystander reads it. */
  readonly busyChannel: number
  /** A channel for everybody, empty; the bystander writes there. */
  readonly quietChannel: number
}

/** Of every account that attacks. */
export const password = 'a password that is known'

/** Occurs in every second message. */
export const commonWord = 'meeting'

const peopleCount = 100
const messageCount = 5000

/** Fills a new data folder. */
export async function seedWorld(data: string): Promise<World> {
  const passwordHash = await hashPassword(password, hashCost({ fixture: false }))
  return await seedFolder(data, (tx) => {
    const people = addPeople(tx, peopleCount)
    const person = (name: string, role: number) =>
      createUser(tx, { email: `${name}@bench.invalid`, fullName: name, role, passwordHash })
    const member = person('member', roles.member)
    const guest = person('guest', roles.guest)
    const admin = person('admin', roles.admin)
    const [bystander] = people
    if (!bystander) throw new Error('There is nobody.')
    const everybody = [...people, member, guest, admin]
    const busy = addChannel(tx, 'busy', everybody)
    const quiet = addChannel(tx, 'quiet', everybody)
    insertMessages(tx, busy.recipientId, people)
    insertLinkifier(tx, linkifier)
    return {
      bystander: account(bystander),
      member: account(member),
      guest: account(guest),
      admin: account(admin),
      userIds: everybody.map(({ id }) => id),
      busyChannel: busy.id,
      quietChannel: quiet.id,
    }
  })
}

/** Like those that organizations have for their bug trackers. */
const linkifier = {
  pattern: '#(?P<id>[0-9]+)',
  urlTemplate: 'https://example.com/bugs/{id}',
  exampleInput: null,
  reverseTemplate: null,
  alternativeUrlTemplates: [],
}

function account({ email, apiKey }: User): Account {
  return { email, apiKey }
}

function insertMessages(tx: Tx, recipientId: number, people: readonly User[]): void {
  const random = createRandom(3)
  const insert = tx.db.$client.prepare(`
    INSERT INTO messages
      (recipient_id, sender_id, topic, topic_key, content, rendered_content, sent_at, client)
    VALUES (?, ?, ?, ?, ?, ?, ?, 'website')`)
  for (let i = 0; i < messageCount; i++) {
    const content = i % 2 === 0 ? `${sentence(random)} The ${commonWord}.` : sentence(random)
    const sender = people[i % people.length]
    const topic = `topic ${i % 50}`
    const html = `<p>${content}</p>`
    insert.run(recipientId, sender?.id, topic, topic, content, html, 1_700_000_000 + i)
  }
  indexMessages(tx)
}
