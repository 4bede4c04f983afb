import type { Actor, CallParams } from '#test/support/server.ts'

/** One call of an endpoint that succeeds, unless nothing can, and what else its parameters take. */
export interface SampleCall {
  /** The owner unless given. */
  readonly as?: Actor
  readonly params?: CallParams
  /** The body, where that is no form. */
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  /** The code that even a right call is answered with, where that is all that can be said. */
  readonly fails?: string
  /** Whether it sends a picture. */
  readonly picture?: boolean
  /** Parameters that take any text, and anything that looks like it. */
  readonly free?: readonly string[]
  /** Hostile values, by what they are called, that a parameter rightly takes. */
  readonly takes?: Readonly<Record<string, readonly string[]>>
}

/** By method and path, as declared. */
export type SampleCalls = Readonly<Record<string, () => SampleCall | Promise<SampleCall>>>

/** The smallest picture there is: one transparent pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** A call that needs nothing but what the fixture has. */
export function plain(params: CallParams = {}, rest: Omit<SampleCall, 'params'> = {}) {
  return (): SampleCall => ({ params, ...rest })
}
