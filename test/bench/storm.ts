import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Line } from './figures.ts'
import { ask, encodeForm, openConnection, poster } from './http.ts'
import { addChannel, addPeople, seedFolder } from './organization.ts'
import { type Program, startServer } from './processes.ts'
import { mainThreadTimes, watchMemory } from './watching.ts'

const userCount = 20_000
const channelsOfAll = 10
const otherChannels = 990
const subscribersOfOthers = 100
const clientCount = 500
const limitSeconds = 10
const limitMegabytes = 600
const limitReplyMegabytes = 3

/** What the web client asks for. */
const form = encodeForm({
  apply_markdown: true,
  slim_presence: true,
  include_subscribers: 'partial',
  client_capabilities: { archived_channels: true, user_list_incomplete: true },
})

/** Clients that all register at once with a server of a large organization that has just started. */
export async function measureStorm(program: Program, folder: string): Promise<Line[]> {
  const data = join(folder, 'storm')
  mkdirSync(data)
  const people = await seedFolder(data, (tx) => {
    const people = addPeople(tx, userCount)
    for (let i = 0; i < channelsOfAll; i++) addChannel(tx, `everybody ${i}`, people)
    for (let i = 0; i < otherChannels; i++) {
      const start = (i * subscribersOfOthers) % userCount
      addChannel(tx, `channel ${i}`, people.slice(start, start + subscribersOfOthers))
    }
    return people
  })
  const server = await startServer(program.file, data)
  const memory = watchMemory(server.pid)
  const connections = await Promise.all(
    Array.from({ length: clientCount }, () => openConnection(server.port)),
  )
  const before = mainThreadTimes(server.pid)
  const began = performance.now()
  const settled = await Promise.allSettled(
    connections.map((connection, i) => {
      const request = poster('/api/v1/register', people[i])(form)
      return ask(connection, request.replace('\r\n', '\r\nAccept-Encoding: gzip\r\n'))
    }),
  )
  const seconds = (performance.now() - began) / 1000
  const computed = (mainThreadTimes(server.pid).computed - before.computed) / clientCount
  const peak = memory.stop()
  for (const { close } of connections) close()
  await server.stop()
  const replies = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const [reply] = replies
  if (!reply) throw new Error('Nobody got an answer.')
  const { realm_users: users } = JSON.parse(gunzipSync(reply).toString())
  if (users.length !== userCount) throw new Error(`Not all users but ${users.length}.`)
  const megabytes = reply.length / 1e6
  const where = `organization of ${userCount} users and ${channelsOfAll + otherChannels} channels`
  return [
    {
      name: `${clientCount} registers at once, ${where}`,
      figure: `${replies.length} answered, ${seconds.toFixed(1)} s, ${computed.toFixed(0)} ms of CPU each`,
      target: `< ${limitSeconds} s`,
      met: seconds < limitSeconds && replies.length === clientCount,
    },
    {
      name: 'the peak of memory in that',
      figure: `${peak.toFixed(0)} MB`,
      target: `< ${limitMegabytes} MB`,
      met: peak < limitMegabytes,
    },
    {
      name: 'one of these replies, compressed',
      figure: `${megabytes.toFixed(2)} MB`,
      target: `< ${limitReplyMegabytes} MB`,
      met: megabytes < limitReplyMegabytes,
    },
  ]
}
