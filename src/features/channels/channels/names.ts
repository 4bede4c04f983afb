import { limits, requireLength } from '#features/organization/realm/limits.ts'
import { badRequest } from '#platform/errors.ts'

/** The key of a channel name: names that differ only in case or outer whitespace are the same. */
export function channelKey(name: string): string {
  return name.trim().toLowerCase()
}

/**
 * A channel's name as it is stored, without outer whitespace.
 *
 * @throws BAD_REQUEST empty, too long, or with an invalid character
 */
export function requireChannelName(name: string): string {
  return requireName('Channel name', name, limits.channelNameLength)
}

/**
 * A name as it is stored, without outer whitespace.
 *
 * @param what the start of the error messages
 * @param most in Unicode code points
 * @throws BAD_REQUEST empty, too long, or with a control character, lone surrogate or noncharacter
 */
export function requireName(what: string, name: string, most: number): string {
  const trimmed = name.trim()
  if (trimmed === '') throw badRequest(`${what} can't be empty.`)
  requireLength(what, trimmed, most)
  const position = trimmed.search(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u)
  if (position >= 0) {
    throw badRequest(`Invalid character in ${what.toLowerCase()}, at position ${position + 1}.`)
  }
  return trimmed
}

/**
 * A description as it is stored: on one line, because clients show it on one line.
 *
 * @throws BAD_REQUEST too long
 */
export function requireChannelDescription(description: string): string {
  const line = description.replaceAll('\n', ' ')
  requireLength('description', line, limits.channelDescriptionLength)
  return line
}
