import { useLayoutEffect } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import type { Outgoing as Message } from '#client/compose/outbox.ts'
import { showsConversation } from '#client/narrow/matches.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import { lazy } from '#client/ui/lazy.tsx'

export const OutboxRows = lazy(async () => (await import('./outbox-rows.tsx')).OutboxRows)

/** The user's messages of a narrow that the server does not have yet, once they take long. */
export function outgoingIn({ outbox }: Pick<App, 'outbox'>, narrow: Narrow): readonly Message[] {
  return outbox.messages.value.filter(
    ({ conversation, state }) => state !== 'hidden' && showsConversation(narrow, conversation),
  )
}

interface OutgoingProps {
  readonly narrow: Narrow
  /** Called after rows came or went. */
  readonly onDrawn: () => void
}

/** Shows them. The code is loaded when someone is about to write. */
export function Outgoing({ narrow, onDrawn }: OutgoingProps) {
  const outgoing = outgoingIn(useApp(), narrow)
  useLayoutEffect(onDrawn)
  return outgoing.length > 0 ? <OutboxRows outgoing={outgoing} onDrawn={onDrawn} /> : null
}
