import type { Context } from '#platform/context.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Members } from '#platform/shape.ts'
import type { Steps } from '#platform/steps.ts'
import type { Read } from '#platform/store/store.ts'
import type { Capability, IncludeSubscribers } from './types.ts'

/** The parameters of `POST /register` that change the form of the state. */
export interface StateOptions {
  readonly slimPresence: boolean
  readonly includeSubscribers: IncludeSubscribers
  readonly capabilities: ReadonlySet<Capability>
  /** The parts to return; null: all. */
  readonly fetchTypes: ReadonlySet<string> | null
  /** The number of days of presence data to return (feature level 288). */
  readonly presenceHistoryDays: number
  /** Scheme, host and port of the server as this client reached it. */
  readonly origin: string
}

/** A feature's part of the reply to `POST /register`, read synchronously. */
export interface StatePart {
  /** The `fetch_event_types` that select it; empty: part of every reply. */
  readonly types: readonly string[]
  /** The members it adds, including those that only some clients get. */
  readonly members: Members
  /**
   * Makes what `read` would take long to make, because all replies share it. It may be called in
   * vain, and what it has made may change before `read`.
   */
  prepare?(caller: Caller, options: StateOptions): Steps<void>
  read(caller: Caller, options: StateOptions): object
  /** The same for a spectator; absent: spectators do not get this part. */
  readPublic?(spectator: Spectator, options: StateOptions): object
}

/** Someone without an account who reads what is public on the web. */
export interface Spectator {
  readonly store: Read
  readonly server: Context
}

/** A part that is the same for everyone, spectators included. */
export function publicPart<P extends Omit<StatePart, 'read' | 'readPublic'>>(
  part: P & { read(viewer: Spectator, options: StateOptions): object },
) {
  return { ...part, readPublic: part.read } satisfies StatePart
}
