import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  act,
  checkStorm,
  countdown,
  listen,
  newListener,
  newSeen,
  startVictim,
} from '#test/support/storm.ts'

const data = mkdtempSync(join(tmpdir(), 'parley-'))
after(() => rmSync(data, { recursive: true }))

/** How many messages each server acknowledges before it is killed. */
const enough = 60
const senders = ['hamlet@zulip.com', 'iago@zulip.com', 'cordelia@zulip.com', 'othello@zulip.com']

test('servers that are killed lose nothing that they acknowledged, and their clients go on with their event queues', async () => {
  const seen = newSeen()
  const [polling, asleep] = ['hamlet@zulip.com', 'iago@zulip.com'].map(newListener)
  if (!polling || !asleep) return
  for (let round = 0; round < 2; round++) {
    const victim = await startVictim(data)
    if (round === 0) for (const one of [polling, asleep]) await listen(victim.url, one, seen, false)
    const end = countdown(enough)
    const clients = [
      listen(victim.url, polling, seen),
      ...[...senders, ...senders].map((email) => act(victim.url, email, seen, end.sent)),
    ]
    await end.reached
    await victim.kill()
    await Promise.all(clients)
  }
  const last = await startVictim(data)
  for (const one of [polling, asleep]) await listen(last.url, one, seen, false)
  await last.kill()
  checkStorm(data, seen, [polling, asleep])
})
