import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { watchPauses } from '#client/start/pauses.ts'

function actor() {
  const page = new EventTarget()
  const clock = { now: 100_000 }
  const pauses = watchPauses(page, () => clock.now)
  return {
    pauses,
    act: (what = 'keydown') => void page.dispatchEvent(new Event(what)),
    wait(ms: number) {
      clock.now += ms
    },
  }
}

describe('pauses of someone who acts', () => {
  for (const what of ['keydown', 'pointerdown', 'wheel', 'touchmove', 'popstate', 'hashchange']) {
    test(`are there before the first ${what} and a second after the last one`, () => {
      const { pauses, act, wait } = actor()
      assert.equal(pauses.isNow(), true)
      act(what)
      assert.equal(pauses.isNow(), false)
      wait(999)
      assert.equal(pauses.isNow(), false)
      wait(1)
      assert.equal(pauses.isNow(), true)
    })
  }

  test('are waited for no longer than half a minute', () => {
    const { pauses, act, wait } = actor()
    act()
    assert.equal(pauses.isNow(), false)
    for (let i = 0; i < 59; i++) {
      wait(500)
      act()
      assert.equal(pauses.isNow(), false)
    }
    wait(500)
    act()
    assert.equal(pauses.isNow(), true)
    assert.equal(pauses.isNow(), false, 'the next one is waited for anew')
  })

  test('are not looked for once that is over', () => {
    const { pauses, act } = actor()
    pauses.stop()
    act()
    assert.equal(pauses.isNow(), true)
  })
})
