import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { openSpeaking } from '#client/notices/speaking.ts'

let last = 0
const conversation = { kind: 'direct', userIds: [9] } as const
const telling = (messageId: number) => ({ claim: String(messageId), messageId, conversation })

/** Which of some pages tell, each of which may know that nobody should. */
async function tellers(knows: readonly boolean[], after: readonly number[]): Promise<number[]> {
  last += 1
  const pages = knows.map((isKnown) => openSpeaking(`test ${last}`, () => isKnown))
  const answers = await Promise.all(
    pages.map(async (page, i) => {
      // Events come to pages at different times.
      for (let turn = 0; turn < (after[i] ?? 0); turn++) await new Promise(setImmediate)
      return await page.mayTell(telling(7))
    }),
  )
  for (const page of pages) page.close()
  return answers.flatMap((isTold, i) => (isTold ? [i] : []))
}

describe('of several pages', () => {
  test('exactly one tells, whichever hears of a message first', async () => {
    const order = fc.array(fc.nat(20), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(order, async (after) => {
        const told = await tellers(Array(after.length).fill(false), after)
        assert.equal(told.length, 1)
      }),
      { numRuns: 12 },
    )
  })

  test('none tells while one knows that nobody should', async () => {
    const pages = fc.array(fc.tuple(fc.boolean(), fc.nat(20)), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(pages, async (some) => {
        const told = await tellers(
          some.map(([isKnown]) => isKnown),
          some.map(([, after]) => after),
        )
        assert.equal(told.length, some.some(([isKnown]) => isKnown) ? 0 : 1)
      }),
      { numRuns: 12 },
    )
  })

  test('none tells what one of them shows a moment later', async () => {
    let isShown = false
    const reader = openSpeaking('moment', () => isShown)
    const other = openSpeaking('moment', () => false)
    const mayTell = other.mayTell(telling(1))
    setTimeout(() => {
      isShown = true
    }, 20)
    assert.equal(await mayTell, false)
    reader.close()
    other.close()
  })

  for (const [kind, isTold] of [
    ['no', false],
    ['yes', true],
  ] as const) {
    test(`the one with the focus is waited for, and says ${kind}`, async () => {
      const busy = new BroadcastChannel(`busy ${kind}`)
      const other = openSpeaking(`busy ${kind}`, () => false)
      const rank = 2
      busy.onmessage = ({ data }) => {
        if (data.kind === 'who') busy.postMessage({ kind: 'here', rank })
        if (data.kind !== 'ask') return
        // Longer than the others are waited for.
        setTimeout(() => busy.postMessage({ kind, claim: '1', to: data.rank }), 400)
      }
      assert.equal(await other.mayTell(telling(1)), isTold)
      busy.close()
      other.close()
    })
  }

  test('exactly one tells where each is too busy to hear the others', async () => {
    const { BroadcastChannel: known } = globalThis
    Reflect.deleteProperty(globalThis, 'BroadcastChannel')
    try {
      assert.equal((await tellers([false, false, false], [0, 3, 9])).length, 1)
    } finally {
      globalThis.BroadcastChannel = known
    }
  })

  test('none tells again what one has told', async () => {
    const [one, other] = [openSpeaking('late', () => false), openSpeaking('late', () => false)]
    assert.equal(await one.mayTell(telling(1)), true)
    assert.equal(await other.mayTell(telling(1)), false)
    assert.equal(await one.mayTell(telling(1)), false)
    assert.equal(await other.mayTell(telling(2)), true)
    one.close()
    other.close()
  })
})

test('a page tells alone where browsers have neither channels nor locks', async () => {
  const { BroadcastChannel: known } = globalThis
  Reflect.deleteProperty(globalThis, 'BroadcastChannel')
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })
  try {
    const page = openSpeaking('alone', () => false)
    assert.equal(await page.mayTell(telling(1)), true)
    page.close()
  } finally {
    globalThis.BroadcastChannel = known
    Reflect.deleteProperty(navigator, 'locks')
  }
})
