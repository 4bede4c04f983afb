import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ask, encodeForm, getRequest, openConnection, poster } from '../http.ts'
import { openQueue } from '../listeners.ts'
import { addChannel, addPeople, seedFolder } from '../organization.ts'
import { type Program, startFloor, startServer } from '../processes.ts'
import { crowd, type House, senders } from './house.ts'
import { followStream, type HttpServer, openHttpHouse, poll } from './http-house.ts'

/** How people get what is new. */
export type Delivery = 'polls' | 'streams'

/** The least that Node can do, as `floor.ts` says. */
export async function openFloor(folder: string, delivery: Delivery): Promise<House> {
  mkdirSync(folder)
  type Message = { readonly id: number; readonly content: string }
  const send = poster('/send')
  return await openHttpHouse({
    name: `floor, ${delivery}`,
    start: () => startFloor(join(folder, 'floor.db')),
    async follow(port, _, take) {
      const all = (messages: readonly Message[]) => {
        for (const { content } of messages) take(content)
      }
      if (delivery === 'streams') {
        return await followStream(port, getRequest('/stream'), (data) => all(data as Message[]))
      }
      const connection = await openConnection(port)
      const [newest] = JSON.parse((await ask(connection, newestRequest(1))).toString()) as Message[]
      let after = newest?.id ?? 0
      return poll(connection, async () => {
        const body = await ask(connection, getRequest('/events', { after }))
        const messages = JSON.parse(body.toString()) as Message[]
        after = messages.at(-1)?.id ?? after
        all(messages)
      })
    },
    sendRequest: (_, text) => send(text),
    historyRequest: newestRequest,
    textsOf: (body) => (JSON.parse(body) as Message[]).map(({ content }) => content),
  })
}

const newestRequest = (count: number) => getRequest('/newest', { count })

/** After so many events a client that follows a stream says that it has them. */
const acknowledgedAt = 200

interface ApiEvent {
  readonly id: number
  readonly message?: { readonly content: string }
}

export async function openOwn(
  program: Program,
  folder: string,
  delivery: Delivery,
): Promise<House> {
  mkdirSync(folder)
  const { people, channel } = await seedFolder(folder, (tx) => {
    const people = addPeople(tx, crowd)
    return { people, channel: addChannel(tx, 'everybody', people) }
  })
  const [first] = people
  if (!first) throw new Error('There is nobody.')
  const send = people.slice(0, senders).map((user) => poster('/api/v1/messages', user))

  const follow: HttpServer['follow'] = async (port, person, take) => {
    const user = people[person] ?? first
    const connection = await openConnection(port)
    const { queue_id, last_event_id } = await openQueue(user, connection)
    let last = last_event_id
    const all = (events: readonly ApiEvent[]) => {
      last = events.at(-1)?.id ?? last
      for (const { message } of events) if (message) take(message.content)
    }
    if (delivery === 'polls') {
      return poll(connection, async () => {
        const params = { queue_id, last_event_id: last }
        const body = await ask(connection, getRequest('/api/v1/events', params, user))
        all((JSON.parse(body.toString()) as { events: ApiEvent[] }).events)
      })
    }
    const post = poster('/api/v1/events/acknowledge', user)
    let acknowledged = last
    let isAcknowledging = false
    const request = getRequest('/api/v1/events/stream', { queue_id, last_event_id }, user)
    const stream = await followStream(port, request, (data) => {
      all(data as ApiEvent[])
      if (last - acknowledged < acknowledgedAt || isAcknowledging) return
      isAcknowledging = true
      acknowledged = last
      connection.send(post(encodeForm({ queue_id, last_event_id: last }))).then(
        () => {
          isAcknowledging = false
        },
        () => {},
      )
    })
    return {
      close() {
        stream.close()
        connection.close()
      },
    }
  }

  return await openHttpHouse({
    name: `Parley, ${delivery}`,
    start: () => startServer(program.file, folder),
    follow,
    sendRequest: (sender, content) =>
      send[sender]?.(encodeForm({ type: 'channel', to: channel.id, topic: 'all', content })) ?? '',
    historyRequest: (count) =>
      getRequest(
        '/api/v1/messages',
        {
          anchor: 'newest',
          num_before: count,
          num_after: 0,
          narrow: [{ operator: 'channel', operand: channel.id }],
        },
        first,
      ),
    textsOf: (body) =>
      (JSON.parse(body) as { messages: { content: string }[] }).messages.map(
        ({ content }) => content,
      ),
  })
}
