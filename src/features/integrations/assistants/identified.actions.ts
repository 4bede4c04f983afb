import type { Caller } from '#platform/http/caller.ts'
import type { Steps } from '#platform/steps.ts'
import type { Assistant } from './assistant.ts'

/** Who sends a request, and for whom. */
export interface Identified {
  readonly caller: Caller
  readonly assistant: Assistant
  /** Scheme, host and port of the server for this client. */
  readonly origin: string
  /** Does long work of the request while others have their turn. */
  finish<T>(steps: Steps<T>): Promise<T>
  /** Charges further calls of the same request. */
  charge(calls: number): void
}
