import { useComputed } from '@preact/signals'
import { ArrowUp, CheckCheck } from 'lucide'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { markAllRead } from '#client/commands/mark-read.ts'
import { positionOf } from '#client/lists/ids.ts'
import { holdsWholeConversations, isPlace } from '#client/lists/near-reading.ts'
import { IconButton } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { t, tn } from '#client/ui/t.ts'
import type { OpenPane } from './open-pane.ts'
import { holds } from './reading.ts'

/** Says how many unread messages above were never in sight, and leads back to the first of them. */
export function UnreadAbove({ pane }: { readonly pane: OpenPane }) {
  const app = useApp()
  const above = useComputed(() => unreadAbove(app, pane))
  const { count, firstId } = above.value
  if (firstId === undefined) return null
  const { narrow } = pane.list
  return (
    <div class="row tight pane-above">
      <button type="button" class="row tight pane-pill" onClick={() => pane.select(firstId)}>
        <Icon node={ArrowUp} size={16} />
        {tn(count, '1 unread above', '{count} unread above')}
      </button>
      {isPlace(narrow) && (
        <IconButton
          label={t('Mark as read')}
          icon={CheckCheck}
          size={16}
          onClick={() => void markAllRead(app, narrow)}
        />
      )}
    </div>
  )
}

interface Above {
  readonly count: number
  /** The oldest one; undefined where there is none. */
  readonly firstId: number | undefined
}

function unreadAbove(app: App, { list, scroll }: OpenPane): Above {
  const { narrow } = list
  const limit = scroll.firstSeenId.value
  scroll.shownChanges.value
  let count = 0
  let firstId: number | undefined
  if (limit === undefined || !holdsWholeConversations(narrow)) return { count, firstId }
  for (const { conversation, isMuted } of app.store.unreads.conversations.value) {
    if (!holds(narrow, conversation, isMuted)) continue
    const ids = app.store.unreads.idsOf(conversation)
    for (const id of ids.slice(0, positionOf(ids, limit))) {
      if (scroll.shown.has(id)) continue
      count += 1
      if (firstId === undefined || id < firstId) firstId = id
    }
  }
  return { count, firstId }
}
