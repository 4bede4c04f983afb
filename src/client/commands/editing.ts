import type { App } from '#client/app.ts'
import type { Message } from '#client/state/model.ts'
import { focusOnceDrawn } from '#client/ui/focus-once-drawn.ts'
import { t } from '#client/ui/t.ts'
import { canEdit } from './permissions.ts'

/** Opens the edit box of a message, or says why not. */
export function startEditing(app: App, message: Message): void {
  if (canEdit(app.store, message)) open(app, message.id)
  else app.notify(t('You cannot edit this message.'), 'error')
}

/** What is typed before its box is drawn is for it. */
function open(app: App, messageId: number): void {
  app.edits.open(messageId)
  focusOnceDrawn('.edit-box .editor-text')
}

/** Edits the newest own message that the shown list has. */
export function editLast(app: App): void {
  const view = app.router.view.peek()
  if (view.kind !== 'messages') return
  const ids = app.openList(view.narrow).ids.peek()
  for (const id of ids.toReversed()) {
    const message = app.store.messages.peek(id)
    if (message && canEdit(app.store, message)) {
      app.selectedId.value = id
      open(app, id)
      return
    }
  }
}
