import { badRequest } from '#platform/errors.ts'
import { namedCharacter, nameFault, tidyName } from '#shared/names.ts'
import { requireLength } from './limits.ts'

/**
 * A name as it is stored.
 *
 * @param what the start of the error messages
 * @param most in Unicode code points
 * @throws BAD_REQUEST empty, too long, or not a name
 */
export function requireName(what: string, name: string, most: number): string {
  if (name.trim() === '') throw badRequest(`${what} can't be empty.`)
  return requirePlainName(what, name, most)
}

/**
 * The same for a name that may be empty.
 *
 * @param forbidden further characters that this kind of name must not contain
 * @throws BAD_REQUEST too long, or not a name
 */
export function requirePlainName(
  what: string,
  name: string,
  most: number,
  forbidden?: RegExp,
): string {
  const tidy = tidyName(name)
  requireLength(what, tidy, most)
  const fault = nameFault(name, forbidden)
  switch (fault?.kind) {
    case 'character': {
      const where = `at position ${fault.position}: ${namedCharacter(fault.character)}`
      throw badRequest(`Invalid character in ${what.toLowerCase()}, ${where}.`)
    }
    case 'marks':
      throw badRequest(
        `Too many marks on one character in ${what.toLowerCase()}, at position ${fault.position}.`,
      )
    case 'unseen':
      throw badRequest(`${what} has no visible character.`)
  }
  return tidy
}
