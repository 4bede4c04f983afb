import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { watchPauses } from '#client/start/pauses.ts'

function typist() {
  const keys = new EventTarget()
  const clock = { now: 100_000 }
  const pauses = watchPauses(keys, () => clock.now)
  return {
    pauses,
    press: () => void keys.dispatchEvent(new Event('keydown')),
    wait(ms: number) {
      clock.now += ms
    },
  }
}

describe('pauses of someone who types', () => {
  test('are there before the first key and a second after the last one', () => {
    const { pauses, press, wait } = typist()
    assert.equal(pauses.isNow(), true)
    press()
    assert.equal(pauses.isNow(), false)
    wait(999)
    assert.equal(pauses.isNow(), false)
    wait(1)
    assert.equal(pauses.isNow(), true)
  })

  test('are waited for no longer than half a minute', () => {
    const { pauses, press, wait } = typist()
    press()
    assert.equal(pauses.isNow(), false)
    for (let i = 0; i < 59; i++) {
      wait(500)
      press()
      assert.equal(pauses.isNow(), false)
    }
    wait(500)
    press()
    assert.equal(pauses.isNow(), true)
    assert.equal(pauses.isNow(), false, 'the next one is waited for anew')
  })

  test('are not looked for once that is over', () => {
    const { pauses, press } = typist()
    pauses.stop()
    press()
    assert.equal(pauses.isNow(), true)
  })
})
