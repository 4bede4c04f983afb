import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handlers } from '#client/state/events.ts'
import { handledTypes } from '#client/state/handled-types.ts'
import { features } from '#program/features.ts'

/** The shape of an event as far as its name is in it. */
interface EventShape {
  readonly pipe: readonly [{ readonly entries: Readonly<Record<string, { options?: unknown[] }>> }]
}

test('the client handles every event of the server, or says why it does not', () => {
  const names = features
    .flatMap(({ events }) => events ?? [])
    .flatMap((shape) => {
      const { type, op } = (shape as unknown as EventShape).pipe[0].entries
      const ops = op?.options ?? [undefined]
      return ops.map((each) => [type?.options?.[0], each].filter((part) => part).join('/'))
    })
  assert.deepEqual(Object.keys(handlers).sort(), [...new Set(names)].sort())
})

test('the client asks for the events that it handles, and for no others', () => {
  const handled = Object.entries(handlers)
    .filter(([, handling]) => typeof handling === 'function')
    .map(([name]) => name.split('/')[0] ?? '')
  assert.deepEqual([...handledTypes].sort(), [...new Set(handled)].sort())
})
