import { createUser } from '#features/access/accounts/actions.ts'
import { indexMessages } from '#features/foundation/core/indexing.queries.ts'
import { hashCost, hashPassword } from '#features/foundation/users/passwords.ts'
import { type Role, roles, type User } from '#features/foundation/users/queries.ts'
import { insertLinkifier } from '#features/messaging/linkifiers/queries.ts'
import { insertSubmessage } from '#features/messaging/messages/submessages/queries.ts'
import type { Tx } from '#platform/store/store.ts'
import type { Account } from '#test/bench/http.ts'
import { addChannel, addPeople, messageInserter, seedFolder } from '#test/bench/organization.ts'
import { sentence } from '#test/bench/words.ts'
import { createRandom } from '#test/support/drawing.ts'

/** The organization that is attacked. */
export interface World {
  /** An owner, who looks on. */
  readonly bystander: Account
  /** Who attacks, by role. */
  readonly member: Account
  readonly guest: Account
  readonly admin: Account
  /** The ids of everyone in it. */
  readonly userIds: readonly number[]
  /** A channel for everyone, with a history; the bystander reads it. */
  readonly busyChannel: number
  /** The oldest message of a topic of 1 000 in that channel. */
  readonly longTopicMessage: number
  /** A channel for everyone, with messages that are as long as can be. */
  readonly longChannel: number
  /** A poll in it with as many votes as it takes but for a few. */
  readonly poll: number
  /** A channel for everyone, empty; the bystander writes there. */
  readonly quietChannel: number
}

/** The password of every account that attacks. */
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
    const person = (name: string, role: Role) =>
      createUser(tx, { email: `${name}@bench.invalid`, fullName: name, role, passwordHash })
    const member = person('member', roles.member)
    const guest = person('guest', roles.guest)
    const admin = person('admin', roles.admin)
    const [bystander] = people
    if (!bystander) throw new Error('There is nobody.')
    const everybody = [...people, member, guest, admin]
    const busy = addChannel(tx, 'busy', everybody)
    const quiet = addChannel(tx, 'quiet', everybody)
    const longTopicMessage = insertMessages(tx, busy.recipientId, people)
    const long = addChannel(tx, 'long', everybody)
    const poll = insertLongMessages(tx, long.recipientId, member)
    indexMessages(tx)
    insertLinkifier(tx, linkifier)
    return {
      bystander: account(bystander),
      member: account(member),
      guest: account(guest),
      admin: account(admin),
      userIds: everybody.map(({ id }) => id),
      busyChannel: busy.id,
      longTopicMessage,
      longChannel: long.id,
      poll,
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

/** @returns the id of the oldest one of the long topic */
function insertMessages(tx: Tx, recipientId: number, people: readonly User[]): number {
  const random = createRandom(3)
  const insert = inserter(tx, recipientId)
  let oldest = 0
  for (let i = 0; i < messageCount; i++) {
    const content = i % 2 === 0 ? `${sentence(random)} The ${commonWord}.` : sentence(random)
    const sender = people[i % people.length] as User
    const topic = i % 5 === 0 ? 'the long topic' : `topic ${i % 50}`
    const id = insert(sender, topic, content, `<p>${content}</p>`)
    oldest ||= id
  }
  return oldest
}

/** As many messages as one account sends in some minutes, the last of them a poll. @returns its id */
function insertLongMessages(tx: Tx, recipientId: number, sender: User): number {
  const insert = inserter(tx, recipientId)
  const content = '$$\\frac{a}{b}$$ '.repeat(600)
  // What KaTeX makes of that.
  const html = `<p>${'<span class="katex">x</span>'.repeat(8500)}</p>`
  for (let i = 0; i < 200; i++) insert(sender, 'formulas', content, html)
  const poll = insert(sender, 'polls', '/poll Which?', '<p>/poll Which?</p>')
  const extra_data = { question: 'Which?', options: ['this', 'that'] }
  const widget = JSON.stringify({ widget_type: 'poll', extra_data })
  const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
  for (let i = 0; i < 9000; i++) {
    const step = i === 0 ? widget : vote
    insertSubmessage(tx, { messageId: poll, senderId: sender.id, msgType: 'widget', content: step })
  }
  return poll
}

function inserter(tx: Tx, recipientId: number) {
  const insert = messageInserter(tx)
  let sentAt = 1_700_000_000
  return (sender: User, topic: string, content: string, html: string): number => {
    sentAt += 1
    return insert({ recipientId, sender, topic, content, html, sentAt })
  }
}
