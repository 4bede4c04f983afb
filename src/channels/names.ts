import { badRequest } from '#errors.ts'
import { limits, requireLength } from '#realm/limits.ts'

/** What channels are found by: names that differ only in case or outer blanks are one. */
export function channelKey(name: string): string {
  return name.trim().toLowerCase()
}

/**
 * A channel's name as it is stored.
 *
 * @throws BAD_REQUEST: empty, too long, or with a control character in it
 */
export function requireChannelName(name: string): string {
  return requireName('Channel name', name, limits.channelNameLength)
}

/**
 * A name as it is stored.
 *
 * @param what begins the messages
 * @param most in Unicode code points
 * @throws BAD_REQUEST: empty, too long, or with a control character in it
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
 * A description as it is stored: on one line, as it is shown.
 *
 * @throws BAD_REQUEST: too long
 */
export function requireChannelDescription(description: string): string {
  const line = description.replaceAll('\n', ' ')
  requireLength('description', line, limits.channelDescriptionLength)
  return line
}
