import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FeatureEvent } from '#client/api/wire.ts'
import { type KeptEvents, type KeptHead, keptOf, partNames } from '#client/start/kept.ts'

const own = { session: 'session', version: 'ABCDEF01' }
const position = { queueId: '7:queue', lastEventId: 10, presenceUpdateId: 3 }
const head: KeptHead = { name: 'head', ...own, position }
const parts = partNames.map((name) => ({ name }))
const event = (id: number) => ({ id, type: 'restart' }) as unknown as FeatureEvent
const batch = (after: number, ids: readonly number[], queueId = position.queueId): KeptEvents => ({
  queueId,
  after,
  events: ids.map(event),
})

function read(records: readonly { readonly name: string }[], log: readonly KeptEvents[] = []) {
  const kept = keptOf(records, log, own)
  return kept && { lastEventId: kept.position.lastEventId, ids: kept.events.map(({ id }) => id) }
}

test('parts and the events after them are read back', () => {
  // A queue leaves IDs out for messages that others got.
  const log = [batch(10, [11, 14]), batch(14, [17])]
  assert.deepEqual(read([head, ...parts], log), { lastEventId: 17, ids: [11, 14, 17] })
})

test('events of another queue, and those after a gap, are left out', () => {
  const log = [batch(10, [11]), batch(11, [12], 'other'), batch(12, [13])]
  assert.deepEqual(read([head, ...parts], log), { lastEventId: 11, ids: [11] })
})

test('nothing is read that is of another session or version, or not whole', () => {
  const none: [string, readonly { readonly name: string }[]][] = [
    ['nothing there', []],
    ['no head', parts],
    ['a part is missing', [head, ...parts.slice(1)]],
    ['another session', [{ ...head, session: 'other' } as KeptHead, ...parts]],
    ['another version', [{ ...head, version: 'other' } as KeptHead, ...parts]],
  ]
  for (const [what, records] of none) assert.equal(read(records), undefined, what)
  const nobody = { session: '', version: own.version }
  assert.equal(keptOf([{ ...head, session: '' }, ...parts] as KeptHead[], [], nobody), undefined)
})
