import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Attack } from '#test/bench/hostile/attack.ts'
import type { Job, Tally } from '#test/bench/hostile/attacker.ts'
import { attacks } from '#test/bench/hostile/attacks.ts'
import { observe, type Sample, type Seen } from '#test/bench/hostile/bystander.ts'
import { makeCall, newAgent } from '#test/bench/hostile/client.ts'
import { seedWorld, type World } from '#test/bench/hostile/world.ts'
import { type MailServer, startMailServer } from '#test/support/smtp.ts'
import { type Line, median, milliseconds, percentile } from './figures.ts'
import { type Program, type Running, startServer } from './processes.ts'
import { watchMemory } from './watching.ts'

/** How long the server runs before anything counts: a process that has just started is slow. */
const warmUpMs = 1500
/** How long the bystander is alone, how long the attack lasts, and how long they look on after. */
const quietMs = 2000
const attackMs = 5000
const afterMs = 1000

/** For the 99th percentile of what the bystander waits. */
const slowestMs = 100
/** A machine that is slower than this without an attack is busy with something else. */
const busyMs = 25
const mostMegabytes = 400
/** The heap of the server, in MiB: that of a small machine, and a bound for this one. */
const heapMib = 1024
/** How long a server may take to answer that it is alive, in milliseconds. */
const signOfLifeMs = 5000

/** What became of a server under attack. */
interface Outcome {
  readonly quiet: Seen
  readonly attacked: Seen
  readonly tally: Tally
  readonly peakMegabytes: number
  readonly diskMegabytes: number
  readonly mails: number
  readonly state: 'alive' | 'hangs' | 'died' | 'does not stop'
}

/**
 * What a bystander sees while one account attacks, attack by attack, each on a server of its own.
 * A line is met if the 99th percentiles of sends and fetches, the memory and what the attack itself
 * names stay within their limits, and the server answers and can be stopped afterwards. Beside each
 * stands what the same bystander saw on the same server before. Where that is slow already, the
 * machine is busy: then the scheduler's figures count, and the line is neither met nor missed if
 * they do not suffice to tell.
 *
 * @param part of the names of the attacks that are wanted
 */
export async function measureHostile(program: Program, folder: string, part = ''): Promise<Line[]> {
  const seeded = mkdtempSync(join(folder, 'hostile-'))
  const world = await seedWorld(seeded)
  const wanted = attacks.filter(({ name }) => name.includes(part))
  const lines: Line[] = []
  for (const attack of wanted) {
    const data = join(folder, 'attacked')
    cpSync(seeded, data, { recursive: true })
    const line = lineOf(attack, await suffer(program, data, world, attack))
    console.error(
      `  ${line.met === false ? 'NOT MET: ' : line.met ? '' : 'CANNOT TELL: '}${line.name}: ${line.figure}`,
    )
    lines.push(line)
    rmSync(data, { recursive: true, force: true })
  }
  return lines
}

async function suffer(
  program: Program,
  data: string,
  world: World,
  attack: Attack,
): Promise<Outcome> {
  const mail = attack.most?.mails === undefined ? undefined : await startMailServer()
  const server = await startServer(program.file, data, environment(attack, mail))
  const before = sizeMegabytes(data)
  const memory = watchMemory(server.pid)
  const attacker = await prepare({
    ...{ port: server.port, attack: attack.name, world },
    milliseconds: attackMs,
  })
  await observe(server, world, warmUpMs)
  const quiet = await observe(server, world, quietMs)
  const [tally, attacked] = await Promise.all([
    attacker.begin(),
    observe(server, world, attackMs + afterMs),
  ])
  const isAlive = await answers(server)
  const peakMegabytes = memory.stop()
  const diskMegabytes = sizeMegabytes(data) - before
  const ended = server.hasEnded()
  const stopped = await server.stop()
  const mails = mail?.take().length ?? 0
  await mail?.close()
  const state = ended ? 'died' : !isAlive ? 'hangs' : stopped ? 'alive' : 'does not stop'
  return { quiet, attacked, tally, peakMegabytes, diskMegabytes, mails, state }
}

function environment({ env }: Attack, mail: MailServer | undefined): Record<string, string> {
  return {
    ...env,
    PARLEY_RATE_LIMITS: 'on',
    NODE_OPTIONS: `--max-old-space-size=${heapMib}`,
    ...(mail && { PARLEY_SMTP_URL: mail.url, PARLEY_URL: 'http://127.0.0.1' }),
  }
}

/** Starts the process that attacks; it does nothing until `begin`. */
async function prepare(job: Job): Promise<{ begin(): Promise<Tally> }> {
  const script = fileURLToPath(import.meta.resolve('./hostile/attacker.ts'))
  const child = fork(script, [JSON.stringify(job)], { execArgv: ['--import', 'tsx'] })
  const exited = once(child, 'exit')
  await Promise.race([once(child, 'message'), exited])
  return {
    async begin() {
      const tally = once(child, 'message').then(([said]) => said as Tally)
      const late = sleep(3 * job.milliseconds).then(() => 'It did not end.')
      const gone = exited.then(() => 'It ended without a word.')
      child.send('begin', () => {})
      const came = await Promise.race([tally, late, gone])
      child.kill('SIGKILL')
      await exited
      return typeof came === 'string' ? { counts: {}, problem: came } : came
    },
  }
}

async function answers({ port }: Running): Promise<boolean> {
  const agent = newAgent()
  const call = { method: 'GET', path: '/health', abandonAfterMs: signOfLifeMs }
  try {
    return (await makeCall(agent, port, call)).status === 200
  } catch {
    return false
  } finally {
    agent.destroy()
  }
}

/** What the files of a folder take, in megabytes. */
function sizeMegabytes(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      return statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0
    })
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6
}

function lineOf({ name, most = {} }: Attack, outcome: Outcome): Line {
  const { quiet, attacked, tally, peakMegabytes, diskMegabytes, mails, state } = outcome
  const figures = [
    `sends ${times(attacked.sends)} (quiet ${times(quiet.sends)})`,
    `fetches ${times(attacked.fetches)} (quiet ${times(quiet.fetches)})`,
    `less other programs ${span(attacked)} (quiet ${span(quiet)})`,
    `${peakMegabytes.toFixed(0)} MB`,
    state,
    ...(diskMegabytes >= 1 || most.diskMegabytes ? [`disk ${diskMegabytes.toFixed(0)} MB`] : []),
    ...(most.mails === undefined ? [] : [`${mails} mails`]),
    ...Object.entries(tally.counts).map(([what, count]) => `${what}: ${count}`),
    ...(tally.problem ? [tally.problem] : []),
  ]
  const targets = [
    `< ${slowestMs} ms p99`,
    `< ${mostMegabytes} MB`,
    'alive',
    ...(most.diskMegabytes === undefined ? [] : [`disk < ${most.diskMegabytes} MB`]),
    ...(most.mails === undefined ? [] : [`< ${most.mails} mails`]),
  ]
  const isWithin =
    peakMegabytes < mostMegabytes &&
    state === 'alive' &&
    mails <= (most.mails ?? mails) &&
    diskMegabytes <= (most.diskMegabytes ?? diskMegabytes)
  const met = isWithin ? isFast(attacked, quiet) : false
  return {
    name,
    figure: figures.join(', '),
    target: targets.join(', '),
    ...(met !== undefined && { met }),
  }
}

const slowest = (samples: readonly Sample[], of: keyof Sample) =>
  percentile(
    samples.map((sample) => sample[of]),
    99,
  )

const all = ({ sends, fetches }: Seen) => [...sends, ...fetches]

/** @returns undefined where a machine is too busy with other things to tell */
function isFast(attacked: Seen, quiet: Seen): boolean | undefined {
  if (slowest(all(quiet), 'waited') < busyMs) {
    return [attacked.sends, attacked.fetches].every((of) => slowest(of, 'waited') < slowestMs)
  }
  if (slowest(all(attacked), 'most') < slowestMs) return true
  return slowest(all(attacked), 'least') < slowestMs ? undefined : false
}

/** Between what and what the 99th percentile would be if nothing else ran here. */
function span(seen: Seen): string {
  const bounds = [slowest(all(seen), 'least'), slowest(all(seen), 'most')]
  return bounds
    .sort((a, b) => a - b)
    .map(readable)
    .join(' to ')
}

/** Median and 99th percentile of what was waited. */
function times(samples: readonly Sample[]): string {
  const waited = samples.map((sample) => sample.waited)
  return [median(waited), percentile(waited, 99)].map(readable).join('|')
}

function readable(ms: number): string {
  return Number.isFinite(ms) ? milliseconds(ms) : 'never'
}
