import { findUser } from '#features/foundation/users/queries.ts'
import type { ProfileField } from '#features/people/profile-fields/queries.ts'
import { fitsIn } from '#platform/code-points.ts'
import { badRequest } from '#platform/errors.ts'
import { naming, tooLong, tooManyItems } from '#platform/sentences.ts'
import type { Read } from '#platform/store/store.ts'
import { type Sentence, sentSentence } from '#translations/translate.ts'

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
  if (typeof input !== 'string')
    throw badRequest(sentSentence('{name} is not a string', { name: field.name }))
  const problem = textProblem(field, input)
  if (problem) throw badRequest(naming(field.name, problem))
  return input
}

/** The value of a user field, from a list of user IDs or the JSON of one. */
function peopleValue(
  read: Read,
  name: string,
  input: string | readonly number[],
): string | undefined {
  const ids = typeof input === 'string' ? parsedList(name, input) : input
  if (ids.length > 1000) throw badRequest(naming(name, tooManyItems(1000)))
  for (const id of ids) {
    const user = typeof id === 'number' ? findUser(read, id) : undefined
    if (!user) throw badRequest(sentSentence('Invalid user ID: {id}', { id: String(id) }))
    if (!user.isActive)
      throw badRequest(sentSentence('User with ID {id} is deactivated', { id: String(user.id) }))
    if (user.botType !== null)
      throw badRequest(sentSentence('User with ID {id} is a bot', { id: String(user.id) }))
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
  throw badRequest(sentSentence('{name} is not a list of user IDs', { name }))
}

/** The problem with a value, but for the field's name, by the number of the field's type in the API. */
function textProblem({ fieldType, fieldData }: ProfileField, value: string): Sentence | undefined {
  switch (fieldType) {
    case 2:
      return excess(value, longest.long)
    case 3:
      return Object.hasOwn(fieldData, value)
        ? undefined
        : sentSentence("{name} has no choice '{value}'", { value })
    case 4:
      return isDate(value) ? undefined : sentSentence('{name} is not a date')
    case 5:
      return isWebAddress(value) ? undefined : sentSentence('{name} is not a URL')
    default:
      return excess(value, longest.short)
  }
}

function excess(value: string, most: number): Sentence | undefined {
  return fitsIn(value, most) ? undefined : tooLong(most)
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
