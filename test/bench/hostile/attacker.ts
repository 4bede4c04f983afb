// The process that attacks: told what to do by its parent, it says when it is ready and what came
// of it. Only the server on this machine is ever called.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack, Attacker, Next } from './attack.ts'
import { usualConnections } from './attack.ts'
import { attacks } from './attacks.ts'
import { type Answer, authorization, type Call, makeCall, newAgent } from './client.ts'
import type { World } from './world.ts'

/** What the process is started with, as JSON in its only argument. */
export interface Job {
  readonly port: number
  readonly attack: string
  readonly world: World
  readonly milliseconds: number
}

/** What came of the attack. */
export interface Tally {
  /** Answers by HTTP status, and what else happened to requests and connections. */
  readonly counts: Readonly<Record<string, number>>
  /** Why the attack could not go on. */
  readonly problem?: string
}

/** The most that an attack sends, in bytes: it must not fill the disk of who measures. */
const mostBytes = 500_000_000

const job: Job = JSON.parse(process.argv[2] ?? '{}')
const attack = attacks.find(({ name }) => name === job.attack)
if (!attack || !process.send) throw new Error('This is started by the benchmark.')
process.once('message', () => void begin(attack, job))
process.send('ready')

async function begin(attack: Attack, job: Job): Promise<void> {
  const counts: Record<string, number> = {}
  const tally = await Promise.race([run(attack, job, counts), sleep(job.milliseconds + 500)])
  process.send?.({ counts, ...(tally && { problem: tally }) }, () => process.exit())
}

/** @returns why it could not go on, if so */
async function run(attack: Attack, job: Job, counts: Record<string, number>): Promise<string> {
  try {
    await attack.run(createAttacker(attack, job, counts))
    return ''
  } catch (error) {
    return String(error)
  }
}

function createAttacker(
  { as = 'member' }: Attack,
  { port, world, milliseconds }: Job,
  counts: Record<string, number>,
): Attacker {
  const account = world[as]
  const ends = performance.now() + milliseconds
  const agent = newAgent()
  let bytes = 0
  const isOver = () => performance.now() >= ends || bytes >= mostBytes
  const rest = async (wanted: number) =>
    void (await sleep(Math.max(0, Math.min(wanted, ends - performance.now()))))
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1
  }

  async function call(wanted: Call): Promise<Answer | undefined> {
    bytes += Buffer.byteLength(wanted.body ?? '')
    count('sent')
    try {
      const answer = await makeCall(agent, port, { as: account, ...wanted })
      count(String(answer.status))
      return answer
    } catch {
      count('lost')
      return undefined
    }
  }

  async function lane(next: Next, take: () => number): Promise<void> {
    while (!isOver()) {
      const answer = await call(next(take()))
      // A server that is not there would be asked a thousand times a second.
      if (!answer) await rest(20)
      if (answer?.status === 429) await rest((answer.retryAfter ?? 1) * 1000)
    }
  }

  return {
    port,
    world,
    authorization: authorization(account),
    isOver,
    rest,
    count,
    async ask<T>(wanted: Call) {
      for (;;) {
        const answer = await call(wanted)
        if (answer?.status === 200) return JSON.parse(answer.body.toString()) as T
        const said = answer?.body.toString().slice(0, 200)
        if (answer?.status !== 429 || isOver()) {
          throw new Error(`${wanted.method} ${wanted.path.slice(0, 100)}: ${said}`)
        }
        await rest((answer.retryAfter ?? 1) * 1000)
      }
    },
    async flood(next, connections = usualConnections) {
      let taken = 0
      const lanes = Array.from({ length: connections }, () => lane(next, () => taken++))
      await Promise.all(lanes)
    },
  }
}
