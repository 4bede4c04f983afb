import { limits, requireLength } from '#features/foundation/realm/limits.ts'
import { requireName } from '#features/foundation/realm/names.ts'
import { sentSentence } from '#translations/translate.ts'

const channelName = {
  what: 'Channel name',
  parameter: 'name',
  empty: sentSentence("Channel name can't be empty."),
} as const

/**
 * A channel's name as it is stored.
 *
 * @throws BAD_REQUEST empty, too long, or with an invalid character
 */
export function requireChannelName(name: string): string {
  return requireName(channelName, name, limits.channelNameLength)
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
