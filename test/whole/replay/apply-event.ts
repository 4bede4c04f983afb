import assert from 'node:assert/strict'
import { channelReducers } from './channels.ts'
import { deriveCounts, messageReducers } from './messages.ts'
import { derivePermissions, peopleReducers } from './people.ts'
import { settingsReducers } from './settings.ts'
import type { Reduce, State, WireEvent } from './state.ts'

/** By type, or by type and op where an event has one. */
export const reducers: Readonly<Record<string, Reduce>> = {
  ...channelReducers,
  ...messageReducers,
  ...peopleReducers,
  ...settingsReducers,
}

/** How an event is called in the list of reducers. */
export function eventName({ type, op }: WireEvent): string {
  return typeof op === 'string' ? `${type}/${op}` : type
}

/** What a client makes of events: the state as if it had been registered after the last of them. */
export function applyEvents(state: State, events: readonly WireEvent[]): State {
  const next = structuredClone(state)
  for (const event of events) {
    const reduce = reducers[eventName(event)]
    try {
      assert.ok(reduce, `there is a reducer for ${eventName(event)}`)
      reduce(next, event)
    } catch (error) {
      throw new Error(`${(error as Error).message} (${JSON.stringify(event)})`)
    }
    derivePermissions(next)
    deriveCounts(next)
  }
  return next
}
