import type { App } from '#client/app.ts'
import type { Outgoing } from '#client/compose/outbox.ts'
import { showsConversation } from '#client/narrow/matches.ts'
import type { Narrow } from '#client/narrow/narrow.ts'

/** The user's messages of a narrow that the server does not have yet, once they take long. */
export function outgoingIn({ outbox }: Pick<App, 'outbox'>, narrow: Narrow): readonly Outgoing[] {
  return outbox.messages.value.filter(
    ({ conversation, state }) => state !== 'hidden' && showsConversation(narrow, conversation),
  )
}
