import { gunzipSync, gzipSync } from 'node:zlib'
import { type Line, median, milliseconds } from './figures.ts'
import { ask, type Connection, encodeForm, openConnection, poster } from './http.ts'
import { largeOrganization, registerRequest, sizeText, userCount } from './large-organization.ts'
import { type Program, startServer } from './processes.ts'
import { mainThreadTimes } from './watching.ts'

/** How often each kind is measured: a server starts anew for each. */
const rounds = 5
/** How many registers in a row are warm. */
const warmCount = 10
const limitMs = 300
const limitMegabytes = 3

/** What one register took, in milliseconds. */
interface Took {
  readonly elapsed: number
  /** For the main thread of the server. */
  readonly computed: number
}

/**
 * One register at a time in a large organization: the first of a server, more of them, and the
 * first after a change of what all clients get alike.
 */
export async function measureRegistering(program: Program, folder: string): Promise<Line[]> {
  const { data, people, channel } = await largeOrganization(folder)
  const took: Record<'cold' | 'warm' | 'user' | 'channel', Took[]> = {
    cold: [],
    warm: [],
    user: [],
    channel: [],
  }
  const plain: number[] = []
  let bytes = 0
  for (let round = 0; round < rounds; round++) {
    const server = await startServer(program.file, data)
    const connection = await openConnection(server.port)
    const [owner, ...others] = people
    if (!owner) throw new Error('There is nobody.')
    const readers = others.slice(round * 100).values()
    const register = async (): Promise<[Took, Buffer]> => {
      const request = registerRequest(readers.next().value ?? owner)
      const before = mainThreadTimes(server.pid).computed
      const began = performance.now()
      const reply = await ask(connection, request)
      const elapsed = performance.now() - began
      return [{ elapsed, computed: mainThreadTimes(server.pid).computed - before }, reply]
    }
    const [cold, reply] = await register()
    took.cold.push(cold)
    bytes = reply.length
    plain.push(timePlain(reply))
    for (let i = 0; i < warmCount; i++) took.warm.push((await register())[0])
    const name = encodeForm({ full_name: `Owner ${round}` })
    await change(connection, 'settings', name)
    took.user.push((await register())[0])
    const description = encodeForm({ description: `Change ${round}` })
    await change(connection, `streams/${channel.id}`, description)
    took.channel.push((await register())[0])
    connection.close()
    await server.stop()

    async function change(over: Connection, path: string, form: string): Promise<void> {
      await ask(over, poster(`/api/v1/${path}`, owner)(form).replace('POST', 'PATCH'))
    }
  }
  const yardstick = `${milliseconds(median(plain))} to serialise it and gzip it plainly`
  const line = (name: string, times: readonly Took[]): Line => {
    const elapsed = median(times.map((one) => one.elapsed))
    const computed = median(times.map((one) => one.computed))
    return {
      name: `${name}, ${sizeText}`,
      figure: `${milliseconds(elapsed)} p50, ${milliseconds(computed)} of CPU`,
      target: `< ${limitMs} ms`,
      met: elapsed < limitMs,
      yardstick,
    }
  }
  const megabytes = bytes / 1e6
  return [
    line('first register after the start', took.cold),
    line('one more register', took.warm),
    line('first register after a change of a user', took.user),
    line('first register after a change of a channel', took.channel),
    {
      name: 'the reply to one register, compressed',
      figure: `${megabytes.toFixed(2)} MB`,
      target: `< ${limitMegabytes} MB`,
      met: megabytes < limitMegabytes,
    },
  ]
}

/** What it takes to make such a reply from objects that are there already, in milliseconds. */
function timePlain(reply: Buffer): number {
  const state = JSON.parse(gunzipSync(reply).toString())
  if (state.realm_users.length !== userCount) throw new Error('Not all users are in the reply.')
  const began = performance.now()
  gzipSync(JSON.stringify(state))
  return performance.now() - began
}
