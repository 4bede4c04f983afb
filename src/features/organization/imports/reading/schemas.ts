import * as v from 'valibot'

/**
 * The text of a message: empty if there is none, undefined if there is something else in its place, which
 * the report has to count.
 */
export const said = v.optional(
  v.pipe(
    v.unknown(),
    v.transform((value) =>
      typeof value === 'string' ? value : (value ?? '') === '' ? '' : undefined,
    ),
  ),
  '',
)

/** The members of a list that are as they should be: one that is not takes no other with it. */
export const listOf = <T extends v.GenericSchema>(schema: T) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform((value): v.InferOutput<T>[] =>
        (Array.isArray(value) ? value : []).flatMap((each: unknown) => {
          const found = v.safeParse(schema, each)
          return found.success ? [found.output] : []
        }),
      ),
    ),
    [],
  )
