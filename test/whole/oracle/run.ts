import assert from 'node:assert/strict'
import { deleteOldMessages } from '#features/organization/retention/jobs.ts'
import { upload } from '#test/support/files.ts'
import { type Client, startServer, type Watch } from '#test/support/server.ts'
import { eventName } from '../replay/apply-event.ts'
import { messageReducers } from '../replay/messages.ts'
import type { State } from '../replay/state.ts'
import { type Plan, type Step, stepOf } from './actions.ts'
import { createBooks } from './books.ts'
import { checkViewer, requireEqual } from './checks.ts'
import {
  arrive,
  type Channel,
  type Message,
  mayRead,
  type Person,
  receives,
  roles,
  type World,
} from './rules.ts'

const eventTypes = ['message', 'update_message', 'delete_message', 'update_message_flags']
const capabilities = { bulk_message_deletion: true, user_list_incomplete: true }

/** What a run did, one line for each step, and where it went wrong. */
export interface Outcome {
  readonly log: readonly string[]
  readonly failure: unknown
  /** How many steps were taken, and how many of them the server let through. */
  readonly taken: number
  readonly done: number
}

/** Takes the steps of some plans on a server of their own and checks every answer to everyone. */
export async function run(plans: readonly Plan[]): Promise<Outcome> {
  const server = await startServer()
  const log: string[] = []
  let taken = 0
  let done = 0
  try {
    const scene = await openScene(server)
    for (const plan of plans) {
      const step = stepOf(scene.world, plan)
      taken += 1
      const { actor, method, path, params } = step
      log.push(`${actor} ${method} ${path} ${JSON.stringify(params)}`)
      const succeeded = await scene.take(step)
      if (succeeded) done += 1
      else log.push('  (refused)')
      await scene.check(plan.numbers.at(-1) ?? 0)
    }
    await scene.checkAll()
    return { log, failure: undefined, taken, done }
  } catch (failure) {
    return { log, failure, taken, done }
  } finally {
    await server.close()
  }
}

type Server = Awaited<ReturnType<typeof startServer>>

async function openScene(server: Server) {
  const owner = server.as('owner')
  const founder = server.as('zoe')
  const must = async <T extends object>(reply: Promise<T & { result: string; msg: string }>) => {
    const settled = await reply
    assert.equal(settled.result, 'success', settled.msg)
    return settled
  }
  const clients = new Map<number, Client>()
  const people = new Map<number, Person>()
  const add = (client: Client, role: number) => {
    clients.set(client.id, client)
    people.set(client.id, { id: client.id, role, active: true })
  }
  add(owner, roles.owner)
  add(founder, roles.member)
  add(server.as('admin'), roles.admin)
  add(server.as('moderator'), roles.moderator)
  for (const name of ['member', 'cordelia', 'othello'] as const) add(server.as(name), roles.member)
  add(server.as('guest'), roles.guest)
  add(await server.enroll('Second Guest', roles.guest), roles.guest)
  const channels = new Map<number, Channel>()
  const first = [founder.id, server.ids.member, server.ids.guest]
  for (const name of ['red', 'green', 'blue', 'black']) {
    const isPrivate = name === 'blue' || name === 'black'
    const history_public_to_subscribers = name !== 'black'
    const { id } = await must(
      founder.post<{ id: number }>('/channels/create', {
        name,
        subscribers: first,
        invite_only: isPrivate,
        history_public_to_subscribers,
      }),
    )
    channels.set(id, {
      id,
      name,
      isPrivate,
      isWebPublic: false,
      sharesHistory: history_public_to_subscribers,
      isArchived: false,
      subscribers: new Set(first),
      opening: { can_subscribe_group: 1, can_add_subscribers_group: 1 },
      administrators: { direct_members: [founder.id], direct_subgroups: [] },
    })
  }
  const groups: World['groups'] = new Map()
  for (const name of ['alpha', 'beta']) {
    const { group_id } = await must(
      owner.post<{ group_id: number }>('/user_groups/create', {
        name,
        description: name,
        members: [],
      }),
    )
    groups.set(group_id, { members: new Set(), subgroups: new Set() })
  }
  const files = new Map<number, string>()
  for (const name of ['zoe', 'member', 'cordelia', 'guest'] as const) {
    files.set(server.ids[name], await upload(server, name, `${name}.txt`))
  }
  const messages: World['messages'] = new Map()
  const world: World = { people, groups, channels, messages, files, showsEditHistory: true }
  const books = createBooks()
  const { $client: sqlite } = server.server.context.store.db
  const newer = sqlite.prepare<[number], NewRow>(
    `SELECT m.id, m.sender_id AS senderId, m.topic, m.content, r.channel_id AS channelId,
       r.direct_key AS directKey
     FROM messages m JOIN recipients r ON r.id = m.recipient_id WHERE m.id > ? ORDER BY m.id`,
  )
  // The clock stands still, as event queues do not outlive two days without a client.
  const makeOld = sqlite.prepare<[number]>(
    `UPDATE messages SET sent_at = sent_at - 2 * 86400
     WHERE recipient_id = (SELECT id FROM recipients WHERE channel_id = ?)`,
  )
  let newest = 0

  /** What was sent since, by people or by bots. Only where and what it is comes from the server. */
  function takeIn(): Message[] {
    const sent = newer.all(newest).flatMap((row): Message[] => {
      newest = row.id
      const { id, senderId, topic, content, channelId, directKey } = row
      const channel = channelId === null ? undefined : channels.get(channelId)
      if (channelId !== null && !channel) return []
      const members = directKey?.split(',').map(Number) ?? []
      return [
        {
          id,
          senderId,
          topic,
          content,
          channel,
          people: members,
          arrivals: [],
          mentions: noMentions,
          stars: new Set(),
        },
      ]
    })
    for (const message of sent) {
      world.messages.set(message.id, message)
      if (!message.channel) continue
      arrive(world, message, message.channel)
      message.mentions = mentionsOf(world, message)
    }
    return sent
  }
  books.keep(world, takeIn(), [])

  const queues = new Map<number, Watch>()
  /** What a client makes of the events. */
  const replayed = new Map<number, State>()
  function forgetQueue(id: number): void {
    queues.delete(id)
    replayed.delete(id)
  }

  async function listen(): Promise<void> {
    for (const [id, { active }] of people) {
      if (!active) forgetQueue(id)
      else if (!queues.has(id)) {
        const params = {
          event_types: eventTypes,
          fetch_event_types: ['update_message_flags', 'starred_messages'],
          client_capabilities: capabilities,
        }
        const queue = (await clients.get(id)?.watchWith(params)) as Watch
        queues.set(id, queue)
        replayed.set(id, { ...structuredClone(queue.state), user_id: id } as State)
      }
    }
  }
  await listen()

  async function take(step: Step): Promise<boolean> {
    const { actor, method, path, params } = step
    const client = clients.get(actor)
    assert.ok(client)
    const readBefore = readersOf(world, step.deletes ?? [])
    const reply = await client[method](path, params)
    assert.notEqual(reply.code, 'INTERNAL_SERVER_ERROR', path)
    const succeeded = reply.result === 'success' && people.get(actor)?.active === true
    assert.equal(reply.result === 'success', succeeded, 'somebody deactivated did something')
    if (succeeded && step.outlived) {
      makeOld.run(step.outlived.id)
      await deleteOldMessages.run(server.server.context, new AbortController().signal)
      await must(client[method](path, { message_retention_days: 'unlimited' }))
    }
    if (succeeded) step.effect?.()
    const sent = takeIn()
    const known = step.updates ?? []
    const readAfter = readersOf(world, [...known, ...(step.deletes ?? [])])
    for (const [id, queue] of queues) {
      const person = people.get(id)
      if (!person?.active) continue
      const expected = {
        message: sent.filter((message) => receives(person, message)).map((message) => message.id),
        update_message: succeeded ? known.filter((one) => readAfter(person, one)) : [],
        delete_message: succeeded
          ? (step.deletes ?? []).filter(
              (one) =>
                readBefore(person, one) && !(world.messages.has(one.id) && readAfter(person, one)),
            )
          : [],
      }
      const events = await queue.drain()
      for (const event of events) {
        messageReducers[eventName(event)]?.(replayed.get(id) as State, event)
      }
      const idsIn = (type: string, read: (event: (typeof events)[number]) => unknown) =>
        events.filter((event) => event.type === type).flatMap(read) as number[]
      requireEqual(
        {
          message: idsIn('message', (event) => (event.message as { id: number }).id),
          update_message: idsIn('update_message', (event) => event.message_ids),
          delete_message: idsIn('delete_message', (event) => event.message_ids),
        },
        {
          message: expected.message,
          update_message: expected.update_message.map((message) => message.id),
          delete_message: expected.delete_message.map((message) => message.id),
        },
        `events of ${id}`,
      )
    }
    books.keep(world, sent, succeeded ? (step.reads ?? []).map(({ id }) => id) : [], actor)
    await listen()
    return succeeded
  }

  function ask(viewer: Person, turn: number): Promise<void> {
    const client = clients.get(viewer.id) as Client
    return checkViewer(world, viewer, client, books, turn, replayed.get(viewer.id))
  }

  async function check(number: number): Promise<void> {
    const viewers = [...people.values()]
    const viewer = viewers[number % viewers.length] as Person
    await ask(viewer, number >> 4)
  }

  async function checkAll(): Promise<void> {
    for (const viewer of people.values()) {
      for (let turn = 0; turn < channels.size; turn++) {
        await ask(viewer, turn)
      }
    }
  }
  return { world, take, check, checkAll }
}

const noMentions: Message['mentions'] = { ids: new Set(), all: false }

/** Only people whom a message reaches are mentioned. */
function mentionsOf(world: World, message: Message): Message['mentions'] {
  const named = /\|(\d+)\*\*/.exec(message.content)?.[1]
  const person = world.people.get(Number(named))
  const ids = person && receives(person, message) ? [person.id] : []
  return { ids: new Set(ids), all: message.content.includes('@**all**') }
}

interface NewRow {
  id: number
  senderId: number
  topic: string
  content: string
  channelId: number | null
  directKey: string | null
}

/** Who can read some messages now, whatever happens to them later. */
function readersOf(world: World, messages: readonly Message[]) {
  const readers = new Map(
    messages.map((message) => [
      message.id,
      new Set(
        [...world.people.values()]
          .filter((one) => mayRead(world, one, message))
          .map(({ id }) => id),
      ),
    ]),
  )
  return ({ id }: Person, message: Message) => readers.get(message.id)?.has(id) === true
}
