import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerInTurn } from '#features/messaging/event-queues/turns.actions.ts'
import { ApiError } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'

const db = {}
const active = () => {}
/** For whom work was counted. */
const payers: number[] = []
/** As far as turns depend on a caller. */
const caller = (id: number, requireCurrent: () => void = active) => {
  const timed = <T>(fn: () => T): T => {
    payers.push(id)
    return fn()
  }
  return { store: { db }, user: { id }, requireCurrent, timed } as unknown as Caller
}
const present = new AbortController().signal

/** Keeps the turn until `end`. */
function busy() {
  let end = () => {}
  const running = new Promise<void>((resolve) => {
    end = resolve
  })
  const done = registerInTurn(caller(1), present, () => running)
  return { end, done }
}

test('clients register one at a time, in their order', async () => {
  const log: string[] = []
  const step = (name: string) => async () => {
    log.push(`${name} begins`)
    await new Promise(setImmediate)
    log.push(`${name} ends`)
    return name
  }
  const all = [1, 2, 3].map((id) => registerInTurn(caller(id), present, step(String(id))))
  assert.deepEqual(await Promise.all(all), ['1', '2', '3'])
  assert.deepEqual(
    log,
    ['1', '2', '3'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  )
  assert.deepEqual(payers, [1, 2, 3], 'each pays for it')
})

test('who loses access while waiting, or goes away, does not register', async () => {
  const first = busy()
  const lost = new ApiError('INVALID_API_KEY', 'Invalid API key')
  let isLost = false
  let registered = 0
  const count = async () => {
    registered += 1
  }
  const check = () => {
    if (isLost) throw lost
  }
  const revoked = registerInTurn(caller(2, check), present, count)
  const leaving = new AbortController()
  const gone = registerInTurn(caller(3), leaving.signal, count)
  const refused = [
    assert.rejects(revoked, lost),
    assert.rejects(gone, { code: 'BAD_REQUEST', message: 'The request was abandoned.' }),
  ]
  isLost = true
  leaving.abort()
  first.end()
  await Promise.all([first.done, ...refused])
  assert.equal(registered, 0)
})

test('one account has a limited number of registers waiting, and others go on', async () => {
  const first = busy()
  const many = Array.from({ length: 150 }, () =>
    registerInTurn(caller(2), present, async () => 'registered').catch(
      ({ code }: ApiError) => code,
    ),
  )
  const other = registerInTurn(caller(3), present, async () => 'registered')
  first.end()
  const answers = await Promise.all(many)
  assert.equal(answers.filter((each) => each === 'registered').length, 100)
  assert.equal(answers.filter((each) => each === 'RATE_LIMIT_HIT').length, 50)
  assert.equal(await other, 'registered')
})

test('a register that fails passes the turn on', async () => {
  const failing = registerInTurn(caller(1), present, async () => {
    throw new ApiError('BAD_NARROW', 'Invalid narrow')
  })
  const next = registerInTurn(caller(2), present, async () => 'registered')
  await assert.rejects(failing, { code: 'BAD_NARROW' })
  assert.equal(await next, 'registered')
})
