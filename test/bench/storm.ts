import { gunzipSync } from 'node:zlib'
import type { Line } from './figures.ts'
import { ask, openConnection } from './http.ts'
import { largeOrganization, registerRequest, sizeText, userCount } from './large-organization.ts'
import { type Program, startServer } from './processes.ts'
import { mainThreadTimes, watchMemory } from './watching.ts'

const clientCount = 500
const limitSeconds = 10
const limitMegabytes = 600
const limitReplyMegabytes = 3

/** Clients that all register at once with a server of a large organization that has just started. */
export async function measureStorm(program: Program, folder: string): Promise<Line[]> {
  const { data, people } = await largeOrganization(folder)
  const server = await startServer(program.file, data)
  const memory = watchMemory(server.pid)
  const connections = await Promise.all(
    Array.from({ length: clientCount }, () => openConnection(server.port)),
  )
  const before = mainThreadTimes(server.pid)
  const began = performance.now()
  const settled = await Promise.allSettled(
    connections.map(async (connection, i) => {
      const user = people[i]
      if (!user) throw new Error('There are too few people.')
      return await ask(connection, registerRequest(user))
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
  return [
    {
      name: `${clientCount} registers at once, ${sizeText}`,
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
