import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFormDrafts } from '#client/settings/ui/form-drafts.ts'

/** A storage in memory. */
function storage(entries: Record<string, string> = {}) {
  const kept = new Map(Object.entries(entries))
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

test('what is typed into forms outlasts a reload, until it is saved', () => {
  const place = storage()
  const before = createFormDrafts(place, 'forms')
  before.of<string>('name').value = { typed: 'Hamlet', base: '""' }
  before.of<object>('new channel').value = { typed: { name: 'crew' }, base: '' }
  const after = createFormDrafts(place, 'forms')
  assert.deepEqual(after.of('name').value, { typed: 'Hamlet', base: '""' })
  after.of('name').value = undefined
  assert.deepEqual(
    createFormDrafts(place, 'forms').of('new channel').value,
    { typed: { name: 'crew' }, base: '' },
    'which was not opened meanwhile',
  )
  assert.equal(createFormDrafts(place, 'forms').of('name').value, undefined)
  after.of('new channel').value = undefined
  assert.equal(place.kept.size, 0, 'nothing is left behind')
})

test('a storage that is full, or that holds something else, is no obstacle', () => {
  for (const found of ['[]', 'null', '{', '{"name":5}', '7']) {
    const full = storage({ forms: found })
    full.setItem = () => {
      throw new Error('full')
    }
    const draft = createFormDrafts(full, 'forms').of<string>('name')
    assert.equal(draft.value, undefined)
    draft.value = { typed: 'Yorick', base: '' }
    assert.equal(draft.value.typed, 'Yorick')
  }
})
