import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createToasts } from '#client/ui/toast.tsx'

test('what fails again while that is told is told once, for as long as if it were told anew', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const toasts = createToasts()
  const ids = () => toasts.shown.peek().map(({ id }) => id)
  toasts.show('It cannot be loaded.', 'error')
  const told = ids()
  t.mock.timers.tick(6000)
  toasts.show('It cannot be loaded.', 'error')
  assert.deepEqual(ids(), told)
  t.mock.timers.tick(6000)
  assert.deepEqual(ids(), told)
  t.mock.timers.tick(6000)
  assert.deepEqual(ids(), [])
  toasts.show('It cannot be loaded.', 'error')
  assert.notDeepEqual(ids(), told)
})

test('what is done again is told again, in place of the first time', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const toasts = createToasts()
  toasts.show('Copied.')
  const [first] = toasts.shown.peek()
  toasts.show('Copied.')
  const [second, ...others] = toasts.shown.peek()
  assert.notEqual(second?.id, first?.id)
  assert.deepEqual(others, [])
})
