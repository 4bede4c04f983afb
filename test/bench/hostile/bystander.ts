import type { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from '#test/bench/processes.ts'
import { mainThreadTimes } from '#test/bench/watching.ts'
import { type Call, makeCall, newAgent, reading, sending } from './client.ts'
import type { World } from './world.ts'

/** One request of the bystander. */
export interface Sample {
  /** Until the whole answer was there, in milliseconds; infinite where no good one came. */
  readonly waited: number
  /**
   * Between these lies what it would have waited on a machine that is not busy with other things:
   * without the time that the server or the bystander waited for a processor, which may be the same
   * time; and what the server computed meanwhile, which may go on after the answer.
   */
  readonly least: number
  readonly most: number
}

export interface Seen {
  readonly sends: readonly Sample[]
  readonly fetches: readonly Sample[]
}

/** From one send to the next, and from one fetch to the next, in milliseconds. */
const everyMs = 60
/** How long the bystander waits for an answer, in milliseconds. */
const patienceMs = 15_000

/**
 * Sends and fetches at fixed times, whether or not the last answer is there: a server that stands
 * still for a second makes everything late that someone would have done in it. One of ten fetches
 * is what an app does when it starts; the others read the channel that everyone writes to.
 */
export async function observe(server: Running, world: World, milliseconds: number): Promise<Seen> {
  const agent = newAgent()
  const sends: Promise<Sample>[] = []
  const fetches: Promise<Sample>[] = []
  const began = performance.now()
  for (let i = 0; i * everyMs < milliseconds; i++) {
    await sleep(Math.max(0, began + i * everyMs - performance.now()))
    sends.push(timed(agent, server, { ...sendOf(world, i), as: world.bystander }))
    const fetch = i % 10 === 9 ? startOfApp : newestOf(world)
    fetches.push(timed(agent, server, { ...fetch, as: world.bystander }))
  }
  const seen = { sends: await Promise.all(sends), fetches: await Promise.all(fetches) }
  agent.destroy()
  return seen
}

function sendOf({ quietChannel }: World, i: number): Call {
  const content = `The ${i}th thing to say, which is short.`
  return sending('POST', '/messages', { type: 'channel', to: quietChannel, topic: 'talk', content })
}

function newestOf({ busyChannel }: World): Call {
  const narrow = [{ operator: 'channel', operand: busyChannel }]
  return reading('/messages', { anchor: 'newest', num_before: 30, num_after: 0, narrow })
}

/** The state without a queue for its events would be no start; the queue ends by itself. */
const startOfApp = sending('POST', '/register', { apply_markdown: true })

async function timed(agent: Agent, { port, pid }: Running, call: Call): Promise<Sample> {
  const began = performance.now()
  const before = { server: mainThreadTimes(pid), own: mainThreadTimes(process.pid) }
  const { status } = await makeCall(agent, port, { ...call, abandonAfterMs: patienceMs }).catch(
    () => ({ status: 0 }),
  )
  if (status !== 200) return { waited: never, least: never, most: never }
  const waited = performance.now() - began
  const server = mainThreadTimes(pid)
  const delayed =
    server.delayed -
    before.server.delayed +
    mainThreadTimes(process.pid).delayed -
    before.own.delayed
  return {
    waited,
    least: Math.max(0, waited - delayed),
    most: server.computed - before.server.computed,
  }
}

const never = Number.POSITIVE_INFINITY
