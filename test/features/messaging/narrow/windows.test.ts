import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { findUser } from '#features/foundation/users/queries.ts'
import { narrowWindow, type WindowRequest } from '#features/messaging/narrow/window.queries.ts'
import { atOnce } from '#platform/steps.ts'
import type { Read } from '#platform/store/store.ts'
import { isIn, live, type NaiveHistory, someHistory, someNarrow, store } from './random-history.ts'

const runs = Number(process.env.HISTORY_RUNS ?? 150)
const seed = process.env.HISTORY_RUNS ? undefined : 7
after(store.close)

/** The same with a clock by which every other query takes long: walks scan fewer ids at a time. */
let times = 0
const elapsed = () => {
  times += 1
  return 10 * (times & 2)
}
const slow: Read = { ...store, clock: { ...store.clock, elapsed } }

const someRequest = fc.record({
  reader: fc.constantFrom(1, 2, 3),
  isSlow: fc.boolean(),
  narrow: someNarrow,
  anchor: fc.oneof(
    fc.constantFrom('newest' as const, 'oldest' as const, 'first_unread' as const),
    fc.record({ message: fc.nat(60), offset: fc.integer({ min: -1, max: 1 }) }),
    fc.constantFrom(-1, 0, 1, 10_000_000_000_000_000),
    fc.record({ since: fc.nat(60), seconds: fc.constantFrom(-1, -0.5, 0, 0.5, 1) }),
  ),
  includeAnchor: fc.boolean(),
  numBefore: fc.constantFrom(0, 1, 2, 5, 100),
  numAfter: fc.constantFrom(0, 1, 2, 5, 100),
})
type Request = WindowRequest & { readonly reader: number; readonly isSlow: boolean }
type Drawn = typeof someRequest extends fc.Arbitrary<infer T> ? T : never

/** The request with its anchor at or beside the message that was drawn for it. */
function settle({ messages }: NaiveHistory, drawn: Drawn): Request {
  const { anchor } = drawn
  if (typeof anchor !== 'object') return { ...drawn, anchor }
  if ('since' in anchor) {
    const since = (messages[anchor.since]?.sentAt ?? 0) + anchor.seconds
    return { ...drawn, anchor: { since } }
  }
  return { ...drawn, anchor: (messages[anchor.message]?.id ?? 1) + anchor.offset }
}

/** What the window must be, worked out over the list of all messages. */
function expected(history: NaiveHistory, request: Request) {
  const { reader, narrow, includeAnchor, numBefore, numAfter } = request
  const idsOf = (terms: typeof narrow) =>
    history.messages.filter((message) => isIn(history, reader, terms, message)).map(({ id }) => id)
  const ids = idsOf(narrow)
  const isUnread = { operator: 'is', operand: 'unread', negated: false }
  function anchorOf({ anchor }: Request): number | 'newest' | 'oldest' | 'none' {
    if (anchor === 'first_unread') return idsOf([...narrow, isUnread])[0] ?? 'none'
    if (typeof anchor !== 'object') return anchor
    const inNarrow = new Set(ids)
    const sentSince = history.messages.filter(({ sentAt }) => sentAt >= anchor.since)
    return sentSince.find(({ id }) => inNarrow.has(id))?.id ?? 'newest'
  }
  const anchor = anchorOf(request)
  if (anchor === 'newest' || anchor === 'none') {
    const window = numBefore === 0 ? [] : ids.slice(-numBefore)
    const named = anchor === 'none' ? 10_000_000_000_000_000 : (ids.at(-1) ?? 0)
    return { ids: window, all: ids, anchor: named, at: Infinity }
  }
  if (anchor === 'oldest') {
    return { ids: ids.slice(0, numAfter), all: ids, anchor: ids[0] ?? 0, at: -Infinity }
  }
  const before = ids.filter((id) => id < anchor)
  const window = [
    ...(numBefore === 0 ? [] : before.slice(-numBefore)),
    ...ids.filter((id) => id === anchor && includeAnchor),
    ...ids.filter((id) => id > anchor).slice(0, numAfter),
  ]
  return { ids: window, all: ids, anchor, at: anchor }
}

function check(history: NaiveHistory, request: Request): void {
  const user = findUser(store, request.reader)
  assert.ok(user)
  const window = atOnce(narrowWindow(request.isSlow ? slow : store, user, request))
  const right = expected(history, request)
  assert.deepEqual(window.ids, right.ids)
  assert.equal(window.anchor, right.anchor)
  assert.equal(window.foundAnchor, right.ids.includes(right.anchor))
  const isOldest = !right.all.some((id) => id < Math.min(right.at, right.ids[0] ?? right.at))
  const isNewest = !right.all.some((id) => id > Math.max(right.at, right.ids.at(-1) ?? right.at))
  // Where nobody asked for a side, the server may leave open what lies there.
  if (request.numBefore > 0 || right.at === -Infinity) assert.equal(window.foundOldest, isOldest)
  else assert.ok(!window.foundOldest || isOldest)
  if (request.numAfter > 0 || right.at === Infinity) assert.equal(window.foundNewest, isNewest)
  else assert.ok(!window.foundNewest || isNewest)
}

test('every window is what a look at all messages would find', async () => {
  await fc.assert(
    fc.asyncProperty(
      someHistory,
      fc.array(someRequest, { minLength: 20, maxLength: 20 }),
      async (steps, requests) => {
        const history = await live(steps)
        for (const request of requests) check(history, settle(history, request))
      },
    ),
    { numRuns: runs, seed },
  )
})
