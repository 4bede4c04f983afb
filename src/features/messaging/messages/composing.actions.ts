import { ApiError } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { tellBotOwner } from './bot-owner-notices.actions.ts'
import { composeMessage, type Draft, type RequestedMessage } from './compose.rules.ts'

/**
 * The draft of a message. The owner of a bot hears if it writes to a channel that is not there, which
 * may have another name by now.
 */
export async function composed(caller: Caller, asked: RequestedMessage): Promise<Draft> {
  const { store, server, user } = caller
  try {
    return composeMessage(store, user, asked, server.realmUrl)
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.code === 'STREAM_DOES_NOT_EXIST'
    if (isUnknown && user.botType !== null) {
      await tellBotOwner(caller, `channel ${asked.to}`, ({ t }, bot) =>
        t(
          'Your bot {bot} could not send a message to the channel {channel}, which does not exist, or which it may not see.',
          { bot, channel: quotedName(String(asked.to)) },
        ),
      )
    }
    throw error
  }
}

/** The beginning of a name as inline code. */
function quotedName(name: string): string {
  const text = [...name.slice(0, 200)].slice(0, 100).join('')
  return `\`${text.replace(/[\s`]+/g, ' ').trim()}\``
}
