import { anchorOf } from '#client/actions/message-commands.ts'
import { messageItems } from '#client/actions/message-items.ts'
import type { App } from '#client/app.ts'
import { t } from '#client/ui/t.ts'
import type { Command } from './app-commands.ts'

/** What can be done with the message that the keys have selected; empty if there is none. */
export function selectionCommands(app: App): readonly Command[] {
  const id = app.pane.peek() && app.selectedId.peek()
  const message = id === undefined ? undefined : app.store.messages.peek(id)
  if (!message) return []
  return messageItems(app, message, anchorOf(message)).flatMap((item) =>
    item && 'icon' in item && item.icon && item.onSelect
      ? {
          key: `message:${item.label}`,
          names: [item.label],
          detail: t('The selected message'),
          icon: item.icon,
          run: item.onSelect,
        }
      : [],
  )
}
