import * as v from 'valibot'

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

/** A list of anything; none where it is no list. */
export const anything = v.fallback(v.optional(v.array(v.unknown()), []), [])

/** A text for which apps write numbers and yes or no as well. */
export const words = v.pipe(
  v.fallback(v.optional(v.union([v.string(), v.number(), v.boolean()]), ''), ''),
  v.transform(String),
)

const damaged = new WeakSet<object>()

/** A row by its schema; undefined: it is none. What parts of it were replaced, `isDamaged` tells. */
export function parseRow<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
): v.InferOutput<S> | undefined {
  const found = v.safeParse(schema, value)
  if (!found.success) return undefined
  const row: v.InferOutput<S> = found.output
  if (row instanceof Object && isOther(value, row)) damaged.add(row)
  return row
}

/**
 * Whether a part of a row had a wrong type, so that something else stands in its place or a member of a
 * list is missing: the report has to count it.
 *
 * @param row from `parseRow`
 */
export const isDamaged = (row: object): boolean => damaged.has(row)

/** Whether a schema has made something else of a value than of its absence or of another form of it. */
function isOther(value: unknown, found: unknown): boolean {
  if (value === found || (value ?? '') === '') return false
  if (found === undefined || found === null || found === '') return true
  if (Array.isArray(found)) {
    if (!Array.isArray(value) || value.length !== found.length) return true
    return found.some((each, i) => isOther(value[i], each))
  }
  // Numbers and yes or no may be read as texts, and texts as numbers.
  if (typeof found !== 'object') {
    return typeof value !== typeof found && String(value) !== String(found)
  }
  if (typeof value !== 'object') return true
  const members = value as Record<string, unknown>
  return Object.entries(found).some(([name, member]) => isOther(members[name], member))
}
