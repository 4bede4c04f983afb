import { findUser } from '#features/foundation/users/queries.ts'
import type { ProfileField } from '#features/people/profile-fields/queries.ts'
import { fitsIn } from '#platform/code-points.ts'
import { badRequest } from '#platform/errors.ts'
import type { Read } from '#platform/store/store.ts'

/** A client's value for one field. Null, an empty string and an empty list clear the field. */
export type ProfileInput = string | readonly number[] | null

/** Lengths in Unicode code points. */
const longest = { short: 50, long: 500 } as const

/**
 * Checks a value for a field and returns it as stored; undefined if it clears the field.
 *
 * @throws BAD_REQUEST an invalid value
 */
export function requireProfileValue(
  read: Read,
  field: ProfileField,
  input: ProfileInput,
): string | undefined {
  if (input === null || input.length === 0) return undefined
  if (field.fieldType === 6) return peopleValue(read, field.name, input)
  if (typeof input !== 'string') throw badRequest(`${field.name} is not a string`)
  const problem = textProblem(field, input)
  if (problem) throw badRequest(`${field.name} ${problem}`)
  return input
}

/** The value of a user field, from a list of user IDs or the JSON of one. */
function peopleValue(
  read: Read,
  name: string,
  input: string | readonly number[],
): string | undefined {
  const ids = typeof input === 'string' ? parsedList(name, input) : input
  if (ids.length > 1000) throw badRequest(`${name} has too many items (limit: 1000)`)
  for (const id of ids) {
    const user = typeof id === 'number' ? findUser(read, id) : undefined
    if (!user) throw badRequest(`Invalid user ID: ${String(id)}`)
    if (!user.isActive) throw badRequest(`User with ID ${user.id} is deactivated`)
    if (user.botType !== null) throw badRequest(`User with ID ${user.id} is a bot`)
  }
  return ids.length === 0 ? undefined : JSON.stringify([...new Set(ids)])
}

function parsedList(name: string, input: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(input)
    if (Array.isArray(value)) return value
  } catch {
    // Reported below.
  }
  throw badRequest(`${name} is not a list of user IDs`)
}

/** The problem with a value, by the number of the field's type in the API. */
function textProblem({ fieldType, fieldData }: ProfileField, value: string): string | undefined {
  switch (fieldType) {
    case 2:
      return tooLong(value, longest.long)
    case 3:
      return Object.hasOwn(fieldData, value) ? undefined : `has no choice '${value}'`
    case 4:
      return isDate(value) ? undefined : 'is not a date'
    case 5:
      return isWebAddress(value) ? undefined : 'is not a URL'
    default:
      return tooLong(value, longest.short)
  }
}

function tooLong(value: string, most: number): string | undefined {
  return fitsIn(value, most) ? undefined : `is too long (limit: ${most} characters)`
}

/** An existing day, as `2000-01-31`. */
function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const day = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value)
}

function isWebAddress(value: string): boolean {
  return value.length <= 2000 && /^https?:\/\/[^\s/]/i.test(value) && URL.canParse(value)
}
