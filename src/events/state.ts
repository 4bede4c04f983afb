import type { Caller } from '#http/caller.ts'
import type { Members } from '#shape.ts'
import type { Capability, IncludeSubscribers } from './types.ts'

/** What a client asked for in `POST /register` that changes the form of the state. */
export interface StateOptions {
  readonly clientGravatar: boolean
  readonly slimPresence: boolean
  readonly includeSubscribers: IncludeSubscribers
  readonly capabilities: ReadonlySet<Capability>
  /** Which parts were asked for; null: all. */
  readonly fetchTypes: ReadonlySet<string> | null
  /** How many days of presence are wanted (level 288). */
  readonly presenceHistoryDays: number
  /** Scheme, host and port of the server as this client reached it. */
  readonly origin: string
}

/** What one slice contributes to the reply of `POST /register`, read synchronously. */
export interface StatePart {
  /** The `fetch_event_types` that ask for it; empty: part of every reply. */
  readonly types: readonly string[]
  /** The members that it brings: those that some clients do not get, too. */
  readonly shape: Members
  read(caller: Caller, options: StateOptions): object
}
