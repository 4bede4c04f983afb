import { useApp } from '#client/app-context.ts'
import { summaryOf } from '#client/messages/summary.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { exactText, shortText } from '#client/ui/dates.ts'
import { t } from '#client/ui/t.ts'

/** As many characters fit into a line. */
const most = 160

interface SnippetProps {
  readonly messageId: number
  /** Whether to say who wrote it, as where a name above does not. */
  readonly saysSender: boolean
}

/** The beginning of a message in one line, under the name of its conversation. */
export function Snippet({ messageId, saysSender }: SnippetProps) {
  const app = useApp()
  const message = app.store.messages.get(messageId)
  if (!message) return <span class="snippet">{'\u00a0'}</span>
  const { senderId, senderName } = message
  const text = summaryOf(message).slice(0, most)
  const name = senderId === app.store.selfId ? t('You') : senderName
  return (
    <span class="snippet ellipsis" dir="auto">
      {saysSender || senderId === app.store.selfId ? `${name}: ${text}` : text}
    </span>
  )
}

/** The picture of who wrote a message. */
export function SnippetFace({ messageId }: { readonly messageId: number }) {
  const { store } = useApp()
  const message = store.messages.get(messageId)
  if (!message) return null
  const { senderId, senderName, senderAvatarUrl } = message
  const writer = store.users.get(senderId) ?? { name: senderName, avatarUrl: senderAvatarUrl }
  return <Avatar user={writer} size={20} />
}

/** When a message was sent, shortly. */
export function SnippetTime({ messageId }: { readonly messageId: number }) {
  const app = useApp()
  const settings = app.store.settings.value
  const at = app.store.messages.get(messageId)?.timestamp
  if (at === undefined) return null
  return (
    <time class="snippet-time" title={exactText(at, settings)}>
      {shortText(at, settings)}
    </time>
  )
}
