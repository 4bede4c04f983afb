import type { App } from '#client/app.ts'
import type { ReadPlace } from '#client/state/marking.ts'
import { t, tn } from '#client/ui/t.ts'
import { attempt, tellWithUndo } from './attempt.ts'
import { openConfirm } from './confirm-dialog.tsx'
import { readPlace } from './mark-read.ts'

/** More than this many in several conversations need a confirmation. */
const many = 50

/**
 * Marks every message of a conversation, channel or view as read, with a confirmation if there are
 * many, and an undo.
 */
export async function markAllRead(app: App, place: ReadPlace | 'everything'): Promise<void> {
  const ids = app.marking.unreadIn(place)
  const isWide = place === 'everything' || place.kind === 'channel'
  if (!isWide || ids.length <= many) {
    await attempt(app, mark(app, place, ids))
    return
  }
  openConfirm({
    title: t('Mark all as read?'),
    text: tn(ids.length, 'One message is unread.', '{count} messages are unread.'),
    action: t('Mark as read'),
    kind: 'primary',
    run: () => mark(app, place, ids),
  })
}

/** @param ids the known unread messages */
async function mark(
  app: App,
  place: ReadPlace | 'everything',
  ids: readonly number[],
): Promise<void> {
  const call = place === 'everything' ? app.marking.markEverythingRead() : readPlace(app, place)
  const count = await call
  const text = tn(count, 'Marked one message as read.', 'Marked {count} messages as read.')
  if (ids.length === 0) app.notify(text)
  else tellWithUndo(app, text, () => app.marking.markUnread(ids))
}
