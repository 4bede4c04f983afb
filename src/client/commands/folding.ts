import type { App } from '#client/app.ts'
import type { Message } from '#client/state/model.ts'
import { attempt } from './attempt.ts'

/** Whether a message is shown in part, or not at all. Reading it subscribes. */
export function isFolded(app: App, { id, flags }: Message): boolean {
  return flags.has('collapsed') || app.pane.value?.list.long.isFolded(id) === true
}

/** Shows all of a message that is folded or collapsed; collapses any other. */
export function toggleFolded(app: App, message: Message): void {
  const { id, flags } = message
  const pane = app.pane.peek()
  const isCollapsed = flags.has('collapsed')
  const isOpening = isFolded(app, message)
  pane?.fold(id, !isOpening)
  if (isCollapsed || !isOpening) void attempt(app, app.changes.setCollapsed([id], !isCollapsed))
}
