import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { computed, effect } from '@preact/signals-core'
import { Table } from '#client/state/table.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

async function heapBytes(): Promise<number> {
  // What was found unreachable is cleared away in a later task.
  for (let i = 0; i < 3; i++) {
    collect()
    await new Promise(setImmediate)
  }
  return process.memoryUsage().heapUsed
}

test('keys that were asked for once, and that nobody follows, take no memory', async () => {
  const table = new Table<number, string>()
  const before = await heapBytes()
  for (let key = 0; key < 100_000; key++) table.get(key)
  const growth = (await heapBytes()) - before
  assert.ok(growth < 2_000_000, `${growth} bytes are held`)
})

test('whoever follows a key hears of it, whatever was collected meanwhile', async () => {
  const table = new Table<string, number>()
  const heard: (number | undefined)[] = []
  const stop = effect(() => void heard.push(table.get('a')))
  const double = computed(() => (table.get('b') ?? 0) * 2)
  assert.equal(double.value, 0)
  await heapBytes()
  table.set('a', 1)
  table.set('b', 4)
  assert.equal(double.value, 8)
  table.delete('a')
  table.replace([['a', 3]])
  assert.deepEqual(heard, [undefined, 1, undefined, 3])
  stop()
})
