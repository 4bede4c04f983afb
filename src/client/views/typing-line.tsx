import { useApp } from '#client/app-context.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import { conversationOfNarrow } from '#client/narrow/terms.ts'
import { conversationKey } from '#client/state/model.ts'
import { listText, t } from '#client/ui/t.ts'

const mostNames = 3

/** Who is typing in a conversation. Keeps its line, so that nothing moves when they start. */
export function TypingLine({ narrow }: { readonly narrow: Narrow }) {
  const app = useApp()
  const conversation = conversationOfNarrow(narrow)
  if (!conversation) return null
  // Without a connection nobody knows when they stop.
  const isConnected = app.machine.connection.value.state === 'connected'
  const typists = app.store.typing.get(conversationKey(conversation))
  const names = [...((isConnected && typists?.keys()) || [])]
    .filter((id) => id !== app.store.selfId && !app.store.mutedUsers.value.has(id))
    .map((id) => app.store.users.get(id)?.name ?? t('Someone'))
  return (
    <p class="typing" aria-live="polite">
      {textFor(names)}
    </p>
  )
}

function textFor(names: readonly string[]): string {
  if (names.length === 0) return ''
  if (names.length > mostNames) return t('Several people are typing…')
  const list = listText(names)
  return names.length === 1
    ? t('{name} is typing…', { name: list })
    : t('{names} are typing…', { names: list })
}
