import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { bundleTests } from '#test/runner/bundle.ts'
import { commandOf } from '#test/support/programs.ts'
import { parley } from '#test/support/shell.ts'
import { mountSmallDisk } from '#test/support/small-disk.ts'
import {
  act,
  checkStorm,
  countdown,
  type Listener,
  listen,
  newListener,
  newSeen,
  startVictim,
} from '#test/support/storm.ts'

// Kills a server again and again under a mixed load, also while its disk is full, and checks what is
// left: `--rounds N`.
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '1000' } } })
const rounds = Number(values.rounds)
if (!Number.isSafeInteger(rounds) || rounds < 1) {
  console.error('--rounds is a number of rounds, at least 1.')
  process.exit(2)
}

const senders = ['hamlet@zulip.com', 'iago@zulip.com', 'cordelia@zulip.com', 'othello@zulip.com']
const sendersOfEach = 4
/** The most messages that a server acknowledges before it is killed. */
const mostMessages = 150
/** How many rounds the returning client is away. */
const returnsEvery = 7
/** How many rounds the sleeping client is away, which is minutes. */
const sleepsFor = 50
/** Every so many rounds a server is killed while it starts as well. */
const startsKilledEvery = 10
const longestStartMs = 400
/** Every so many rounds the disk fills up first; every other time, the server is stopped in order. */
const fullEvery = 5
const diskMebibytes = 512
/** The most bytes that are left on a full disk. */
const mostSpare = 512 * 1024
/** How much a server refuses on a full disk before it ends. */
const mostRefused = 20

const disk = mountSmallDisk(diskMebibytes)
const seen = newSeen()
const [polling, returning, asleep] = [
  newListener('hamlet@zulip.com'),
  newListener('iago@zulip.com'),
  newListener('cordelia@zulip.com'),
]
const awake = [polling, returning]
const listeners = [...awake, asleep]

/** @param round its number, from 0 */
async function runRound(data: string, round: number): Promise<void> {
  if (round % startsKilledEvery === startsKilledEvery - 1) {
    const [command = '', ...args] = commandOf('test/support/serve.ts', data)
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const exit = once(child, 'exit')
    await sleep(Math.random() * longestStartMs)
    child.kill('SIGKILL')
    await exit
  }
  const victim = await startVictim(data)
  if (round === 0) for (const one of listeners) await listen(victim.url, one, seen, false)
  else if (round % returnsEvery === 0) await listen(victim.url, returning, seen, false)
  const isFull = disk !== undefined && round % fullEvery === fullEvery - 1
  const full = countdown(mostRefused)
  const end = countdown(1 + Math.floor(Math.random() * mostMessages))
  const clients = [
    listen(victim.url, polling, seen),
    ...Array.from({ length: sendersOfEach }, () => senders)
      .flat()
      .map((email) => act(victim.url, email, seen, end.sent, isFull ? full.sent : undefined)),
  ]
  await end.reached
  const makeRoom = isFull ? disk.fill(Math.floor(Math.random() * mostSpare)) : undefined
  if (makeRoom) await full.reached
  const isStopped = makeRoom !== undefined && round % (2 * fullEvery) === fullEvery - 1
  await (isStopped ? victim.stop() : victim.kill())
  await Promise.all(clients)
  if (!makeRoom) return
  // It must start again on the full disk, or nobody can delete anything; and commands must work.
  await (await startVictim(data)).kill()
  const copy = mkdtempSync(join(tmpdir(), 'parley-torture-copy-'))
  for (const args of [['check'], ['user', 'list'], ['backup', join(copy, 'backup')]]) {
    const { code, out, err } = await parley([...args, '--data', data])
    if (code !== 0) throw new Error(`On a full disk, ${args[0]} ended with ${code}: ${out}${err}`)
  }
  rmSync(copy, { recursive: true })
  await (await startVictim(data)).kill()
  makeRoom()
}

/** Lets these clients have the rest, and checks that none of them lost anything. */
async function check(data: string, present: readonly Listener[]): Promise<void> {
  const last = await startVictim(data)
  for (const one of present) await listen(last.url, one, seen, false)
  await last.kill()
  checkStorm(data, seen, present)
}

const bundle = await bundleTests(process.cwd(), [])
process.env.TEST_BUNDLE = bundle.folder
const data = disk ? join(disk.folder, 'data') : mkdtempSync(join(tmpdir(), 'parley-torture-'))
if (!disk) console.log('Without full disks: only root can mount one to fill.')
try {
  for (let round = 0; round < rounds; round++) {
    await runRound(data, round)
    if (round % 10 === 9) {
      await check(data, round % sleepsFor === sleepsFor - 1 ? listeners : awake)
      console.log(`${round + 1} rounds, ${seen.sent.length} messages acknowledged, none lost`)
    }
  }
  await check(data, listeners)
  const { sent, edited, reacted, drafts, unsent } = seen
  console.log(
    `Good after ${rounds} rounds: ${sent.length} messages, ${edited.size} edits, ` +
      `${reacted.length} reactions and ${drafts.length} drafts were acknowledged, and are there; ${unsent.length} ` +
      'messages were refused for want of room, and are not. ' +
      `Each of ${listeners.length} clients got every message once, in the queue it began with.`,
  )
} finally {
  if (disk) disk.remove()
  else rmSync(data, { recursive: true, force: true })
  bundle.release()
}
