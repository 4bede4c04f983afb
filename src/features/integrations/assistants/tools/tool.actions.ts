import * as v from 'valibot'
import type { Caller } from '#platform/http/caller.ts'
import type { Steps } from '#platform/steps.ts'

/** What a tool knows of the call that it answers. */
export interface Call {
  readonly caller: Caller
  /** The name of the client of what it writes. */
  readonly client: string
  /** Scheme, host and port, for links. */
  readonly origin: string
  /** Aborted when nobody waits for the answer anymore. */
  readonly signal: AbortSignal
  /** Does long work while others have their turn. */
  finish<T>(steps: Steps<T>): Promise<T>
  /**
   * Call before a change that deletes or reaches many: the person is asked unless they have agreed.
   *
   * @param question what to ask
   * @throws Unconfirmed
   */
  confirm(question: string): void
  /** Tells how far it is, if the client wants to hear. */
  progress(done: number, total: number, message: string): Promise<void>
}

/** What it takes to read. */
export type Reading = Pick<Call, 'caller' | 'origin' | 'finish'>

/** The person has to agree to a change first. */
export class Unconfirmed extends Error {}

/** An answer, in both of its forms. */
export interface Reply<Output> {
  readonly structured: Output
  /** The same for reading. */
  readonly markdown: string
  /** A picture, in base64. */
  readonly image?: { readonly data: string; readonly mimeType: string }
}

/** @source Model Context Protocol, "Tools", `ToolAnnotations` */
interface Hints {
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
}

type Entries = v.ObjectEntries

interface Declaration<I extends Entries, O extends Entries> {
  readonly name: string
  readonly title: string
  /** Two sentences: what it is for, and what to know. */
  readonly description: string
  readonly hints: Hints
  /** Named as the API names them, and described. */
  readonly input: I
  readonly output: O
  run(
    call: Call,
    args: v.InferOutput<v.StrictObjectSchema<I, undefined>>,
  ): Promise<Reply<v.InferInput<v.ObjectSchema<O, undefined>>>>
}

/** A tool with its types erased. */
export interface Tool
  extends Pick<Declaration<Entries, Entries>, 'name' | 'title' | 'description'> {
  readonly hints: Hints
  readonly input: v.GenericSchema<unknown, object>
  readonly output: v.GenericSchema
  run(call: Call, args: never): Promise<Reply<object>>
}

export function tool<I extends Entries, O extends Entries>(declared: Declaration<I, O>): Tool {
  const { input, output, ...rest } = declared
  return { ...rest, input: v.strictObject(input), output: v.object(output) }
}

/** The longest answer of a tool, in UTF-16 code units of each form: a few thousand words. */
export const replyLimit = 24_000

/** The number of items that fit into an answer: at least one. @param size in characters */
export function countFitting<T>(items: readonly T[], size: (item: T) => number): number {
  let total = 1000
  const first = items.findIndex((item) => {
    total += size(item)
    return total > replyLimit
  })
  return first < 0 ? items.length : Math.max(first, 1)
}

export const readOnly: Hints = { readOnlyHint: true }
/** It adds something and changes nothing that was there. */
export const adding: Hints = { readOnlyHint: false, destructiveHint: false }

const isClean = v.check(
  (value: string) => !value.includes('\0') && value.isWellFormed(),
  'has NUL characters or broken ones',
)

/** A described parameter. */
export function about<S extends v.GenericSchema>(schema: S, description: string) {
  return v.pipe(schema, v.description(description))
}

/** Text without what the store does not keep. @param most in UTF-16 code units */
export const text = (most: number) => v.pipe(v.string(), v.maxLength(most), isClean)
export const isId = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** How many items to return. */
export const limitParam = (most: number, usual: number) =>
  v.optional(
    about(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most)),
      `At most so many; ${usual} unless given.`,
    ),
    usual,
  )

export const confirmParam = v.optional(
  about(
    v.boolean(),
    'Only after the answer asked for it and the person has agreed: true. Clients that can ask the person themselves are asked instead.',
  ),
)
