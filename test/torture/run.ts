import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { bundleTests } from '#test/runner/bundle.ts'
import {
  act,
  checkStorm,
  countdown,
  kill,
  listen,
  newListener,
  newSeen,
  spawnVictim,
  startVictim,
} from '#test/support/storm.ts'

// Kills a server again and again under a mixed load, and checks what is left: `--rounds N`.
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
/** Every so many rounds a server is killed while it starts, too. */
const startsKilledEvery = 10
const longestStartMs = 400

const seen = newSeen()
const [polling, returning, asleep] = [
  newListener('hamlet@zulip.com'),
  newListener('iago@zulip.com'),
  newListener('cordelia@zulip.com'),
]
const listeners = [polling, returning, asleep]

/** @param round its number, from 0 */
async function runRound(data: string, round: number): Promise<void> {
  if (round % startsKilledEvery === startsKilledEvery - 1) {
    const child = spawnVictim(data)
    await sleep(Math.random() * longestStartMs)
    await kill({ child })
  }
  const victim = await startVictim(data)
  if (round === 0) for (const one of listeners) await listen(victim.url, one, seen, false)
  else if (round % returnsEvery === 0) await listen(victim.url, returning, seen, false)
  const end = countdown(1 + Math.floor(Math.random() * mostMessages))
  const clients = [
    listen(victim.url, polling, seen),
    ...Array.from({ length: sendersOfEach }, () => senders)
      .flat()
      .map((email) => act(victim.url, email, seen, end.sent)),
  ]
  await end.reached
  await kill(victim)
  await Promise.all(clients)
}

async function catchUpAll(data: string): Promise<void> {
  const last = await startVictim(data)
  for (const one of listeners) await listen(last.url, one, seen, false)
  await kill(last)
}

const bundle = await bundleTests(process.cwd(), [])
process.env.TEST_BUNDLE = bundle.folder
const data = mkdtempSync(join(tmpdir(), 'parley-torture-'))
try {
  for (let round = 0; round < rounds; round++) {
    await runRound(data, round)
    if (round % 10 === 9) {
      await catchUpAll(data)
      checkStorm(data, seen, listeners)
      console.log(`${round + 1} rounds, ${seen.sent.length} messages acknowledged, none lost`)
    }
  }
  await catchUpAll(data)
  checkStorm(data, seen, listeners)
  const { sent, edited, reacted, drafts } = seen
  console.log(
    `Good after ${rounds} rounds: ${sent.length} messages, ${edited.size} edits, ` +
      `${reacted.length} reactions and ${drafts.length} drafts were acknowledged, and are there. ` +
      `Each of ${listeners.length} clients got every message once, in the queue it began with.`,
  )
} finally {
  rmSync(data, { recursive: true, force: true })
  bundle.remove()
}
