import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visited } from '#client/search/visit-statistics.ts'
import { withVisit } from '#client/search/visits.ts'

const day = 24 * 3600_000

function visitsOf(...steps: readonly (readonly [href: string, at: number])[]) {
  return steps.reduce<ReturnType<typeof withVisit>>(
    (visits, [href, at]) => withVisit(visits, href, at),
    [],
  )
}

test('places are known by when one was there last', () => {
  const visits = visitsOf(['#a', 1], ['#b', 2], ['#c', 3], ['#a', 4])
  assert.deepEqual(visited(visits, 5).latest, ['#a', '#c', '#b'])
})

test('places weigh by how often one goes there, half as much after a week', () => {
  const visits = visitsOf(['#old', 0], ['#old', 0], ['#old', 0], ['#new', 14 * day])
  const { weightOf } = visited(visits, 14 * day)
  assert.equal(weightOf('#old'), 0.75)
  assert.equal(weightOf('#new'), 1)
  assert.equal(weightOf('#never'), 0)
})

test('of many places those that weigh least are forgotten', () => {
  const often = visitsOf(...Array.from({ length: 5 }, (_, i) => ['#often', i] as const))
  const visits = Array.from({ length: 300 }, (_, i) => i).reduce(
    (known, i) => withVisit(known, `#${i}`, 10 + i),
    often,
  )
  assert.equal(visits.length, 100)
  assert.ok(visits.some(({ href }) => href === '#often'))
})
