import { type ReadonlySignal, signal } from '@preact/signals-core'
import type { App } from '#client/app.ts'
import type { Message } from '#client/state/model.ts'
import { t } from '#client/ui/t.ts'
import { canEdit } from './permissions.ts'

const edited = signal<number | undefined>(undefined)

/** The message that is being edited in its place. */
export const editing: ReadonlySignal<number | undefined> = edited

/** Texts of edits that are not saved yet, by message: closing the box or the row keeps them. */
export const unsavedEdits = new Map<number, { readonly text: string; readonly original: string }>()

export function startEditing(app: App, message: Message): void {
  if (canEdit(app.store, message)) edited.value = message.id
  else app.notify(t('You cannot edit this message.'), 'error')
}

export function stopEditing(): void {
  edited.value = undefined
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
      edited.value = id
      return
    }
  }
}
